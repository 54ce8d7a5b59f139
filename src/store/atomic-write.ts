import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { reasonOf, SessionsError } from "../session/failure";
import { folderRefusal, isForeign } from "./guarded-read";

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
  sweep(path);
  try {
    writeFileAtomic.sync(path, text, { mode: 0o600, fsync: false });
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
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink())
    throw new SessionsError("refused", `${path} is a symbolic link.`, "Remove the link first.");
  if (isForeign(stats)) {
    throw new SessionsError("refused", `${path} belongs to another user.`, "Remove it, or name another place.");
  }
}

/** A temporary file this old belongs to nobody: writing one takes milliseconds. */
const LEFTOVER_MS = 60_000;

const swept = new Set<string>();

/** Removes the temporary files that killed writers left beside a file, once a process. */
function sweep(path: string): void {
  if (swept.has(path)) return;
  swept.add(path);
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) continue;
    const leftover = join(dirname(path), name);
    const stats = lstatSync(leftover, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > LEFTOVER_MS) rmSync(leftover, { force: true });
  }
}
