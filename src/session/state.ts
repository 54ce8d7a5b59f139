/**
 * The eleven states of a session, in AItention's words (status file v1, `state`).
 * A reader derives `scheduled` and `waitingForSubagents`; a writer need not set them.
 */
export const STATES = [
  "idle",
  "working",
  "waiting",
  "decision",
  "done",
  "failed",
  "scheduled",
  "waitingForSubagents",
  "compacting",
  "dormant",
  "unknown",
] as const;

export type State = (typeof STATES)[number];

/** What a session in `waiting` or `decision` waits for; it decides between Agent Signal's permission and needs_review. */
export const WAIT_KINDS = ["permission", "question", "plan", "input"] as const;

export type WaitKind = (typeof WAIT_KINDS)[number];

/** Whether the user has to act before the session can go on. An unread answer is its own thing, not this. */
export function needsYou(state: State): boolean {
  return state === "waiting" || state === "decision" || state === "failed";
}

/** Whether a text is one of the eleven states. */
export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}
