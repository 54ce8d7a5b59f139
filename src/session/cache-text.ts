import { shortAge } from "./age";
import type { Cache } from "./cache";
import type { Seconds } from "./report";

/** Whether waking a session is cheap, in a few words (seed 002, `cacheText`): `warm, 42m left`, `cold for 3h`. */
export function cacheText(cache: Cache, now: Seconds): string {
  switch (cache.temperature) {
    case "active":
      return "works";
    case "warm":
      return `warm, ${shortAge(Math.max(60, cache.left))} left`;
    case "cold":
      return `cold for ${shortAge(Math.max(0, now - cache.since))}`;
    case "none":
      return "no answer yet";
    case "unknown":
      return "unknown";
    default:
      return cache satisfies never;
  }
}

/** A number of tokens, short (seed 002, `fmtTokens`): `950`, `45k`, `1.2M`; a dash for none. */
export function tokensText(tokens: number | undefined): string {
  if (tokens === undefined || tokens <= 0) return "–";
  if (tokens >= 999_500) return `${(tokens / 1e6).toFixed(1)}M`;
  return tokens >= 1e3 ? `${Math.round(tokens / 1e3)}k` : String(tokens);
}
