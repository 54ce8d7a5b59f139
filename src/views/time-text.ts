import { ageOf, nextAgeChange, shortAge } from "../session/age";
import type { Seconds } from "../session/report";

const MINUTE: Seconds = 60;

/** A moment in the user's own format, exact to the second. */
export function exactTime(at: Seconds): string {
  return new Date(at * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** How long ago a moment is, short enough for a row: `now`, `5m`, `3h`. No seconds: they would tick while one reads. */
export function ageText(at: Seconds, now: Seconds): string {
  const age = ageOf(at, now);
  return age < MINUTE ? "now" : shortAge(age);
}

/** A moment as a distance: `just now`, `5m ago`, `in 5m`. */
export function relativeTime(at: Seconds, now: Seconds): string {
  if (at - now >= MINUTE) return `in ${shortAge(at - now)}`;
  if (at > now) return "in a moment";
  return now - at < MINUTE ? "just now" : `${shortAge(ageOf(at, now))} ago`;
}

/** What was so at a moment, with that moment; what is so now stands alone. */
export function asOfText(text: string, asOf: Seconds | undefined, now: Seconds): string {
  return asOf === undefined ? text : `${text}, as of ${relativeTime(asOf, now)}`;
}

/** Seconds until what is said of a moment may read differently. */
export function nextTextChange(at: Seconds, now: Seconds): Seconds {
  const age = now - at;
  // A moment to come reads differently just after a whole minute of it is over.
  if (age < 0) return (-age % MINUTE) + 0.01;
  return age < MINUTE ? MINUTE - age : nextAgeChange(age);
}
