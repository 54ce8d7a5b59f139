import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import { makeFolder } from "./atomic-write";
import { blockFor } from "./blocking-wait";
import { presenceOf, readGuarded } from "./guarded-read";
import { isRunning, startTicksOf } from "./process-clock";

/** How long to wait for a lock, in milliseconds; its holders keep it for some milliseconds. */
const PATIENCE_MS = 10_000;

/** A lock file whose holder cannot be read is broken after this long: creating one takes no time at all. */
const UNREADABLE_AFTER_MS = 5_000;

/**
 * A holder that cannot be judged for certain counts as dead after this long: work under a lock takes milliseconds.
 * Such are one on another machine (or on this one before it took another name), and one whose number runs where the
 * system does not say whether it is still the same process.
 */
const UNCERTAIN_AFTER_MS = 600_000;

/** What a holder writes has some 150 bytes. */
const HOLDER_LIMIT = 4096;

/** How deep a chain of processes that died while breaking a lock is followed. */
const DEPTH = 8;

/** Who holds a lock. Pid and start together are a process; the token is never used twice. */
interface Holder {
  token: string;
  pid: number;
  start: string;
  host: string;
}

/**
 * Runs `work` while holding the lock at `path`, which excludes every other process of ours. A lock whose holder died
 * is taken over, by one process only: to take over the lock with token T, a process first holds `<path>.T`, and only
 * the holder of that may replace the dead lock.
 *
 * @param patienceMs how long to wait for a living holder, in milliseconds
 * @throws SessionsError `locked` after that, `unwritable` when no lock can be made
 */
export function withLock<T>(path: string, work: () => T, patienceMs: number = PATIENCE_MS): T {
  makeFolder(dirname(path));
  const own: Holder = {
    token: randomUUID(),
    pid: process.pid,
    start: startTicksOf(process.pid) ?? "",
    host: hostname(),
  };
  acquire(path, own, patienceMs);
  try {
    sweep(path);
    return work();
  } finally {
    release(path, own);
  }
}

function acquire(path: string, own: Holder, patienceMs: number): void {
  // Not the time of day, which may be set meanwhile.
  const deadline = performance.now() + patienceMs;
  for (let round = 0; ; round += 1) {
    // Looking is cheaper than trying, and many may be waiting.
    let holder = round === 0 ? "gone" : holderOf(path);
    if (holder === "gone") {
      if (place(path, own)) return;
      holder = holderOf(path);
    }
    if (holder !== "gone" && isDead(path, holder) && takeOver(path, holder, own, 0)) return;
    if (performance.now() > deadline) {
      const who = holder === "gone" ? "something that is no lock" : `process ${holder.pid}`;
      throw new SessionsError(
        "locked",
        `${path} is held by ${who}, which did not release it in ${patienceMs / 1000} seconds.`,
        "Try again; if that process hangs, end it.",
      );
    }
    // Released just now: the next attempt may well succeed.
    if (holder === "gone" && round < 3) continue;
    blockFor(Math.min(20, 1 + round) * (0.5 + Math.random()));
  }
}

/** Makes the lock file with its content in one step; false when one is there. */
function place(path: string, own: Holder): boolean {
  const draft = draftOf(path, own);
  try {
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600, flag: "wx" });
    linkSync(draft, path);
    return true;
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "EEXIST") return false;
    if (code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "ENOSYS")
      return placeWithoutLink(path, own);
    throw new SessionsError(
      "unwritable",
      `Cannot create the lock ${path}: ${reasonOf(error)}.`,
      "Check the folder's permissions and the free space.",
      { cause: error },
    );
  } finally {
    removeDraft(draft);
  }
}

/** What cannot be removed, a later process sweeps; why it could not be made is what is told. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    return;
  }
}

/** Where a lock is written before it takes its place. The name tells the maker even of a draft that is still empty. */
function draftOf(path: string, { token, pid }: Holder): string {
  return `${path}.${token}.${pid}.new`;
}

/** Some file systems know no hard links: there a reader may see the file before its content, and waits. */
function placeWithoutLink(path: string, own: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(own), { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Replaces the dead holder's lock by ours; false when another process was faster, or is at it. */
function takeOver(path: string, dead: Holder, own: Holder, depth: number): boolean {
  if (depth > DEPTH) return false;
  const claim = `${path}.${dead.token}`;
  if (!place(claim, own)) {
    const claimant = holderOf(claim);
    if (claimant === "gone" || !isDead(claim, claimant) || !takeOver(claim, claimant, own, depth + 1)) return false;
  }
  try {
    const now = holderOf(path);
    // Only the claim's holder replaces this very lock, so it cannot change between this look and the rename.
    if (now === "gone" || now.token !== dead.token) return false;
    const draft = draftOf(path, own);
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
    putOver(draft, path);
    return true;
  } finally {
    release(claim, own);
  }
}

function putOver(draft: string, path: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new SessionsError(
      "unwritable",
      `Cannot create the lock ${path}: ${reasonOf(error)}.`,
      "Remove what stands there.",
      { cause: error },
    );
  }
}

function release(path: string, own: Holder): void {
  const holder = holderOf(path);
  if (holder !== "gone" && holder.token === own.token) unlinkSync(path);
}

const swept = new Set<string>();

/**
 * Removes what killed processes left beside the lock, once a process. A claim on a lock that is gone is void while we
 * hold the lock, whoever made it; a draft goes when its maker is dead.
 */
function sweep(path: string): void {
  if (swept.has(path)) return;
  swept.add(path);
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const leftover = join(dirname(path), name);
    const presence = presenceOf(leftover);
    if (presence.outcome !== "there" || !presence.stats.isFile()) continue;
    const maker = /\.(\d+)\.new$/.exec(name)?.[1];
    const holder = holderOf(leftover);
    const isVoid = maker === undefined || !isRunning(Number(maker));
    if (holder !== "gone" && (isVoid || isDead(leftover, holder))) rmSync(leftover, { force: true });
  }
}

function holderOf(path: string): Holder | "gone" {
  // Where others can write, a FIFO that never answers may stand there, or a link to a device that never ends.
  const read = readGuarded(path, { limit: HOLDER_LIMIT, links: "refuse" });
  if (read.outcome === "missing") return "gone";
  const holder = read.outcome === "text" ? holderIn(read.text) : undefined;
  if (holder !== undefined) return holder;
  // No holder to be read: what is there is named by the file itself, and dead once it is old.
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "gone";
  return {
    token: `unreadable-${stats.ino}-${Math.round(stats.mtimeMs)}`,
    pid: isOlderThan(path, UNREADABLE_AFTER_MS) ? 0 : process.pid,
    start: "",
    host: hostname(),
  };
}

function holderIn(text: string): Holder | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isHolder(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== "object" || value === null) return false;
  const { token, pid, start, host } = value as Record<keyof Holder, unknown>;
  return (
    typeof token === "string" &&
    /^[\w-]{1,64}$/.test(token) &&
    typeof pid === "number" &&
    typeof start === "string" &&
    typeof host === "string"
  );
}

/** A holder on another machine (a home on a network disk) is never judged by its pid. */
function isDead(path: string, { pid, start, host }: Holder): boolean {
  if (host !== hostname()) return isOlderThan(path, UNCERTAIN_AFTER_MS);
  if (pid <= 0 || !isRunning(pid)) return true;
  const now = startTicksOf(pid);
  if (now === undefined || start === "") return pid !== process.pid && isOlderThan(path, UNCERTAIN_AFTER_MS);
  return now !== start;
}

function isOlderThan(path: string, ageMs: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ageMs;
}
