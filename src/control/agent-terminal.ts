import { readFileSync, statSync } from "node:fs";
import type { RunProgram } from "./run-program";

/** The terminal a process belongs to. */
export interface AgentTerminal {
  /** Whether it is the terminal with this path. */
  isAt(path: string): boolean;
  /** The path, where the system tells it. */
  path?: string;
  /**
   * Whether what is typed there reaches the process: its group is in the foreground, and it is not stopped. After
   * Ctrl-Z it is the shell that would read it.
   */
  isInFront: boolean;
}

/** Asks this machine for the terminal of a process; undefined when it has none, or the system does not say. */
export async function terminalOfProcess(pid: number, run: RunProgram): Promise<AgentTerminal | undefined> {
  if (process.platform === "win32") return undefined;
  if (process.platform === "linux") {
    const stat = statText(pid);
    return stat === undefined ? undefined : terminalOfStat(stat, deviceOf);
  }
  const parameters = ["-o", "pgid=,tpgid=,stat=,tty=", "-p", String(pid)];
  const listed = await run({ program: "/bin/ps", parameters, environment: { LC_ALL: "C" } });
  return listed.outcome === "ended" && listed.code === 0 ? terminalOfPs(listed.stdout) : undefined;
}

/**
 * Reads the terminal of a process from its `/proc/PID/stat` (proc(5): after the name come state, parent, group, session,
 * terminal, and the group in that terminal's foreground).
 */
export function terminalOfStat(
  stat: string,
  deviceOf: (path: string) => number | undefined,
): AgentTerminal | undefined {
  const [state = "", , group, , device, foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const number = Number(device);
  if (group === undefined || !Number.isSafeInteger(number) || number === 0) return undefined;
  return {
    isAt: (path) => deviceOf(path) === number,
    isInFront: group === foreground && !/[TtZX]/.test(state),
  };
}

/** Reads what `ps -o pgid=,tpgid=,stat=,tty=` tells of one process (ps(1) of macOS and the BSDs). */
export function terminalOfPs(output: string): AgentTerminal | undefined {
  const [, group, foreground, state = "", tty = ""] = /^\s*(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s*$/.exec(output) ?? [];
  if (group === undefined || /^[?-]+$/.test(tty)) return undefined;
  const path = tty.startsWith("/dev/") ? tty : `/dev/${tty}`;
  return { path, isAt: (other) => other === path, isInFront: group === foreground && !/[TZ]/.test(state) };
}

function statText(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
}

function deviceOf(path: string): number | undefined {
  try {
    const stats = statSync(path);
    return stats.isCharacterDevice() ? stats.rdev : undefined;
  } catch {
    return undefined;
  }
}
