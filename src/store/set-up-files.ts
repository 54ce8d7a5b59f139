import { lstatSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import { putInPlace, sweepDrafts, type Placing } from "./atomic-write";
import { folderRefusal, isForeign, isOpenToOthers, readGuarded } from "./guarded-read";

/** No agent's settings are larger; whatever is, is none. */
const LIMIT = 16 * 1024 * 1024;

/** A settings file of somebody else's program, which is the user's own. */
export interface SettingsFile {
  /** Where the agent looks for it. */
  path: string;
  /** Where it is: people keep such files in a repository, with a link to it. */
  real: string;
  /** Undefined when there is none. */
  text: string | undefined;
}

/**
 * Reads a settings file, through a symbolic link when both link and file are the user's own.
 *
 * @throws SessionsError `refused` for another user's file, link or folder, for what is no plain file and for what is no
 *   UTF-8 text; `unreadable`
 */
export function readSettingsFile(path: string): SettingsFile {
  const refused = (reason: string) => new SessionsError("refused", `${path} ${reason}.`, "It was left as it is.");
  const refusal = folderRefusal(dirname(path));
  if (refusal !== undefined) throw refused(`lies in a folder that ${refusal}`);
  const real = realOf(path, refused);
  if (real !== path) {
    const there = folderRefusal(dirname(real));
    if (there !== undefined) throw refused(`leads to a folder that ${there}`);
  }
  const read = readGuarded(real, { limit: LIMIT, links: "refuse" });
  switch (read.outcome) {
    case "missing":
      return { path, real, text: undefined };
    case "refused":
      throw refused(read.reason);
    case "unreadable":
      throw new SessionsError("unreadable", `Cannot read ${path}: ${read.reason}.`, "Try again.");
    case "text":
      if (read.text.includes("\uFFFD") && !readFileSync(real).equals(Buffer.from(read.text))) {
        throw refused("is no UTF-8 text");
      }
      return { path, real, text: read.text };
    default:
      return read satisfies never;
  }
}

function realOf(path: string, refused: (reason: string) => SessionsError): string {
  try {
    const link = lstatSync(path, { throwIfNoEntry: false });
    if (link?.isSymbolicLink() !== true) return path;
    if (isForeign(link)) throw refused("is a symbolic link of another user");
    if (isOpenToOthers(dirname(path))) throw refused("is a symbolic link in a folder that others can write to");
    return realpathSync(path);
  } catch (error) {
    switch (systemCodeOf(error)) {
      case "ENOENT":
        throw refused("is a symbolic link that leads nowhere");
      case "ELOOP":
        throw refused("is a symbolic link that leads in a circle");
      case "ENOTDIR":
        throw refused("lies under a file");
      case "EACCES":
      case "EPERM":
        throw refused("may not be read; check the permissions of its folder");
      default:
        throw error;
    }
  }
}

/**
 * The text of a settings file that is only looked at, an administrator's among them, which belong to another user.
 * Undefined when there is none or it may not be read.
 */
export function glanceAt(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= LIMIT ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** What a settings file is to become. */
export interface SettingsWrite {
  /** The file as it was when the user was asked. */
  file: SettingsFile;
  /** The new text; undefined: no file. */
  text: string | undefined;
  /** For the backup's name. */
  now: Date;
}

/** What was done besides. */
export interface SettingsWritten {
  /** The file as it was, beside it. */
  backup?: string;
}

/**
 * Writes a settings file in one step, with the mode and owner it has; a new one is 0600. What it was is kept beside it.
 * Whoever calls holds the set-up's lock.
 *
 * @throws SessionsError `refused` when the file is not any more what it was; `unwritable`. The file is as it was then
 */
export function writeSettingsFile({ file, text, now }: SettingsWrite): SettingsWritten {
  const { path, real, text: before } = file;
  const current = readSettingsFile(path);
  if (current.text !== before || current.real !== real) {
    throw new SessionsError("refused", `${path} was changed meanwhile, and left as it is.`, "Run the set-up again.");
  }
  try {
    if (text === undefined) {
      rmSync(real, { force: true });
      return {};
    }
    mkdirSync(dirname(real), { recursive: true, mode: 0o700 });
    // Nobody else has a draft there while the set-up's lock is held.
    for (const folder of new Set([dirname(path), dirname(real)])) sweepDrafts(folder, 0);
    const backup = before === undefined ? undefined : keep(path, before, now);
    putInPlace(real, text, { ...(before === undefined ? { mode: 0o600 } : rightsOf(real)), flush: true });
    return backup === undefined ? {} : { backup };
  } catch (error) {
    throw new SessionsError(
      "unwritable",
      `Cannot write ${path}: ${reasonOf(error)}.`,
      "It is as it was. Check the permissions of its folder and the free space.",
      { cause: error },
    );
  }
}

/** The folders above a file that are not there, the outermost first. */
export function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (
    let folder = dirname(path);
    statSync(folder, { throwIfNoEntry: false }) === undefined;
    folder = dirname(folder)
  ) {
    missing.unshift(folder);
    if (dirname(folder) === folder) break;
  }
  return missing;
}

/** Removes folders that a set-up made, the innermost first, as far as nobody has put anything into them. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** The rights of a file, for the one that takes its place. */
function rightsOf(path: string): Placing {
  const { mode, uid, gid } = statSync(path);
  return { mode: mode & 0o7777, owner: { uid, gid } };
}

/** Leaves a copy of a text beside its file, whole or not at all. A name that is taken is not replaced. */
function keep(path: string, text: string, now: Date): string {
  const stem = `${path}.bak-${stampOf(now)}`;
  for (let n = 0; ; n += 1) {
    const backup = n === 0 ? stem : `${stem}-${n}`;
    if (lstatSync(backup, { throwIfNoEntry: false }) !== undefined) continue;
    putInPlace(backup, text, { mode: 0o600 });
    return backup;
  }
}

/** A moment as `YYYYmmddHHMMSS`, in local time. */
function stampOf(now: Date): string {
  const parts = [
    now.getFullYear(),
    now.getMonth() + 1,
    now.getDate(),
    now.getHours(),
    now.getMinutes(),
    now.getSeconds(),
  ];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("");
}
