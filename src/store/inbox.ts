import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { decodeInboxEntry, FULL_FLAG, type InboxEntry } from "../files/inbox-entry";
import { SessionsError, systemCodeOf } from "../session/failure";
import { replaceFile } from "./atomic-write";
import { presenceOf, readGuarded, refusalOnTheWay, type Guard } from "./guarded-read";

/** An entry may hold a payload of 256 KiB and some facts. */
const GUARD: Guard = { limit: 1024 * 1024, links: "refuse" };

/** A writer that cannot rename (a plugin) is given this long to finish an entry. */
const YOUNG_MS = 5_000;

/** A hidden file this old is what a killed recorder left. */
const LEFTOVER_MS = 60 * 60_000;

/** The folder of rejected entries beside those that wait. */
const REJECTED = "rejected";

/** How many rejected entries are kept, and how much of each. */
const REJECTED_KEPT = 100;
const REJECTED_BYTES = 4096;

/** So much of an entry's name is kept, in bytes. */
const NAME_KEPT = 200;

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

  constructor(private readonly home: string) {
    this.path = join(home, "inbox");
  }

  /**
   * Sees that the inbox is the user's.
   *
   * @throws SessionsError `refused`
   */
  check(): void {
    const refused = refusalOnTheWay(this.home, "inbox");
    if (refused === undefined) return;
    throw new SessionsError("refused", `${refused.folder} ${refused.reason}.`, "Remove it, or name another home.");
  }

  /**
   * The entries that wait, oldest first. What is no plain file is none; a missing inbox is empty.
   *
   * @param onUnseen told of each that cannot even be looked at, with the reason; it waits on
   */
  waiting(onUnseen: (name: string, reason: string) => void = () => undefined): WaitingEntry[] {
    return this.names()
      .flatMap((name): WaitingEntry[] => {
        if (name.startsWith(".") || name === REJECTED) return [];
        const presence = presenceOf(join(this.path, name));
        if (presence.outcome === "refused" || presence.outcome === "unreadable") onUnseen(name, presence.reason);
        if (presence.outcome !== "there" || presence.stats.isDirectory()) return [];
        const at = presence.stats.mtimeMs;
        return [{ name, at, id: `${name}@${at}` }];
      })
      .sort((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1));
  }

  /** Whether anything waits, at the price of one listing. */
  get isEmpty(): boolean {
    return !this.names().some((name) => !name.startsWith(".") && name !== REJECTED);
  }

  /**
   * Reads an entry. `unfinished` may become whole; `gone` was folded by somebody else; `unreadable` waits on, since why
   * the system does not give it may pass.
   */
  read(
    { name, at }: WaitingEntry,
    nowMs: number,
  ):
    | { outcome: "entry"; entry: InboxEntry }
    | { outcome: "rejected" | "unreadable"; reason: string }
    | { outcome: "unfinished" | "gone" } {
    const read = readGuarded(join(this.path, name), GUARD);
    if (read.outcome === "missing") return { outcome: "gone" };
    if (read.outcome === "unreadable") return read;
    const decoded =
      read.outcome === "text" ? decodeInboxEntry(read.text) : { outcome: "refused" as const, reason: read.reason };
    if (decoded.outcome === "entry") return decoded;
    // One from the future is not being written now, whatever became of the clock.
    return Math.abs(nowMs - at) < YOUNG_MS
      ? { outcome: "unfinished" }
      : { outcome: "rejected", reason: decoded.reason };
  }

  /** Takes an entry out. */
  remove({ name }: WaitingEntry): void {
    rmSync(join(this.path, name), { force: true });
  }

  /**
   * Takes an entry out that cannot be folded: its beginning and the reason are kept, the latest hundred of them.
   *
   * @throws SessionsError `refused` or `unwritable`; then it waits on
   */
  reject(entry: WaitingEntry, reason: string): void {
    const folder = join(this.path, REJECTED);
    const read = readGuarded(join(this.path, entry.name), GUARD);
    const beginning = read.outcome === "text" ? read.text.slice(0, REJECTED_BYTES) : "";
    replaceFile(join(folder, `${Math.round(entry.at)}-${nameWithin(entry.name)}.txt`), `${reason}\n\n${beginning}`);
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
      // What is no folder is told by its own reason.
      if (systemCodeOf(error) === "ENOTDIR") this.check();
      throw error;
    }
  }
}

/** A name with room for what is put before and behind it: systems let a name have 255 bytes. */
function nameWithin(name: string): string {
  const bytes = Buffer.from(name);
  return bytes.length <= NAME_KEPT ? name : bytes.toString("utf8", 0, NAME_KEPT);
}
