import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { decodeInstalledNote, decodePluginManifest, encodeInstalledNote } from "../files/installed-note";
import { reasonOf, SessionsError } from "../session/failure";
import { folderRefusal, isForeign } from "./guarded-read";
import { missingFolders, removeEmptyFolders } from "./set-up-files";

/** What a plugin's folder says of how it came there: the files we put there. */
const NOTE = ".agent-sessions.json";

const MANIFEST = ".claude-plugin/plugin.json";

/** No file of the plugin is larger; whatever is, is none of ours, in bytes. */
const LIMIT = 4 * 1024 * 1024;

/** No version of the plugin has more files, or lies deeper. */
const FILES = 1000;
const DEPTH = 8;

/** What tells the files of a plugin from others. Paths are relative, with `/`. */
export interface PluginRules {
  name: string;
  /** Whether a shipped file is installed. */
  isInstalled(path: string): boolean;
  /** Whether a file that we did not write comes and goes with the folder. */
  isByTheWay(path: string): boolean;
}

/** A plugin as it is shipped. */
export interface ShippedPlugin {
  version: string;
  /** What is installed, with its bytes. */
  files: ReadonlyMap<string, Buffer>;
  /** Every file that is shipped, also what is not installed: somebody may have copied the folder by hand. */
  known: ReadonlySet<string>;
}

/** What an installation would do with one file. */
export interface PluginFileChange {
  path: string;
  does: "add" | "replace" | "remove";
}

/** What stands where a plugin is installed. `leftovers` are folders that a killed installation left beside it. */
export type InstalledPlugin =
  | { outcome: "missing"; leftovers: readonly string[] }
  | {
      outcome: "ours";
      leftovers: readonly string[];
      version?: string;
      /** Its files with their SHA-256, but for what comes by the way. */
      files: ReadonlyMap<string, string>;
      /** Files that somebody changed since they were installed. */
      edited: readonly string[];
      /** What makes of it the shipped one. */
      changes: readonly PluginFileChange[];
      /** How many folders above it were made for it. */
      made: number;
    }
  /** With `isOurs` it is our plugin, with something of somebody else's in it. */
  | { outcome: "refused"; reason: string; isOurs?: true };

/**
 * Reads a plugin as it is shipped.
 *
 * @throws SessionsError `unreadable`
 */
export function readShippedPlugin(folder: string, rules: PluginRules): ShippedPlugin {
  const unreadable = (reason: string) =>
    new SessionsError(
      "unreadable",
      `The plugin that comes with Agent Sessions cannot be read: ${reason}.`,
      "Install Agent Sessions again.",
    );
  try {
    const known = shippedPaths(folder, "");
    const files = new Map(known.filter(rules.isInstalled).map((path) => [path, readFileSync(join(folder, path))]));
    const manifest = decodePluginManifest(files.get(MANIFEST)?.toString("utf8") ?? "");
    if (manifest?.name !== rules.name || manifest.version === undefined) throw unreadable(`${MANIFEST} is not in it`);
    return { version: manifest.version, files, known: new Set(known) };
  } catch (error) {
    throw error instanceof SessionsError ? error : unreadable(reasonOf(error));
  }
}

function shippedPaths(folder: string, above: string): string[] {
  return readdirSync(join(folder, above), { withFileTypes: true })
    .flatMap((entry) => {
      const path = above + entry.name;
      return entry.isDirectory() ? shippedPaths(folder, `${path}/`) : [path];
    })
    .sort();
}

/** Looks what stands where a plugin is to be. Writes nothing, never throws, and follows no link below the folder above. */
export function lookAtPlugin(folder: string, shipped: ShippedPlugin, rules: PluginRules): InstalledPlugin {
  try {
    const above = aboveRefusal(folder);
    if (above !== undefined) return { outcome: "refused", reason: above };
    const leftovers = leftoversOf(folder);
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return { outcome: "missing", leftovers };
    const inside = lookInside(folder, shipped, rules);
    return inside.outcome === "refused" ? inside : { ...inside, leftovers };
  } catch (error) {
    return { outcome: "refused", reason: `cannot be read: ${reasonOf(error)}` };
  }
}

/** Why the folders above may not be used: those two that a plugin's folder and its place are. */
function aboveRefusal(folder: string): string | undefined {
  const place = dirname(folder);
  for (const each of [dirname(place), place]) {
    const refusal = folderRefusal(each);
    if (refusal !== undefined) return `lies in a folder that ${refusal} (${each})`;
    const link = lstatSync(each, { throwIfNoEntry: false });
    if (link?.isSymbolicLink() === true && statSync(each, { throwIfNoEntry: false }) === undefined) {
      return `lies under a symbolic link that leads nowhere (${each})`;
    }
  }
  return undefined;
}

type Inside =
  Omit<InstalledPlugin & { outcome: "ours" }, "leftovers"> | Extract<InstalledPlugin, { outcome: "refused" }>;

function lookInside(folder: string, shipped: ShippedPlugin, rules: PluginRules): Inside {
  const refused = (reason: string): Inside => ({ outcome: "refused", reason });
  const walked = walk(folder);
  if (typeof walked === "string") return refused(walked);
  const paths = walked.filter((path) => path !== NOTE && !rules.isByTheWay(path));
  const manifest = walked.includes(MANIFEST) ? decodePluginManifest(bytesOf(folder, MANIFEST).toString("utf8")) : null;
  if (manifest === null) return refused(`is not ours: it has no ${MANIFEST}`);
  if (manifest === undefined) return refused(`is not ours, or damaged: its ${MANIFEST} cannot be understood`);
  if (manifest.name !== rules.name) return refused(`is not ours, but the plugin "${manifest.name}"`);
  const note = walked.includes(NOTE) ? decodeInstalledNote(bytesOf(folder, NOTE).toString("utf8")) : undefined;
  const noted = new Map(Object.entries(note?.files ?? {}));
  const others = paths.filter((path) => !noted.has(path) && !shipped.known.has(path));
  if (others.length > 0) {
    return {
      outcome: "refused",
      reason: `holds what Agent Sessions did not put there: ${listed(others)}`,
      isOurs: true,
    };
  }
  const files = new Map(paths.map((path) => [path, digestOf(bytesOf(folder, path))]));
  return {
    outcome: "ours",
    ...(manifest.version === undefined ? {} : { version: manifest.version }),
    files,
    edited: paths.filter((path) => noted.has(path) && noted.get(path) !== files.get(path)),
    changes: changesBetween(files, shipped),
    made: note?.made ?? 0,
  };
}

function changesBetween(files: ReadonlyMap<string, string>, shipped: ShippedPlugin): PluginFileChange[] {
  const changes: PluginFileChange[] = [];
  for (const [path, bytes] of shipped.files) {
    const digest = files.get(path);
    if (digest === undefined) changes.push({ path, does: "add" });
    else if (digest !== digestOf(bytes)) changes.push({ path, does: "replace" });
  }
  for (const path of files.keys()) if (!shipped.files.has(path)) changes.push({ path, does: "remove" });
  return changes;
}

/** Every file below a folder, and every empty folder with a `/`; or why the folder may not be used. */
function walk(folder: string): string[] | string {
  const root = lstatSync(folder);
  if (root.isSymbolicLink()) return "is a symbolic link";
  if (!root.isDirectory()) return "is not a folder";
  if (isForeign(root)) return "belongs to another user";
  const found: string[] = [];
  const open = [""];
  for (let above = open.pop(); above !== undefined; above = open.pop()) {
    const names = readdirSync(join(folder, above));
    if (names.length === 0) found.push(above);
    for (const name of names) {
      const path = above + name;
      const stats = lstatSync(join(folder, path));
      if (stats.isSymbolicLink()) return `holds a symbolic link: ${path}`;
      if (isForeign(stats)) return `holds what belongs to another user: ${path}`;
      if (stats.isDirectory()) open.push(`${path}/`);
      else if (stats.isFile()) found.push(path);
      else return `holds what is no plain file: ${path}`;
    }
    if (found.length + open.length > FILES) return `holds more than ${FILES} files, so it is not ours`;
    if (above.split("/").length > DEPTH) return "is deeper than any of ours";
  }
  return found.sort();
}

/** A file's bytes. What has become a link or a FIFO since it was looked at is not followed, and nobody waits for it. */
function bytesOf(folder: string, path: string): Buffer {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(join(folder, path), flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > LIMIT) throw new Error(`${path} is larger than any of ours, or no plain file`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Where a plugin is to be, what was seen there when the user was asked, and what ships. */
export interface PluginChange {
  folder: string;
  seen: InstalledPlugin;
  shipped: ShippedPlugin;
  rules: PluginRules;
}

/**
 * Installs a plugin, or brings it up to date: the whole folder is made beside it, 0700 with files of 0600, and takes its
 * place by a rename. Whoever calls holds the set-up's lock.
 *
 * @throws SessionsError `refused` where it is not any more what was seen, or not ours; `unwritable`. It is as it was then
 */
export function installPlugin(change: PluginChange): void {
  const { folder, shipped, rules } = change;
  const now = unchanged(change);
  const made = Math.max(madeFor(now), missingFolders(folder).length);
  const staging = besideOf(folder, "new");
  guarded(`Cannot install ${folder}`, () => {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    discard(now.leftovers);
    try {
      writePlugin(staging, shipped, made);
      const old = now.outcome === "ours" ? setAside(change, now) : undefined;
      try {
        renameSync(staging, folder);
      } catch (error) {
        if (old !== undefined) renameSync(old, folder);
        throw error;
      }
      if (old !== undefined) discard([old]);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      if (now.outcome === "missing") removeEmptyFolders(foldersAbove(folder, made));
      throw error;
    }
  });
  if (lookAtPlugin(folder, shipped, rules).outcome !== "ours") {
    throw new SessionsError("refused", `${folder} was changed meanwhile.`, "Run the set-up again.");
  }
}

/**
 * Removes a plugin with its folder, and what was made for it above that. Whoever calls holds the set-up's lock.
 *
 * @throws SessionsError `refused` where it is not any more what was seen, or not ours; `unwritable`
 */
export function removePlugin(change: PluginChange): void {
  const { folder } = change;
  const now = unchanged(change);
  const above = foldersAbove(folder, madeFor(now));
  guarded(`Cannot remove ${folder}`, () => {
    if (now.outcome === "ours") discard([setAside(change, now)]);
    discard(now.leftovers);
    removeEmptyFolders(above);
  });
}

/** Removes what killed installations left. Whoever calls holds the set-up's lock. */
export function clearLeftovers(change: PluginChange): void {
  const now = unchanged(change);
  const above = now.outcome === "missing" ? foldersAbove(change.folder, madeFor(now)) : [];
  guarded(`Cannot clear what lies beside ${change.folder}`, () => {
    discard(now.leftovers);
    removeEmptyFolders(above);
  });
}

type Usable = Exclude<InstalledPlugin, { outcome: "refused" }>;

/** What stands there now, when it is what was seen. */
function unchanged({ folder, seen, shipped, rules }: PluginChange): Usable {
  const now = lookAtPlugin(folder, shipped, rules);
  if (now.outcome === "refused") throw refusalOf(folder, now.reason);
  if (essenceOf(now) !== essenceOf(seen)) {
    throw new SessionsError("refused", `${folder} was changed meanwhile, and left as it is.`, "Run the set-up again.");
  }
  return now;
}

/** Why a folder is left alone, as an error. */
export function refusalOf(folder: string, reason: string): SessionsError {
  return new SessionsError("refused", `${folder} ${reason}.`, "It was left as it is. Move it away, then try again.");
}

/** All that counts of what stands there, to compare two looks. */
export function essenceOf(plugin: InstalledPlugin): string {
  return JSON.stringify(plugin.outcome === "ours" ? [plugin.outcome, ...plugin.files] : plugin.outcome);
}

/** Takes the folder out of its place. What was put into it in the last moment brings it back. */
function setAside({ folder, shipped, rules }: PluginChange, now: Usable): string {
  const old = besideOf(folder, "old");
  renameSync(folder, old);
  const inside = lookInside(old, shipped, rules);
  if (inside.outcome === "ours" && essenceOf({ leftovers: [], ...inside }) === essenceOf(now)) return old;
  renameSync(old, folder);
  throw new SessionsError("refused", `${folder} was changed meanwhile, and left as it is.`, "Run the set-up again.");
}

function writePlugin(staging: string, shipped: ShippedPlugin, made: number): void {
  const digests = Object.fromEntries(Array.from(shipped.files, ([path, bytes]) => [path, digestOf(bytes)]));
  const options = { mode: 0o600, flag: "wx", flush: true };
  mkdirSync(staging, { mode: 0o700 });
  // First: what is left of a killed installation tells which folders were made for it.
  writeFileSync(join(staging, NOTE), encodeInstalledNote({ files: digests, made }), options);
  for (const [path, bytes] of shipped.files) {
    mkdirSync(dirname(join(staging, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(staging, path), bytes, options);
  }
}

/** A name beside a plugin's folder. It begins with a dot, so that nobody loads what lies there. */
function besideOf(folder: string, kind: "new" | "old"): string {
  return join(dirname(folder), `.${basename(folder)}.${kind}-${randomUUID()}`);
}

function leftoversOf(folder: string): string[] {
  const place = dirname(folder);
  if (statSync(place, { throwIfNoEntry: false }) === undefined) return [];
  const prefix = `.${basename(folder)}.`;
  return readdirSync(place)
    .filter(
      (name) =>
        name.startsWith(prefix) &&
        /^(?:new|old)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name.slice(prefix.length)),
    )
    .map((name) => join(place, name))
    .filter((path) => {
      const stats = lstatSync(path);
      return stats.isDirectory() && !isForeign(stats);
    });
}

/** How many folders above a plugin were made for it, also by an installation that was killed. */
function madeFor(plugin: Usable): number {
  const counts = plugin.leftovers.map((leftover) => {
    try {
      return decodeInstalledNote(bytesOf(leftover, NOTE).toString("utf8"))?.made ?? 0;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...(plugin.outcome === "ours" ? [plugin.made] : []), ...counts);
}

/** So many of the folders above a path, the outermost first. */
function foldersAbove(path: string, count: number): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folders.length < count; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

function discard(folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function guarded(what: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof SessionsError) throw error;
    throw new SessionsError(
      "unwritable",
      `${what}: ${reasonOf(error)}.`,
      "Check the permissions of the folder above it and the free space.",
      { cause: error },
    );
  }
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(", ");
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
