/** How long a provider keeps the context of a session, in milliseconds, where nothing tells otherwise. */
export const CACHE_TTL_MS = 60 * 60_000;

/** What is left of it is not counted on, up to so much. */
const RESERVE_MS = 5 * 60_000;

/** Whether waking a session costs its whole context again. Times are milliseconds. */
export type Warmth =
  | { state: "working" }
  | { state: "warm"; leftMs: number }
  | { state: "cold"; sinceMs: number }
  | { state: "unanswered" }
  | { state: "unknown" };

/** What is known of a session's last answer. */
export interface Answered {
  status: string;
  /** When its main conversation was last answered; null: never yet; undefined: not known. */
  answeredAt?: number | null;
  /** How long the cache holds, as the transcript tells. */
  ttlMs?: number;
}

/** Whether a session's context is still cached: by its work, else by the time since its last answer. */
export function warmthOf({ status, answeredAt, ttlMs = CACHE_TTL_MS }: Answered, now: number): Warmth {
  if (status === "busy") return { state: "working" };
  if (answeredAt === undefined) return { state: "unknown" };
  if (answeredAt === null) return { state: "unanswered" };
  const idle = Math.max(0, now - answeredAt);
  return idle < ttlMs - Math.min(RESERVE_MS, ttlMs / 12)
    ? { state: "warm", leftMs: ttlMs - idle }
    : { state: "cold", sinceMs: idle };
}

/** Whether a session may be woken without paying for its whole context again. */
export function isWarm({ state }: Warmth): boolean {
  return state === "working" || state === "warm";
}
