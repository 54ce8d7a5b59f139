import { readFileSync } from "node:fs";
import type { AgentProcess } from "../session/report";
import { isRunning, startTicksOf } from "./process-clock";

/** What the machine tells about an agent's process. Not knowing is its own answer. */
export type Liveness = "running" | "gone" | "unknown";

/** Asked for the process behind a session. */
export interface ProcessTable {
  look(process: AgentProcess): Liveness;
}

/** A process may be noted this long before the clock of its start says it was there, in seconds. */
const SLACK = 2;

/** Linux counts process starts in hundredths of a second (USER_HZ), on every architecture Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * This machine's processes. A number that runs is the session's only if the process started before it was first known
 * to be the agent: numbers are used again.
 */
export class MachineProcesses implements ProcessTable {
  private boot?: number | null;

  look({ pid, knownAt }: AgentProcess): Liveness {
    if (!isRunning(pid)) return "gone";
    const ticks = startTicksOf(pid);
    if (ticks === undefined) return "unknown";
    const boot = this.bootTime();
    if (boot === null) return "unknown";
    return boot + Number(ticks) / TICKS_PER_SECOND <= knownAt + SLACK ? "running" : "gone";
  }

  /** When the machine started, in seconds since 1970. */
  private bootTime(): number | null {
    if (this.boot === undefined) {
      try {
        const line = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "latin1"));
        this.boot = line === null ? null : Number(line[1]);
      } catch {
        this.boot = null;
      }
    }
    return this.boot;
  }
}
