import { closeSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import type { Seconds } from "../session/report";

/** Linux counts process starts in hundredths of a second (USER_HZ), on every architecture Node runs on. */
const TICKS_PER_SECOND = 100;

/** What Linux tells of a process in `/proc/<pid>/stat` (proc(5)). */
export interface ProcessStat {
  pid: number;
  /** The command's name, cut to 15 bytes by the system. */
  name: string;
  /** `R`, `S`, … `Z` for one that has ended and waits for its parent to take note. */
  state: string;
  parent: number;
  /** When it started, in clock ticks since the machine's start, as text (field 22). */
  startTicks: string;
}

/**
 * Whether a process with this number runs now. One that we may not signal runs as well; one that has ended and waits
 * for its parent to take note (a zombie, which can stay for good in a container) does not.
 */
export function isRunning(pid: number): boolean {
  if (!isThere(pid)) return false;
  const stat = statOf(pid);
  return stat === undefined || !hasEnded(stat);
}

/** Whether there is a process with this number, a zombie too. It costs a microsecond. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
  }
}

/** Whether a process has ended and only its entry is left. */
export function hasEnded({ state }: Pick<ProcessStat, "state">): boolean {
  return state === "Z" || state === "X";
}

/**
 * When a process started, in clock ticks since the machine's start, as text: with the pid it names one process, since
 * numbers are used again. Undefined where the system does not say without starting another process.
 */
export function startTicksOf(pid: number): string | undefined {
  return statOf(pid)?.startTicks;
}

/** When a process that started at these ticks did so, in seconds since 1970; undefined where the system hides it. */
export function timeOfTicks(ticks: string): Seconds | undefined {
  const boot = bootTime();
  return boot === undefined ? undefined : boot + Number(ticks) / TICKS_PER_SECOND;
}

/** Such a line is some 350 bytes; the name in it has at most 64. */
const STAT_BYTES = 1024;

const buffer = Buffer.allocUnsafe(STAT_BYTES);

/** What Linux tells of a process; undefined elsewhere, or when there is none or it is hidden. */
export function statOf(pid: number): ProcessStat | undefined {
  if (process.platform !== "linux") return undefined;
  let descriptor: number | undefined;
  try {
    // Half the cost of reading a whole file, and a look at the list does it for every session.
    descriptor = openSync(`/proc/${pid}/stat`, "r");
    return parseStat(pid, buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, STAT_BYTES, 0)));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads the line of `/proc/<pid>/stat`. The name stands in parentheses and may hold anything, parentheses too. */
export function parseStat(pid: number, line: string): ProcessStat | undefined {
  const end = line.lastIndexOf(")");
  const fields = line.slice(end + 2).split(" ");
  const [state, parent] = fields;
  const startTicks = fields[19];
  if (end < 0 || state === undefined || parent === undefined || startTicks === undefined) return undefined;
  return { pid, name: line.slice(line.indexOf("(") + 1, end), state, parent: Number(parent), startTicks };
}

/** The words of a process's command line on Linux; undefined elsewhere, or when it has none or hides them. */
export function argumentsOf(pid: number): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0+$/, "");
    return line === "" ? undefined : line.split("\0");
  } catch {
    return undefined;
  }
}

let boot: Seconds | null | undefined;

/** When the machine started, in seconds since 1970, as Linux tells. */
function bootTime(): Seconds | undefined {
  if (boot === undefined) {
    const line = /^btime (\d+)$/m.exec(readText("/proc/stat"));
    boot = line === null ? null : Number(line[1]);
  }
  return boot ?? undefined;
}

let domain: string | undefined;

/**
 * Where this system's process numbers mean what they say, in Claude Code's spelling (seen in its registry, version
 * 2.1.332): `linux:<machine id>:<pid namespace>`. A number noted in another container or machine names another process
 * here. Undefined where the system has no such namespaces.
 */
export function processDomain(): string | undefined {
  if (process.platform !== "linux") return undefined;
  domain ??= `linux:${readText("/etc/machine-id").trim()}:${namespace()}`;
  return domain;
}

/** The namespace of the machine itself has this number in every kernel (PROC_PID_INIT_INO). */
const MACHINE_NAMESPACE = "pid:[4026531836]";

/** Whether this process sees all of the machine's processes, not just those of its container. Linux only. */
export function seesWholeMachine(): boolean {
  return process.platform === "linux" && namespace() === MACHINE_NAMESPACE;
}

function namespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function readText(path: string): string {
  try {
    // As UTF-8, of which Node reads a small file in one go; what a name has beyond it is none of what is read here.
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
