import { shortLine } from "./text-lines";

/**
 * What a message asks of another session, in any language. The second of each is seed 002's, which sessions with that
 * plugin send.
 */
const SAVE_MARKS = ["[PAUSE-SAVE]", "[PAUSE-SICHERN]"] as const;
const FRESH_MARKS = ["[PAUSE-FRESH]", "[PAUSE-NEU]"] as const;

/** The marks of a message that asks a session to save, and to start fresh afterwards. */
export function marksFor({ fresh }: { fresh: boolean }): string {
  return fresh ? `${SAVE_MARKS[0]} ${FRESH_MARKS[0]}` : SAVE_MARKS[0];
}

/** What a message of another session asks for; undefined where it asks for no save. */
export function askedIn(text: string): { fresh: boolean; binds: readonly string[] } | undefined {
  const binds = SAVE_MARKS.filter((mark) => text.includes(mark));
  if (binds.length === 0) return undefined;
  return { fresh: FRESH_MARKS.some((mark) => text.includes(mark)), binds };
}

/** What stands in the prompt of a session's own save, so that its turn is known. */
export function saveTurnMark(token: string): string {
  return `[PAUSE-TURN ${token}]`;
}

/** What was asked of `/pause`. */
export type PauseWord = "save" | "new" | "self" | "auto" | "cancel";

const WORDS: Readonly<Record<string, PauseWord>> = {
  "": "save",
  new: "new",
  neu: "new",
  self: "self",
  selbst: "self",
  auto: "auto",
  cancel: "cancel",
  abbrechen: "cancel",
};

/** Reads what stands after `/pause`; undefined where it is none of its words. */
export function pauseWord(args: string): PauseWord | undefined {
  const word = args.trim().toLowerCase();
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

/** A reason of somebody else's, as it is shown. */
export function shownReason(reason: unknown): string {
  return shortLine(reason instanceof Error ? reason.message : String(reason), 120);
}
