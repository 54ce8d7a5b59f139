import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCodeOf } from "../session/failure";
import { seesWholeMachine, statOf } from "./process-clock";

/** Who holds the locks in a folder. */
export interface LockHolders {
  /** By the lock's file name. */
  pids: ReadonlyMap<string, number>;
  /** Whether every holder there may be can be seen: then a lock that is not among them is held by nobody. */
  areAll: boolean;
}

const NOTHING_KNOWN: LockHolders = { pids: new Map(), areAll: false };

/** `5: FLOCK  ADVISORY  WRITE 30288 fe:00:2433751 0 EOF`; one that waits has an arrow before its kind (proc_locks(5)). */
const HELD = /^\d+: FLOCK\s+\S+\s+WRITE\s+(\d+) /;

/**
 * The processes that hold files of a folder by `flock`, as Linux tells; elsewhere nothing is known without taking the
 * locks, which could make their owner fail. Files are told by the name of their folder and their own, since a container
 * may have the folder elsewhere; their numbers are of no use, as some file systems show two of each.
 *
 * @param folder the folder of the locks
 * @param owner what the holders' programs are called: one of them that hides its files makes the answer incomplete
 */
export function lockHolders(folder: string, owner: string): LockHolders {
  if (process.platform !== "linux") return NOTHING_KNOWN;
  let table: string;
  try {
    table = readFileSync("/proc/locks", "latin1");
  } catch {
    return NOTHING_KNOWN;
  }
  const pids = new Map<string, number>();
  let areAll = seesWholeMachine();
  for (const pid of new Set(holdersIn(table))) {
    const files = openFilesOf(pid);
    if (files === "hidden") areAll &&= statOf(pid)?.name !== owner;
    else
      for (const name of files.filter((file) => isIn(folder, file)).map((file) => basename(file))) pids.set(name, pid);
  }
  return { pids, areAll };
}

/** The numbers of the processes that hold a whole file for themselves, in the text of `/proc/locks`. */
export function holdersIn(table: string): number[] {
  return table.split("\n").flatMap((line) => {
    const pid = HELD.exec(line)?.[1];
    return pid === undefined ? [] : [Number(pid)];
  });
}

function isIn(folder: string, file: string): boolean {
  return basename(dirname(file)) === basename(folder);
}

/** The paths of a process's open files. One that has ended has none. */
function openFilesOf(pid: number): string[] | "hidden" {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(join(folder, name))];
      } catch {
        return [];
      }
    });
  } catch (error) {
    return systemCodeOf(error) === "ENOENT" ? [] : "hidden";
  }
}
