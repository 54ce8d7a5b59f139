import { cacheOf, isWarm } from "./cache";
import { cacheText, tokensText } from "./cache-text";
import type { Seconds } from "./report";
import type { Session } from "./session";

/** Whether a session can be meant by all: it is open, and somebody sits at it. */
export function isAttended({ state, headless }: Pick<Session, "state" | "headless">): boolean {
  return state !== "dormant" && headless !== true;
}

/** Why a session is not woken for a save, and whether it would be if the user said so. */
export interface Spared {
  reason: string;
  canBeWoken: boolean;
}

/**
 * Why a session is not woken for a save; undefined when it may be. A cold one reads its whole context again, which only
 * the user may decide (seed 002, `/pause`: cold ones are left out and named).
 *
 * @param wish.all it was meant with all others, not by its name
 */
export function sparedFromSave(
  session: Session,
  { all, includeCold }: { all: boolean; includeCold: boolean },
  now: Seconds,
): Spared | undefined {
  if (session.state === "dormant") return undefined;
  const cache = cacheOf(session, now);
  if (cache.temperature === "none") {
    return all ? { reason: "it has no answer yet: nothing to save", canBeWoken: false } : undefined;
  }
  if (isWarm(cache) || includeCold) return undefined;
  if (cache.temperature !== "unknown") {
    return { reason: `${cacheText(cache, now)}: ${wakingCost(session)}`, canBeWoken: true };
  }
  const reason = `whether its context is still cached is not known; ${wakingCost(session)}`;
  return all ? { reason, canBeWoken: true } : undefined;
}

/** What waking a cold session costs. */
export function wakingCost({ context }: Pick<Session, "context">): string {
  return `waking it reads ${readAgain(context?.tokens)} again`;
}

/** What a model reads again, in words. */
export function readAgain(tokens: number | undefined): string {
  return tokens === undefined ? "its whole context" : `about ${tokensText(tokens)} tokens`;
}
