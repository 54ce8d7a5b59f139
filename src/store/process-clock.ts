import { readFileSync } from "node:fs";

/**
 * Whether a process with this number runs now. One that we may not signal runs as well; one that has ended and waits
 * for its parent to take note (a zombie, which can stay for good in a container) does not.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const state = statOf(pid)?.[0];
    return state !== "Z" && state !== "X";
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
  }
}

/**
 * When a process started, in clock ticks since the machine's start, as text: with the pid it names one process, since
 * numbers are used again. Undefined where the system does not say without starting another process.
 */
export function startTicksOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** What Linux tells of a process, from its state on; undefined elsewhere. */
function statOf(pid: number): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name in parentheses and may hold anything, parentheses too.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
