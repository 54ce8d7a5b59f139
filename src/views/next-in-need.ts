import type { Session } from "../session/session";

/** How long the sessions that were visited are remembered, in milliseconds. */
export const ROUND_MS = 60_000;

/** The sessions that a round went to. */
export interface Round {
  /** When the last of them was visited, in milliseconds since 1970. */
  at: number;
  ids: readonly string[];
}

/** The sessions that need the user, the one that has waited longest first; by id where they wait alike. */
export function inNeed<T extends Pick<Session, "id" | "since" | "needsYou">>(sessions: readonly T[]): T[] {
  return sessions
    .filter(({ needsYou }) => needsYou)
    .sort((one, other) => one.since - other.since || (one.id < other.id ? -1 : 1));
}

/**
 * The next session to go to: the first that this round has not been at. When it has been at all, it begins anew; so does one
 * whose last visit is long ago.
 */
export function nextInNeed<T extends Pick<Session, "id" | "since" | "needsYou">>(
  sessions: readonly T[],
  before: Round | undefined,
  now: number,
): { session: T; round: Round } | undefined {
  const needing = inNeed(sessions);
  // A clock that was set back makes no round last.
  const isFresh = before !== undefined && now - before.at >= 0 && now - before.at < ROUND_MS;
  const visited = isFresh ? before.ids : [];
  const unvisited = needing.find(({ id }) => !visited.includes(id));
  const session = unvisited ?? needing[0];
  if (session === undefined) return undefined;
  return { session, round: { at: now, ids: unvisited === undefined ? [session.id] : [...visited, session.id] } };
}

/** A round as it was kept; undefined for anything else. */
export function parseRound(text: unknown): Round | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== "object" || kept === null || !("at" in kept) || !("ids" in kept)) return undefined;
    const { at, ids } = kept;
    if (typeof at !== "number" || !Array.isArray(ids)) return undefined;
    return { at, ids: ids.filter((id): id is string => typeof id === "string") };
  } catch {
    return undefined;
  }
}
