import { closeSync, constants, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { decodeInboxEntry, FULL_FLAG, type InboxEntry } from "../files/inbox-entry";
import { systemCodeOf } from "../session/failure";
import { makeFolder } from "./atomic-write";
import { presenceOf, readGuarded, type Guard } from "./guarded-read";

/** An entry may hold a payload of 256 KiB and some facts. */
const GUARD: Guard = { limit: 1024 * 1024, links: "refuse" };

/** A writer that cannot rename (a plugin) is given this long to finish an entry. */
const YOUNG_MS = 5_000;

/** A hidden file this old is what a killed recorder left. */
const LEFTOVER_MS = 60 * 60_000;

/** How many rejected entries are kept, and how much of each. */
const REJECTED_KEPT = 100;
const REJECTED_BYTES = 4096;

/** An entry that waits, in the order of folding: by its time, then its name. */
export interface WaitingEntry {
  name: string;
  /** When it was written, in milliseconds. */
  at: number;
  /** Name and time: a name may come again once its entry is gone, this does not. */
  id: string;
}

/** The inbox of our home, into which recorders deliver one file an event, like a Maildir. */
export class Inbox {
  readonly path: string;

  constructor(home: string) {
    this.path = join(home, "inbox");
  }

  /** The entries that wait, oldest first. What is no plain file is none; a missing inbox is empty. */
  waiting(): WaitingEntry[] {
    return this.names()
      .flatMap((name): WaitingEntry[] => {
        if (name.startsWith(".")) return [];
        const presence = presenceOf(join(this.path, name));
        if (presence.outcome !== "there" || presence.stats.isDirectory()) return [];
        const at = presence.stats.mtimeMs;
        return [{ name, at, id: `${name}@${at}` }];
      })
      .sort((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1));
  }

  /** Whether anything waits, at the price of one listing. */
  get isEmpty(): boolean {
    return !this.names().some((name) => !name.startsWith(".") && name !== "rejected");
  }

  /** Reads an entry. `unfinished` may become whole; `gone` was folded by somebody else. */
  read(
    { name, at }: WaitingEntry,
    nowMs: number,
  ):
    | { outcome: "entry"; entry: InboxEntry }
    | { outcome: "rejected"; reason: string }
    | { outcome: "unfinished" | "gone" } {
    const read = readGuarded(join(this.path, name), GUARD);
    if (read.outcome === "missing") return { outcome: "gone" };
    const decoded =
      read.outcome === "text" ? decodeInboxEntry(read.text) : { outcome: "refused" as const, reason: read.reason };
    if (decoded.outcome === "entry") return decoded;
    return nowMs - at < YOUNG_MS ? { outcome: "unfinished" } : { outcome: "rejected", reason: decoded.reason };
  }

  /** Takes an entry out. */
  remove({ name }: WaitingEntry): void {
    rmSync(join(this.path, name), { force: true });
  }

  /** Takes an entry out that cannot be folded: its beginning and the reason are kept, the latest hundred of them. */
  reject(entry: WaitingEntry, reason: string): void {
    const folder = join(this.path, "rejected");
    makeFolder(folder);
    const read = readGuarded(join(this.path, entry.name), GUARD);
    const beginning = read.outcome === "text" ? read.text.slice(0, REJECTED_BYTES) : "";
    writeNew(join(folder, `${Math.round(entry.at)}-${entry.name}.txt`), `${reason}\n\n${beginning}`);
    this.remove(entry);
    const kept = readdirSync(folder).sort();
    for (const name of kept.slice(0, Math.max(0, kept.length - REJECTED_KEPT)))
      rmSync(join(folder, name), { force: true });
  }

  /** Clears what is left beside the entries: the mark that the inbox is full, files of killed recorders. */
  tidy(nowMs: number): void {
    for (const name of this.names()) {
      if (!name.startsWith(".")) continue;
      const path = join(this.path, name);
      const presence = presenceOf(path);
      const isOld = presence.outcome === "there" && nowMs - presence.stats.mtimeMs > LEFTOVER_MS;
      if (name === FULL_FLAG || isOld) rmSync(path, { force: true, recursive: true });
    }
  }

  private names(): string[] {
    try {
      return readdirSync(this.path);
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") return [];
      throw error;
    }
  }
}

function writeNew(path: string, text: string): void {
  const descriptor = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0),
    0o600,
  );
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}
