import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { Unmet, waitUntil } from "./wait-until";

/** How long a process may take to end when it is asked to. */
const PATIENCE_MS = 3000;

/**
 * Stops what still runs with a scratch home: servers and commands that an agent started and left. Each by its number,
 * and only those whose environment names that home, which no process of anybody else's has. Linux only.
 *
 * @returns how many there were
 */
export async function stopProcessesOf(home: string): Promise<number> {
  const left = processesOf(home);
  for (const pid of left) end(pid, "SIGTERM");
  try {
    await waitUntil(
      () => (processesOf(home).length === 0 ? true : undefined),
      () => "processes stayed",
      PATIENCE_MS,
    );
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    for (const pid of processesOf(home)) end(pid, "SIGKILL");
  }
  return left.length;
}

/** The processes that were started with a home. */
function processesOf(home: string): number[] {
  return numbersIn("/proc").filter((pid) => environmentOf(pid).includes(`HOME=${home}`));
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function end(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
}
