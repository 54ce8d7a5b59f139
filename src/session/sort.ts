import { cacheOf, type Cached } from "./cache";
import type { Seconds } from "./report";
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

const SECTION_RANK = ranks(SECTIONS);
const STATE_RANK = ranks(STATE_ORDER);

function ranks<T extends string>(order: readonly T[]): ReadonlyMap<T, number> {
  return new Map(order.map((each, index) => [each, index]));
}

function rankOf<T>(rank: ReadonlyMap<T, number>, one: T, other: T): number {
  return one === other ? 0 : (rank.get(one) ?? 0) - (rank.get(other) ?? 0);
}

type Sortable = Pick<Session, "id" | "state" | "unread" | "since" | "wakeupAt">;

/**
 * Compares two sessions for a list: by section, then state; who needs the user, longest waiting first; what is
 * scheduled, next first; all others, latest first; at last by id, so that an order is never left to chance.
 */
export function compareSessions(one: Sortable, other: Sortable): number {
  const section = sectionOf(one);
  return (
    rankOf(SECTION_RANK, section, sectionOf(other)) ||
    rankOf(STATE_RANK, one.state, other.state) ||
    (section === "scheduled" ? (one.wakeupAt ?? Infinity) - (other.wakeupAt ?? Infinity) || 0 : 0) ||
    (section === "needsYou" ? one.since - other.since : other.since - one.since) ||
    (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
  );
}

/** What goes cold next first, then the cold ones, the longest cold last; what has no cache to lose comes at the end. */
export function sortByCold<T extends Cached & Sortable>(sessions: readonly T[], now: Seconds): T[] {
  const rank = (session: T): number => {
    const cache = session.state === "dormant" ? undefined : cacheOf(session, now);
    switch (cache?.temperature) {
      case "warm":
        return cache.coldIn;
      case "active":
        return ACTIVE;
      case "cold":
        return COLD + (now - cache.since);
      default:
        return Infinity;
    }
  };
  const ranks = new Map(sessions.map((session) => [session, rank(session)]));
  return [...sessions].sort((one, other) => {
    const [first = Infinity, second = Infinity] = [ranks.get(one), ranks.get(other)];
    return first === second ? compareSessions(one, other) : first - second;
  });
}

/** Ranks above every time a warm cache has left: one that is renewed right now, and one that is lost. */
const ACTIVE = 1e9;
const COLD = 2e9;

/** The sessions in the order of a list; the input stays as it is. */
export function sortSessions<T extends Sortable>(sessions: readonly T[]): T[] {
  return [...sessions].sort(compareSessions);
}
