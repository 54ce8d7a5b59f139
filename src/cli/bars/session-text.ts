import { LOOKS, wantOf } from "../../session/looks";
import type { Session } from "../../session/session";
import { oneLine, printable } from "../../session/text";

/** The state in a word, and the unread answer beside it: `Working, unread`. */
export function stateText({ state, unread }: Pick<Session, "state" | "unread">): string {
  const { word } = LOOKS[state];
  return unread && state !== "done" ? `${word}, unread` : word;
}

/** What a session wants, else what it does; undefined when neither is known. */
export function doingText(session: Session): string | undefined {
  return session.message ?? wantOf(session) ?? session.activity ?? session.tool;
}

/** A text of a session on one line that cannot steer what shows it. */
export function plainLine(text: string): string {
  return oneLine(printable(text));
}

/** The verb that brings the user to a session: one that has ended has no window, and is taken up again. */
export function goToVerb({ state }: Pick<Session, "state">): "focus" | "resume" {
  return state === "dormant" ? "resume" : "focus";
}
