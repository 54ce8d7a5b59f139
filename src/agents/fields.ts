import * as z from "zod";
import { cutText, oneLine } from "../session/text";
import type { Mapped } from "../session/mapping";

/** A JSON object as it came. */
export type Values = Readonly<Record<string, unknown>>;

/** An optional field whose wrong type costs that field alone, not the event. */
export function lenient<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

/** An optional text; half a character in it becomes a visible replacement. */
export const text = lenient(z.string().transform((value) => value.toWellFormed()));

/** An optional object whose keys only the agent knows. */
export const values = lenient(z.record(z.string(), z.unknown()));

/** An id: without it a payload is nobody's. */
export const id = z
  .string()
  .min(1)
  .transform((value) => value.toWellFormed());

/** The fields of a payload, none when it is no object. */
export function valuesOf(payload: unknown): Values {
  return typeof payload === "object" && payload !== null && !Array.isArray(payload) ? { ...payload } : {};
}

/**
 * The fields of a payload under their names in snake_case, for agents that write `sessionId` here and `session_id`
 * there. A field that is named so already stands.
 */
export function inSnakeCase(payload: unknown): Values {
  const fields = Object.entries(valuesOf(payload)).map(([name, value]) => ({
    name,
    snake: name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    value,
  }));
  const named = (isSo: boolean) => fields.filter(({ name, snake }) => (name === snake) === isSo);
  return Object.fromEntries([...named(false), ...named(true)].map(({ snake, value }) => [snake, value]));
}

/** A text as one line of at most `limit` characters, none when nothing is in it. */
export function lineOf(said: string | undefined, limit = 500): string | undefined {
  const line = said === undefined ? "" : cutText(oneLine(said), limit);
  return line === "" ? undefined : line;
}

/** A tool's name as the status file takes it. */
export function toolNamed(tool: string | undefined): string | undefined {
  return tool === undefined ? undefined : cutText(tool, 64);
}

/** A payload that cannot be read, with the field that is the reason. */
export function refusal({ issues: [issue] }: z.ZodError): Mapped {
  return { outcome: "refused", reason: `${issue?.path.join(".") || "payload"}: ${issue?.message ?? "not readable"}` };
}

/** Whether a hook was started without a payload. */
export function isEmpty(payload: unknown): boolean {
  return payload === undefined || payload === null || payload === "";
}
