import type { LiveEntry } from "./live-entry";
import type { Seconds } from "./report";

/** An entry of a registry, and whether its process runs. */
export interface LiveCandidate {
  entry: LiveEntry;
  liveness: "running" | "gone" | "unknown";
}

/**
 * Of several entries of one session, the one that counts: first by what it is and whether it runs, then the newest. A
 * side run (`claude -p --resume` of an open session) never displaces one that is or may be open.
 *
 * @returns undefined when there is none
 */
export function chooseLive<C extends LiveCandidate>(candidates: Iterable<C>): C | undefined {
  let best: C | undefined;
  for (const each of candidates) if (best === undefined || isBetter(each, best)) best = each;
  return best;
}

/** The entry that counts of each session, by a key of the caller's. */
export function chooseLiveOfEach<C extends LiveCandidate, K>(candidates: Iterable<C>, keyOf: (entry: LiveEntry) => K) {
  const chosen = new Map<K, C>();
  for (const each of candidates) {
    const key = keyOf(each.entry);
    const best = chosen.get(key);
    if (best === undefined || isBetter(each, best)) chosen.set(key, each);
  }
  return chosen;
}

function isBetter(one: LiveCandidate, other: LiveCandidate): boolean {
  const byRank = rankOf(one) - rankOf(other);
  if (byRank !== 0) return byRank > 0;
  const byTime = newnessOf(one.entry) - newnessOf(other.entry);
  if (byTime !== 0) return byTime > 0;
  const byStart = (one.entry.startedAt ?? 0) - (other.entry.startedAt ?? 0);
  if (byStart !== 0) return byStart > 0;
  // Nothing tells them apart: the answer must not hang on the order of a listing.
  return (one.entry.pid ?? 0) > (other.entry.pid ?? 0);
}

/** What is open for the user, what may be, what runs aside, what is over; in each a terminal before the background. */
function rankOf({ entry, liveness }: LiveCandidate): number {
  const isBackground = entry.kind === "background" ? 0 : 1;
  switch (liveness) {
    case "running":
      return entry.headless === true ? 5 : 8 + isBackground;
    case "unknown":
      return entry.headless === true ? 4 : 6 + isBackground;
    case "gone":
      return entry.headless === true ? 0 : 1 + isBackground;
    default:
      return liveness satisfies never;
  }
}

/** When something last happened to it. */
function newnessOf({ updatedAt = 0, statusAt = 0, startedAt = 0 }: LiveEntry): Seconds {
  return Math.max(updatedAt, statusAt, startedAt);
}
