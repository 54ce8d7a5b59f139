import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import { folderRefusal, isForeign, presenceOf } from "./guarded-read";
import { isRunning } from "./process-clock";

/**
 * Replaces a file whole: readers see the old text or the new one, never a part. The file is 0600; a missing folder is
 * made with 0700.
 *
 * @throws SessionsError `refused` when file or folder belong to another user, or a link stands in a place that others
 *   can write to; `unwritable` with the reason otherwise
 */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  refuseForeign(path);
  sweepDrafts(dirname(path));
  try {
    putInPlace(path, text, { mode: 0o600 });
  } catch (error) {
    throw new SessionsError(
      "unwritable",
      `Cannot write ${path}: ${reasonOf(error)}.`,
      "Check the folder's permissions and the free space.",
      { cause: error },
    );
  }
}

/**
 * Makes a folder of ours, 0700, with its parents.
 *
 * @throws SessionsError `refused` or `unwritable`
 */
export function makeFolder(path: string): void {
  const refusal = folderRefusal(path);
  if (refusal !== undefined) {
    throw new SessionsError("refused", `${path} ${refusal}.`, "Remove it, or name another place.");
  }
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new SessionsError(
      "unwritable",
      `Cannot create the folder ${path}: ${reasonOf(error)}.`,
      "Check the permissions of the folder above it.",
      { cause: error },
    );
  }
}

function refuseForeign(path: string): void {
  const presence = presenceOf(path);
  if (presence.outcome === "missing") return;
  if (presence.outcome !== "there") {
    throw new SessionsError(presence.outcome, `${path} ${presence.reason}.`, "Check the permissions of its folder.");
  }
  const { stats } = presence;
  if (stats.isSymbolicLink())
    throw new SessionsError("refused", `${path} is a symbolic link.`, "Remove the link first.");
  if (isForeign(stats)) {
    throw new SessionsError("refused", `${path} belongs to another user.`, "Remove it, or name another place.");
  }
}

/** What a file is to be besides its text. */
export interface Placing {
  mode: number;
  /** Whom it is given, where that is allowed; absent: this user. */
  owner?: { uid: number; gid: number };
  /** Wait until it is on the disk. */
  flush?: boolean;
}

/**
 * Gives a path a new text in one step: a draft beside it that takes its place by a rename, once every byte is there.
 *
 * @throws what the system says; the path is as it was then, and no draft is left
 */
export function putInPlace(path: string, text: string, { mode, owner, flush = false }: Placing): void {
  const draft = `${path}${DRAFT}${process.pid}-${randomUUID().slice(0, 8)}`;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(draft, "wx", mode);
    // Not `writeSync`: on a disk that fills up it writes a part, and calls that well.
    writeFileSync(descriptor, text);
    if (owner !== undefined) giveTo(descriptor, owner);
    // Last: a change of the owner takes rights away.
    fchmodSync(descriptor, mode);
    if (flush) fsyncSync(descriptor);
    closeSync(descriptor);
    descriptor = undefined;
    renameSync(draft, path);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Who may not give a file away keeps it. */
function giveTo(descriptor: number, { uid, gid }: { uid: number; gid: number }): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== "EPERM" && code !== "EINVAL" && code !== "ENOSYS") throw error;
  }
}

/** What a draft's name has between its file's name and its maker's number. */
const DRAFT = ".agent-sessions-";

const MAKER = /\.agent-sessions-(\d+)-[0-9a-f]{8}$/;

/** A draft this old is nobody's, unless its maker runs: writing one takes milliseconds. */
const LEFTOVER_MS = 60_000;

/** One this old is nobody's, whoever has its maker's number by now. */
const ABANDONED_MS = 60 * 60_000;

const swept = new Set<string>();

/**
 * Removes the drafts that killed writers left in a folder, of whatever file, once a process.
 *
 * @param ageMs only those that are so old: in a home that two containers share, not every maker can be seen
 */
export function sweepDrafts(folder: string, ageMs = LEFTOVER_MS): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  for (const name of readdirSync(folder)) {
    const maker = MAKER.exec(name)?.[1];
    if (maker === undefined) continue;
    const leftover = join(folder, name);
    const stats = lstatSync(leftover, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const age = Date.now() - stats.mtimeMs;
    const isNobodys = age >= ABANDONED_MS || (age >= ageMs && !isRunning(Number(maker)));
    if (isNobodys) rmSync(leftover, { force: true });
  }
}
