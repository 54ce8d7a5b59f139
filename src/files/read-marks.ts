import * as z from "zod";
import type { ReadMark, ReadMarks } from "../session/seen";
import { isMoment } from "./timestamp";

const moment = z.number().refine(isMoment, "is not a time in seconds since 1970");

const schema = z.looseObject({
  version: z.literal(1),
  /** The time of first use: nothing older is unread. */
  baseline: moment,
  sessions: z.record(z.string(), z.looseObject({ read_until: moment.optional(), kept_unread: moment.optional() })),
});

/** Reads our read marks (`read-marks.json`); a reason when they are damaged. */
export function decodeReadMarks(
  text: string,
): { outcome: "marks"; marks: ReadMarks } | { outcome: "damaged"; reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "damaged", reason: "is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      outcome: "damaged",
      reason: `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "is not valid"}`,
    };
  }
  const sessions = Object.entries(parsed.data.sessions).map(([id, mark]): [string, ReadMark] => [
    id,
    {
      ...(mark.read_until === undefined ? {} : { readUntil: mark.read_until }),
      ...(mark.kept_unread === undefined ? {} : { keptUnread: mark.kept_unread }),
    },
  ]);
  return { outcome: "marks", marks: { baseline: parsed.data.baseline, sessions: Object.fromEntries(sessions) } };
}

/** The marks as the text of `read-marks.json`. */
export function encodeReadMarks(marks: ReadMarks): string {
  const sessions = Object.entries(marks.sessions).map(([id, mark]) => [
    id,
    { read_until: mark.readUntil, kept_unread: mark.keptUnread },
  ]);
  return `${JSON.stringify({ version: 1, baseline: marks.baseline, sessions: Object.fromEntries(sessions) }, null, 2)}\n`;
}
