import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { reasonOf, systemCodeOf } from "../session/failure";

/** What tells one version of a file from another: modification and change time (ms), size, and file number. */
export type Stamp = readonly [mtimeMs: number, ctimeMs: number, size: number, ino: number];

/**
 * A file's text with its stamp, or why there is none. `unreadable` may pass; `refused` stays until the file changes.
 * It was the system that refused when a `code` is given (`EACCES`), else it was the guard.
 */
export type GuardedText =
  | { outcome: "text"; text: string; stamp: Stamp }
  | { outcome: "missing" }
  | { outcome: "refused"; reason: string; code?: string }
  | { outcome: "unreadable"; reason: string };

/** How a read is guarded. */
export interface Guard {
  /** Larger files are refused unread, in bytes. */
  limit: number;
  /** `refuse`: plain files only. `private`: a link counts where only the user could have put it. */
  links: "refuse" | "private";
}

/** The stamp of a file from its stat. */
export function stampOf(stats: Stats): Stamp {
  return [stats.mtimeMs, stats.ctimeMs, stats.size, stats.ino];
}

/** Whether a file's stat is that of the version with this stamp. */
export function hasStamp(stats: Stats, [mtimeMs, ctimeMs, size, ino]: Stamp): boolean {
  return stats.mtimeMs === mtimeMs && stats.ctimeMs === ctimeMs && stats.size === size && stats.ino === ino;
}

/** What stands at a path, without following a link: its stat, nothing, or why that cannot be told. */
export type Presence =
  { outcome: "there"; stats: Stats } | { outcome: "missing" } | { outcome: "refused" | "unreadable"; reason: string };

const NO_THROW = { throwIfNoEntry: false } as const;

/** Looks what stands at a path. Never throws. */
export function presenceOf(path: string): Presence {
  try {
    const stats = lstatSync(path, NO_THROW);
    return stats === undefined ? { outcome: "missing" } : { outcome: "there", stats };
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Reads a file defensively: a folder, FIFO, device or socket, a file of another user, a link where others can place
 * one, and a file over the limit are refused with the reason, and none of them can make the reader hang.
 */
export function readGuarded(path: string, guard: Guard): GuardedText {
  let descriptor: number | undefined;
  try {
    const link = lstatSync(path, { throwIfNoEntry: false });
    if (link === undefined) return { outcome: "missing" };
    const refusal = fileRefusal(path, link, guard);
    if (refusal !== undefined) return { outcome: "refused", reason: refusal };
    const follow = link.isSymbolicLink() ? 0 : (constants.O_NOFOLLOW ?? 0);
    // Not blocking: what was a file a moment ago may be a FIFO now.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | follow);
    const stats = fstatSync(descriptor);
    const late = fileRefusal(path, stats, guard);
    if (late !== undefined) return { outcome: "refused", reason: late };
    const text = readWhole(descriptor, guard.limit);
    if (text === undefined) return { outcome: "refused", reason: `is larger than ${sizeText(guard.limit)}` };
    return { outcome: "text", text, stamp: stampOf(stats) };
  } catch (error) {
    return failureOf(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function failureOf(error: unknown): Exclude<GuardedText, { outcome: "text" }> {
  const code = systemCodeOf(error);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return { outcome: "missing" };
    case "ELOOP":
    case "EMLINK":
      return { outcome: "refused", reason: "is a symbolic link" };
    case "EACCES":
    case "EPERM":
      return { outcome: "refused", reason: "may not be read; check its permissions", code };
    default:
      return { outcome: "unreadable", reason: reasonOf(error) };
  }
}

/** Why what stands at a path is no file to be read; undefined when it is one. */
export function fileRefusal(path: string, stats: Stats, { limit, links }: Guard): string | undefined {
  if (stats.isSymbolicLink()) {
    if (links === "refuse") return "is a symbolic link, not a plain file";
    return linkRefusal(path, stats);
  }
  if (stats.isDirectory()) return "is a folder, not a file";
  if (!stats.isFile()) return "is not a plain file";
  if (isForeign(stats)) return "belongs to another user";
  if (stats.size > limit) return `is larger than ${sizeText(limit)}`;
  return undefined;
}

/** Why a folder may not be used; undefined when it may. A missing folder is no reason. */
export function folderRefusal(path: string): string | undefined {
  try {
    const link = lstatSync(path, { throwIfNoEntry: false });
    if (link === undefined) return undefined;
    const refusal = link.isSymbolicLink() ? linkRefusal(path, link) : undefined;
    if (refusal !== undefined) return refusal;
    const stats = link.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : link;
    if (stats === undefined) return undefined;
    if (!stats.isDirectory()) return "is not a folder";
    // The system's own folder for everybody (/tmp): nobody can replace what belongs to another there.
    const isShared = stats.uid === 0 && (stats.mode & 0o1000) !== 0;
    if (isForeign(stats) && !isShared) return "belongs to another user";
    return undefined;
  } catch (error) {
    if (systemCodeOf(error) === "ENOTDIR") return "lies under a file";
    const failure = failureOf(error);
    return failure.outcome === "missing" ? undefined : failure.reason;
  }
}

/**
 * Why a folder in our home may not be used: the first on the way to it, the home and itself included, that may not.
 *
 * @param names the folders' names from the home on
 */
export function refusalOnTheWay(home: string, ...names: string[]): { folder: string; reason: string } | undefined {
  let folder = home;
  for (const name of ["", ...names]) {
    folder = join(folder, name);
    const reason = folderRefusal(folder);
    if (reason !== undefined) return { folder, reason };
  }
  return undefined;
}

/** Why a link does not count: only the user, or the system, can have put one that does. */
function linkRefusal(path: string, link: Stats): string | undefined {
  if (isOpenToOthers(dirname(path))) return "is a symbolic link in a folder that others can write to";
  // The system has links of its own: /tmp is one on macOS.
  return isForeign(link) && link.uid !== 0 ? "is a symbolic link of another user" : undefined;
}

/** Whether a file or folder belongs to somebody else; not known where the system has no user ids (Windows). */
export function isForeign(stats: Pick<Stats, "uid">): boolean {
  const user = process.geteuid?.();
  return user !== undefined && stats.uid !== user;
}

/** Whether everybody may put something into a folder. */
export function isOpenToOthers(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return process.geteuid !== undefined && stats !== undefined && (stats.mode & 0o002) !== 0;
}

function readWhole(descriptor: number, limit: number): string | undefined {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    // A file can grow under the reader: the limit holds for what is read, not for what stat said.
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const read = readSync(descriptor, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks).toString("utf8");
    total += read;
    if (total > limit) return undefined;
    chunks.push(chunk.subarray(0, read));
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
