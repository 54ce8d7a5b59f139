import type { Seconds } from "../session/report";

/** What is larger is no stop answer, in bytes: a message and what stands around it. */
export const STOP_ANSWER_LIMIT = 64 * 1024;

/** What the recorder prints at a session's next Stop, and until when. */
export interface StopAnswer {
  expiresAt: Seconds;
  /** Printed as it is. */
  printed: string;
}

/**
 * The answer to a Stop that has the agent go on with a text: Claude's and Codex's `decision: block`. The expiry is cut
 * to whole seconds, since the recorder compares it in a shell.
 */
export function encodeStopAnswer({ expiresAt, reason }: { expiresAt: Seconds; reason: string }): string {
  return `${Math.floor(expiresAt)}\n${JSON.stringify({ decision: "block", reason })}\n`;
}

/** Reads a stop answer; undefined for a text that is none. */
export function decodeStopAnswer(text: string): StopAnswer | undefined {
  const match = /^(\d{1,12})\n([^]+)$/.exec(text);
  if (match === null) return undefined;
  const [, expiresAt, printed = ""] = match;
  return { expiresAt: Number(expiresAt), printed };
}
