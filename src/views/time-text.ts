import { ageOf, shortAge } from "../session/age";
import type { Seconds } from "../session/report";

/** A moment in the user's own format, exact to the second. */
export function exactTime(at: Seconds): string {
  return new Date(at * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** A moment as a distance, `5m ago` or `in 5m`. */
export function relativeTime(at: Seconds, now: Seconds): string {
  return at > now ? `in ${shortAge(at - now)}` : `${shortAge(ageOf(at, now))} ago`;
}
