import { lstatSync, readFileSync, type Stats } from "node:fs";

/** One version of a file or folder: modification and change time (ms), size, and file number. */
export type Version = readonly [mtimeMs: number, ctimeMs: number, size: number, ino: number];

/** Everything outside that a run depended on, by which a later run can tell that nothing has changed. */
export interface Premises {
  /** What stood at each path that was looked at; null: nothing. */
  files: [path: string, version: Version | null][];
  /** When each process had started, in Linux's clock ticks; null: it had ended, or the number was nobody's. */
  processes: [pid: number, start: string | null][];
  /** Elsewhere than on Linux: whether there was a process with each number. */
  numbers: [pid: number, isThere: boolean][];
  /** The file locks of the machine, where they were asked for. */
  locks: string | null;
  environment: [name: string, value: string | null][];
  /** The user who ran it, as Unix numbers users; null where there are no such numbers. */
  user: number | null;
}

/** The version of a file by its stat. */
export function versionOf({ mtimeMs, ctimeMs, size, ino }: Stats): Version {
  return [mtimeMs, ctimeMs, size, ino];
}

/** Whether all of it is as it was. What cannot be looked at has changed. Never throws. */
export function stillHold(premises: Premises, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { files, processes, numbers, locks, user } = premises;
  try {
    return (
      user === userNow() &&
      premises.environment.every(([name, value]) => (environment[name] ?? null) === value) &&
      files.every(([path, version]) => isVersion(path, version)) &&
      processes.every(([pid, start]) => startOf(pid) === start) &&
      numbers.every(([pid, wasThere]) => isThere(pid) === wasThere) &&
      (locks === null || locks === locksNow())
    );
  } catch {
    return false;
  }
}

const NO_THROW = { throwIfNoEntry: false } as const;

function isVersion(path: string, version: Version | null): boolean {
  const stats = lstatSync(path, NO_THROW);
  if (stats === undefined || version === null) return stats === undefined && version === null;
  return (
    stats.mtimeMs === version[0] &&
    stats.ctimeMs === version[1] &&
    stats.size === version[2] &&
    stats.ino === version[3]
  );
}

/** The user who runs this. */
export function userNow(): number | null {
  return process.geteuid?.() ?? null;
}

/** When a process started, in Linux's clock ticks (proc(5), field 22); null when it has ended or nobody has the number. */
export function startOf(pid: number): string | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The name before stands in parentheses, and may hold anything.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
}

/** Whether there is a process with this number. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
  }
}

/** The whole-file locks that Linux lists (proc_locks(5)), without their place in the list. */
export function locksNow(): string {
  const lines = readFileSync("/proc/locks", "latin1").split("\n");
  return lines.flatMap((line) => (line.includes(" FLOCK ") ? [line.slice(line.indexOf(":") + 1)] : [])).join("\n");
}
