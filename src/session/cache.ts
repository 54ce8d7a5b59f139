import type { ContextFacts, Seconds } from "./report";
import type { State } from "./state";

/** How long providers keep a context after its last use, where nothing told: Claude's subscription (seed 002), OpenAI's caches. */
const ASSUMED_TTL: Readonly<Record<string, Seconds>> = { claude: 60 * 60, codex: 5 * 60 };

/** What a warm session keeps in reserve, at most: seed 002 calls a session warm up to five minutes before its hour ends. */
const RESERVE: Seconds = 5 * 60;

/** The share of the time to live that is reserve where that is less: a cache of five minutes has 25 seconds of it. */
const RESERVE_SHARE = 1 / 12;

/** Who told the time to live. */
export type TtlSource = "preference" | "session" | "assumed";

/** How long a context is kept after an answer, in seconds, and who says so. */
export interface CacheTtl {
  ttl: Seconds;
  ttlFrom: TtlSource;
}

/**
 * Whether resuming a session reads its context from the provider's cache, or pays for the whole of it again.
 *
 * - `active`: it works, so the cache is renewed right now
 * - `warm`: `left` seconds until the provider drops it at `until`; `coldIn` seconds until it counts as cold, by the reserve
 * - `cold`: since `since`
 * - `none`: no answer yet, so there is nothing to lose
 * - `unknown`: nothing tells
 */
export type Cache =
  | { temperature: "active" }
  | ({ temperature: "warm"; until: Seconds; left: Seconds; coldIn: Seconds } & CacheTtl)
  | ({ temperature: "cold"; since: Seconds } & CacheTtl)
  | { temperature: "none" }
  | { temperature: "unknown" };

/** What the cache of a session is judged by. */
export interface Cached {
  agent: string;
  state: State;
  context?: ContextFacts;
  doneAt?: Seconds;
  /** The time to live, where it was settled already. */
  cacheTtl?: CacheTtl;
}

/** The time to live of a session's cache: the preference has the last word, then what the session told, then the agent's usual one. */
export function cacheTtlOf(
  { agent, context, cacheTtl }: Pick<Cached, "agent" | "context" | "cacheTtl">,
  preferred?: Seconds,
): CacheTtl | undefined {
  if (preferred !== undefined) return { ttl: preferred, ttlFrom: "preference" };
  if (cacheTtl !== undefined) return cacheTtl;
  if (context?.ttl !== undefined) return { ttl: context.ttl, ttlFrom: "session" };
  const ttl = Object.hasOwn(ASSUMED_TTL, agent) ? ASSUMED_TTL[agent] : undefined;
  return ttl === undefined ? undefined : { ttl, ttlFrom: "assumed" };
}

/** How much of a time to live is kept in reserve: min(5 minutes, a twelfth). */
export function reserveOf(ttl: Seconds): Seconds {
  return Math.min(RESERVE, ttl * RESERVE_SHARE);
}

/**
 * Warm or cold (seed 002, `isWarm` and `cacheText`; the reserve for other times to live is the house's rule).
 *
 * @param preferred the time to live the user set
 */
export function cacheOf(session: Cached, now: Seconds, preferred?: Seconds): Cache {
  const { state, context, doneAt } = session;
  if (state === "working" || state === "compacting" || state === "waitingForSubagents")
    return { temperature: "active" };
  const known = cacheTtlOf(session, preferred);
  if (known === undefined) return { temperature: "unknown" };
  const answeredAt = context?.lastAnswerAt ?? doneAt;
  if (answeredAt === undefined) return { temperature: context === undefined ? "unknown" : "none" };
  const until = answeredAt + known.ttl;
  const coldIn = until - reserveOf(known.ttl) - now;
  if (context?.isGone === true || coldIn <= 0) {
    return { temperature: "cold", since: answeredAt, ...known };
  }
  return { temperature: "warm", until, left: until - now, coldIn, ...known };
}

/** Whether waking a session now costs no more than its new words: it works, or its context is still kept. */
export function isWarm(cache: Cache): boolean {
  return cache.temperature === "active" || cache.temperature === "warm";
}

/**
 * A time to live as a person writes it: `5m`, `1h`, `300s`, `90` (minutes). Undefined for anything else, and for none.
 */
export function parseTtl(text: string | undefined): Seconds | undefined {
  const [, amount, unit] = /^\s*(\d{1,6})\s*([smh]?)\s*$/i.exec(text ?? "") ?? [];
  const seconds = Number(amount) * (UNITS.get(unit?.toLowerCase() ?? "") ?? NaN);
  return seconds > 0 ? seconds : undefined;
}

const UNITS: ReadonlyMap<string, Seconds> = new Map([
  ["s", 1],
  ["m", 60],
  ["", 60],
  ["h", 3600],
]);
