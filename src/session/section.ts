import type { Session } from "./session";

/** The sections of a list, in their order. */
export const SECTIONS = ["needsYou", "unread", "working", "scheduled", "idle", "ended", "unknown"] as const;

export type Section = (typeof SECTIONS)[number];

/**
 * The section a session stands in. Unread answers have their own, with those of ended sessions; a session that
 * already works again stays with the working ones and keeps its mark.
 */
export function sectionOf(session: Pick<Session, "state" | "unread">): Section {
  const { state, unread } = session;
  switch (state) {
    case "waiting":
    case "decision":
    case "failed":
      return "needsYou";
    case "working":
    case "compacting":
      return "working";
    case "done":
      return "unread";
    case "waitingForSubagents":
      return unread ? "unread" : "working";
    case "scheduled":
      return unread ? "unread" : "scheduled";
    case "idle":
      return unread ? "unread" : "idle";
    case "dormant":
      return unread ? "unread" : "ended";
    case "unknown":
      return "unknown";
    default:
      return state satisfies never;
  }
}
