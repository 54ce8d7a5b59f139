import { SECTIONS, sectionOf } from "./section";
import type { Session } from "./session";
import type { State } from "./state";

/** The order of states within a section (facts of the status directory, sort for a list). */
const STATE_ORDER: readonly State[] = [
  "decision",
  "waiting",
  "failed",
  "done",
  "working",
  "compacting",
  "waitingForSubagents",
  "scheduled",
  "idle",
  "dormant",
  "unknown",
];

type Sortable = Pick<Session, "id" | "state" | "unread" | "since" | "wakeupAt">;

/**
 * Compares two sessions for a list: by section, then state; who needs the user, longest waiting first; what is
 * scheduled, next first; all others, latest first; at last by id, so that an order is never left to chance.
 */
export function compareSessions(one: Sortable, other: Sortable): number {
  const section = sectionOf(one);
  return (
    SECTIONS.indexOf(section) - SECTIONS.indexOf(sectionOf(other)) ||
    STATE_ORDER.indexOf(one.state) - STATE_ORDER.indexOf(other.state) ||
    (section === "scheduled" ? (one.wakeupAt ?? Infinity) - (other.wakeupAt ?? Infinity) || 0 : 0) ||
    (section === "needsYou" ? one.since - other.since : other.since - one.since) ||
    (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
  );
}

/** The sessions in the order of a list; the input stays as it is. */
export function sortSessions<T extends Sortable>(sessions: readonly T[]): T[] {
  return [...sessions].sort(compareSessions);
}
