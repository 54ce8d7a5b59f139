import * as z from "zod";
import type { Seconds } from "../session/report";
import { isMoment } from "./timestamp";

const schema = z.looseObject({
  version: z.literal(1),
  /** Seconds since 1970. */
  paused_at: z.number().refine(isMoment, "is not a time in seconds since 1970"),
});

/** Reads our paused flag (`paused.json`): since when monitoring is paused, or why that is not known. */
export function decodePausedFlag(
  text: string,
): { outcome: "paused"; since: Seconds } | { outcome: "damaged"; reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "damaged", reason: "is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { outcome: "paused", since: parsed.data.paused_at };
  const issue = parsed.error.issues[0];
  return { outcome: "damaged", reason: `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "is not valid"}` };
}

/** The flag as the text of `paused.json`. */
export function encodePausedFlag(since: Seconds): string {
  return `${JSON.stringify({ version: 1, paused_at: since })}\n`;
}
