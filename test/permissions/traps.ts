import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { scratchFolder } from "../scratch";
import { isRoot, OTHER, THEN, USER, type World } from "./world";

/** What a place is: a file, or a folder. */
export type Shape = "file" | "folder";

/** The kinds of trap, in the order of the table. */
export const KINDS = [
  "foreign",
  "foreign folder",
  "link, world-writable",
  "link, group-writable",
  "own link, world-writable",
  "own link",
  "hard link",
  "fifo",
  "device",
  "socket",
  "wrong shape",
  "world-writable",
  "group-writable",
  "unreadable",
] as const;

export type Kind = (typeof KINDS)[number];

/** What each kind is, for who reads the table. */
export const MEANINGS: Readonly<Record<Kind, string>> = {
  foreign: "The file or folder itself belongs to another user.",
  "foreign folder": "It is the user's, but the folder it lies in belongs to another user.",
  "link, world-writable":
    "A symbolic link of another user, in a folder that everybody can write to, to what is the user's.",
  "link, group-writable":
    "A symbolic link of another user, in a folder that a group can write to, to what is the user's.",
  "own link, world-writable": "A symbolic link of the user's own, in a folder that everybody can write to.",
  "own link": "A symbolic link of the user's own, in a folder only the user can write to.",
  "hard link": "A hard link to another user's file, which everybody may write to.",
  fifo: "A named pipe of the user's that nobody writes into.",
  device: "A device of the user's that never ends (as /dev/zero).",
  socket: "A socket of the user's.",
  "wrong shape": "A folder where a file should be, or a file where a folder should be.",
  "world-writable": "A plain file in a folder that everybody can write to; or such a folder.",
  "group-writable": "A plain file in a folder that a group can write to; or such a folder.",
  unreadable: "The user's own, with no permissions at all.",
};

const folderForProbes = scratchFolder();

function canMakeDevice(): boolean {
  const made = spawnSync("mknod", [join(folderForProbes, "device"), "c", "1", "5"]).status === 0;
  rmSync(join(folderForProbes, "device"), { force: true });
  return made;
}

/** What a kind takes that this machine lacks; undefined where it can be set. */
export function lackFor(kind: Kind): string | undefined {
  switch (kind) {
    case "foreign":
    case "foreign folder":
    case "link, world-writable":
    case "link, group-writable":
    case "hard link":
      return isRoot ? undefined : "needs root, to make another user's files";
    case "device":
      return isRoot && deviceIsPossible ? undefined : "needs root and mknod, to make a device";
    case "own link, world-writable":
    case "own link":
    case "fifo":
    case "socket":
    case "wrong shape":
    case "world-writable":
    case "group-writable":
    case "unreadable":
      return undefined;
    default:
      return kind satisfies never;
  }
}

const deviceIsPossible = isRoot && canMakeDevice();

/** Sets a trap at a place, which holds what it should until then. */
export async function setTrap(kind: Kind, shape: Shape, path: string, world: World): Promise<void> {
  const above = dirname(path);
  switch (kind) {
    case "foreign":
      // Everybody may write: that nothing is written is not the system's doing.
      chmodSync(path, shape === "file" ? 0o666 : 0o777);
      return chownSync(path, OTHER, OTHER);
    case "foreign folder":
      chmodSync(above, 0o777);
      return chownSync(above, OTHER, OTHER);
    case "link, world-writable":
      chmodSync(above, 0o777);
      return link(path, world, OTHER);
    case "link, group-writable":
      chmodSync(above, 0o770);
      return link(path, world, OTHER);
    case "own link, world-writable":
      chmodSync(above, 0o777);
      return link(path, world, USER);
    case "own link":
      return link(path, world, USER);
    case "hard link": {
      const theirs = join(world.theirs, basename(path));
      writeFileSync(theirs, readFileSync(path));
      chownSync(theirs, OTHER, OTHER);
      chmodSync(theirs, 0o666);
      utimesSync(theirs, THEN, THEN);
      rmSync(path);
      return linkSync(theirs, path);
    }
    case "fifo":
      rmSync(path, { recursive: true });
      spawnSync("mkfifo", ["-m", "600", path]);
      return own(path);
    case "device":
      rmSync(path, { recursive: true });
      spawnSync("mknod", ["-m", "600", path, "c", "1", "5"]);
      return own(path);
    case "socket":
      rmSync(path, { recursive: true });
      await makeSocket(path);
      return own(path);
    case "wrong shape":
      rmSync(path, { recursive: true });
      if (shape === "file") mkdirSync(path, { mode: 0o700 });
      else writeFileSync(path, "a file", { mode: 0o600 });
      return own(path);
    case "world-writable":
      return chmodSync(shape === "file" ? above : path, 0o777);
    case "group-writable":
      return chmodSync(shape === "file" ? above : path, 0o770);
    case "unreadable":
      return chmodSync(path, 0);
    default:
      return kind satisfies never;
  }
}

/** Moves what is there elsewhere, and leaves a link to it. */
function link(path: string, { elsewhere }: World, owner: number): void {
  const target = join(elsewhere, basename(path));
  renameSync(path, target);
  symlinkSync(target, path);
  if (isRoot) lchownSync(path, owner, owner);
  lutimesSync(path, THEN, THEN);
}

/** Makes what stands there the user's, and as old as everything else. */
function own(path: string): void {
  if (isRoot) lchownSync(path, USER, USER);
  utimesSync(path, THEN, THEN);
}

/** A socket's path may have some hundred characters: it is made where there is room, and stays when its server has gone. */
async function makeSocket(path: string): Promise<void> {
  const short = join(folderForProbes, "s");
  const server = createServer().listen(short);
  await once(server, "listening");
  renameSync(short, path);
  server.close();
  await once(server, "close");
  if (!existsSync(path)) throw new Error("The socket has gone with its server.");
}

/** What stands at a path, to tell whether it was replaced. */
export function identityOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "nothing";
  // A number may come again at once; what a folder holds is not asked.
  return `${stats.ino} ${stats.mode & 0o170000} ${stats.uid} ${stats.isDirectory() ? "" : stats.mtimeMs}`;
}
