import { setTimeout as pause } from "node:timers/promises";

/** How long anything may take. Agents start slowly on a busy machine. */
export const DEADLINE_MS = 60_000;

const INTERVAL_MS = 100;

/** What a scenario expected and did not get. */
export class Unmet extends Error {}

let interrupted = false;

/** From now on nothing is waited for: whatever waits cleans up. */
export function interrupt(): void {
  interrupted = true;
}

export function isInterrupted(): boolean {
  return interrupted;
}

/**
 * Looks until there is something.
 *
 * @param what it waits for, for people, with how it looked instead
 * @throws Unmet when there is nothing at the deadline
 */
export async function waitUntil<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: () => string,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (interrupted) throw new Unmet("interrupted");
    if (Date.now() > deadline) throw new Unmet(what());
    await pause(INTERVAL_MS);
  }
}
