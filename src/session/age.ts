import type { Seconds } from "./report";

/** Whole seconds from a moment to now, never below zero: a record from the future is as old as now. */
export function ageOf(since: Seconds, now: Seconds): Seconds {
  return Math.max(0, Math.floor(now - since));
}

/** An age in the largest whole unit, short enough for a column: `12s`, `5m`, `3h`, `2d`, `7w`. */
export function shortAge(age: Seconds): string {
  if (age < 60) return `${Math.floor(age)}s`;
  if (age < 3600) return `${Math.floor(age / 60)}m`;
  if (age < 86_400) return `${Math.floor(age / 3600)}h`;
  if (age < 14 * 86_400) return `${Math.floor(age / 86_400)}d`;
  return `${Math.floor(age / (7 * 86_400))}w`;
}

/** How long until `shortAge` of this age reads differently, in seconds. */
export function nextAgeChange(age: Seconds): Seconds {
  const unit = age < 60 ? 1 : age < 3600 ? 60 : age < 86_400 ? 3600 : age < 14 * 86_400 ? 86_400 : 7 * 86_400;
  return unit - (age % unit);
}
