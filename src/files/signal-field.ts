import * as z from "zod";
import { isSignal } from "../session/signal";
import { isMoment, secondsOfIso } from "./timestamp";

/** A date of the signal document in seconds since 1970: ISO 8601 with or without fraction and offset, or a number. */
export const moment = z.union([z.string(), z.number()], "is not a date").transform((value, context) => {
  const seconds = typeof value === "number" ? value : secondsOfIso(value);
  if (seconds !== undefined && isMoment(seconds)) return seconds;
  context.addIssue({ code: "custom", message: "is not an ISO 8601 date or a number of seconds" });
  return z.NEVER;
});

/** A signal by its exact name. */
export const signal = z.string().refine(isSignal, "is not a signal");

/** A key that may be left out; Swift decodes an absent one and a null alike. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const jsonObject = z.custom<object>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "is missing or not an object",
);

/**
 * A record with the keys of `shape`. Every other key is kept in `extra`, whatever its name: a schema's own output
 * leaves `__proto__` out.
 */
export function record<S extends z.ZodRawShape>(shape: S) {
  const schema = z.object(shape);
  return jsonObject.transform((raw, context) => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) {
      const extra = Object.fromEntries(Object.entries(raw).filter(([key]) => !Object.hasOwn(shape, key)));
      return { fields: parsed.data, extra };
    }
    relay(parsed.error, context);
    return z.NEVER;
  });
}

/** An object whose keys are the document's own ids, whatever they are called. */
export function byId<T>(schema: z.ZodType<T>) {
  return jsonObject.transform((raw, context) => {
    const entries = new Map<string, T>();
    for (const [id, value] of Object.entries(raw)) {
      const parsed = schema.safeParse(value);
      if (parsed.success) entries.set(id, parsed.data);
      else relay(parsed.error, context, id);
    }
    return entries;
  });
}

function relay(error: z.ZodError, context: z.RefinementCtx, id?: string): void {
  for (const issue of error.issues) {
    const path = id === undefined ? issue.path : [id, ...issue.path];
    context.addIssue({ code: "custom", message: reasonOf(issue), path: [...path] });
  }
}

/** What an issue of a schema says, in the words of a sentence about the field. */
export function reasonOf(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_type" ? `is missing or not a ${issue.expected}` : issue.message;
}
