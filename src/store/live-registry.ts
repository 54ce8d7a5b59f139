import { readdirSync } from "node:fs";
import { basename, dirname, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Finding, Problem } from "../files/problem";
import type { DecodedEntry, RegistryPlace } from "../files/registry-place";
import { reasonOf, systemCodeOf } from "../session/failure";
import type { LiveEntry } from "../session/live-entry";
import type { Seconds } from "../session/report";
import {
  folderRefusal,
  hasStamp,
  presenceOf,
  readGuarded,
  stampOf,
  type Guard,
  type GuardedText,
  type Stamp,
} from "./guarded-read";
import type { CachedRow } from "./parse-cache";
import type { Liveness } from "./process-table";
import type { Look } from "./report-directory";

/** Files are taken to be half written while they are younger than this. */
const YOUNG_MS = 2_000;

/** How soon to look again at a file that is half written or has just vanished. */
const RETRY_MS = 40;

/** A file that vanished while its process runs is looked for this long: it may be written anew. */
const VANISH_MS = 300;

/** A file changed this shortly before it was read may change again within the same tick of the file system's clock. */
const SAME_TICK_MS = 50;

/** Such a file has some 600 bytes. */
const GUARD: Guard = { limit: 64 * 1024, links: "refuse" };

/** More processes than this no user has; what is beyond is named, and not read. */
export const REGISTRY_LIMIT = 2_000;

/** The stamp of what cannot even be looked at. */
const NO_STAMP: Stamp = [0, 0, 0, 0];

/** What a registry tells of one session, and whether the process behind it runs. */
export interface LiveRow {
  entry: LiveEntry;
  /** Absolute path. */
  file: string;
  stamp: Stamp;
  /** When the entry was read. */
  readAt: Seconds;
  /** `gone` when the process has ended, or its number is another's by now: the entry is what it left behind. */
  liveness: Liveness;
  /** Since when the file could not be read; then `entry` is an earlier version's. */
  unreadableSince?: Seconds;
}

/** Whether the process of an entry runs; with the entry when more is known of it than its file says. */
export interface Judgment {
  liveness: Liveness;
  entry?: LiveEntry;
}

/** Judges the entries of one look. */
export type Judge = (entry: LiveEntry, fileName: string, writtenAt: Seconds) => Judgment;

/** A registry that can be read: where it lies, how its files are decoded, and how its processes are judged. */
export interface LiveSource extends RegistryPlace {
  /** Decodes the text of a file with this name. */
  decode(text: string, fileName: string): DecodedEntry;
  /** Called once a look, before the first entry is judged. */
  judge(): Judge;
}

/** One file of the folder. */
interface FileRow {
  file: string;
  stamp: Stamp;
  entry?: LiveEntry;
  readAt?: Seconds;
  judgment?: Judgment;
  unreadableSince?: Seconds;
  findings: Finding[];
  /** Read so soon after a change that a further one may have left the stamp as it was. */
  sameTick?: true;
  /** Set while the file is gone and may come back, in milliseconds. */
  vanishedAt?: number;
}

/** What of a row is kept between runs. */
type KeptRow = Pick<FileRow, "entry" | "readAt" | "unreadableSince" | "findings" | "sameTick">;

/**
 * An agent's registry of running sessions, as files in a folder. A look reads only the files that changed, asks anew
 * whether each process runs, keeps the last good entry of a file that cannot be read, and names everything else that is
 * wrong; nothing in the folder can make it hang.
 */
export class LiveRegistry {
  private readonly files = new Map<string, FileRow>();
  /** Rows of an earlier run whose files this run has not met yet. */
  private readonly unmet = new Set<string>();
  private folderProblem?: Problem;
  private isThere = false;

  constructor(private readonly source: LiveSource) {}

  /** The folder, absolute. */
  get path(): string {
    return this.source.path;
  }

  /** Whether the folder exists. */
  get exists(): boolean {
    return this.isThere;
  }

  /** The sessions in it, those whose process is gone too. Several may be the same session: `chooseLive` tells. */
  *rows(): Iterable<LiveRow> {
    for (const { entry, file, stamp, readAt, judgment, unreadableSince } of this.files.values()) {
      if (entry === undefined || readAt === undefined) continue;
      const { liveness = "unknown", entry: judged = entry } = judgment ?? {};
      yield {
        entry: judged,
        file,
        stamp,
        readAt,
        liveness,
        ...(unreadableSince === undefined ? {} : { unreadableSince }),
      };
    }
  }

  /** What is wrong with the folder or its files. */
  problems(): Problem[] {
    const own = Array.from(this.files.values(), ({ file, findings }) =>
      findings.map((finding): Problem => ({ file, ...finding })),
    ).flat();
    return this.folderProblem === undefined ? own : [this.folderProblem, ...own];
  }

  /** Takes over rows of an earlier run; each counts only while its file is unchanged, or as the last good one. */
  restore(cached: ReadonlyMap<string, CachedRow>): void {
    for (const [name, { stamp, value }] of cached) {
      if (!this.source.isEntry(name) || !isKeptRow(value)) continue;
      this.files.set(name, { ...value, file: this.fileOf(name), stamp });
      this.unmet.add(name);
    }
  }

  /** The rows to keep for a later run. Whether a process runs is not among them: that is asked each time. */
  cacheable(): Map<string, CachedRow> {
    const kept = new Map<string, CachedRow>();
    for (const [name, row] of this.files) {
      if (row.vanishedAt !== undefined) continue;
      const { entry, readAt, unreadableSince, findings, sameTick, stamp } = row;
      const value: KeptRow = { entry, readAt, unreadableSince, findings, sameTick };
      kept.set(name, { stamp, value });
    }
    return kept;
  }

  /**
   * Looks at the registry. That a process ended is a change as well.
   *
   * @param nowMs milliseconds since 1970
   * @param paths only these paths changed: look at those in the folder and take the rest as known; absent, or the
   *   folder itself among them: look at every file and every process
   */
  look(nowMs: number, paths?: readonly string[]): Look {
    const look: Look = { changed: false, parsed: 0 };
    const isPart = paths !== undefined && !paths.includes(this.path) && this.folderProblem === undefined;
    if (isPart && folderRefusal(this.path) === undefined) {
      const names = new Set(paths.filter((path) => dirname(path) === this.path).map((path) => basename(path)));
      const entries = Array.from(names).filter((name) => this.source.isEntry(name));
      if (entries.length === 0) return look;
      const judge = this.source.judge();
      for (const name of entries) {
        const isOver = !this.files.has(name) && this.files.size >= REGISTRY_LIMIT;
        if (!isOver) this.lookAt(name, nowMs, judge, look);
      }
      return look;
    }
    const names = this.list(nowMs, look);
    if (names === undefined) return look;
    if (names.length === 0 && this.files.size === 0) return look;
    const listed = new Set(names);
    const judge = this.source.judge();
    for (const name of names) this.lookAt(name, nowMs, judge, look);
    for (const name of this.files.keys()) {
      if (listed.has(name)) continue;
      // Removed between two runs: there is no writer to wait for.
      if (this.unmet.delete(name)) this.files.delete(name);
      else this.lookAt(name, nowMs, judge, look);
    }
    return look;
  }

  /** The names that are entries; undefined when the folder cannot be listed. */
  private list(nowMs: number, look: Look): string[] | undefined {
    const had = this.folderProblem;
    const refusal = folderRefusal(this.path);
    if (refusal !== undefined) {
      this.folderProblem = { file: this.path, reason: refusal, outcome: "refused" };
      look.changed ||= had?.reason !== refusal || this.files.size > 0;
      this.files.clear();
      return undefined;
    }
    try {
      const names = readdirSync(this.path).filter((name) => this.source.isEntry(name));
      this.isThere = true;
      const surplus = names.length - REGISTRY_LIMIT;
      const reason = `holds ${names.length} entries; only ${REGISTRY_LIMIT} are read`;
      if (surplus > 0) this.folderProblem = { file: this.path, reason, outcome: "repaired" };
      else delete this.folderProblem;
      look.changed ||= had?.reason !== this.folderProblem?.reason;
      return surplus > 0 ? names.slice(0, REGISTRY_LIMIT) : names;
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") {
        look.changed ||= this.isThere || had !== undefined;
        this.isThere = false;
        delete this.folderProblem;
        return [];
      }
      const reason = `cannot be listed (${reasonOf(error)})`;
      this.folderProblem = { file: this.path, reason, outcome: "unreadable" };
      for (const row of this.files.values()) row.unreadableSince ??= nowMs / 1000;
      look.changed = true;
      return undefined;
    }
  }

  private lookAt(name: string, nowMs: number, judge: Judge, look: Look): void {
    const known = this.files.get(name);
    const path = known?.file ?? this.fileOf(name);
    const presence = presenceOf(path);
    if (presence.outcome === "missing") return this.vanish(name, known, nowMs, judge, look);
    this.unmet.delete(name);
    const isUnchanged =
      known !== undefined &&
      known.vanishedAt === undefined &&
      (presence.outcome === "there" ? hasStamp(presence.stats, known.stamp) : known.stamp === NO_STAMP);
    if (isUnchanged && known.sameTick === undefined && !isRetried(known, nowMs)) {
      // The folder could not be listed for a while; the file itself is as it was read.
      if (known.findings.length === 0) delete known.unreadableSince;
      this.judge(name, known, judge, look);
      return;
    }
    const stamp = presence.outcome === "there" ? stampOf(presence.stats) : NO_STAMP;
    const read = presence.outcome === "there" ? readGuarded(path, GUARD) : presence;
    if (read.outcome === "missing") return this.vanish(name, known, nowMs, judge, look);
    look.parsed += 1;
    const row = this.parse(name, path, read, stamp, known, nowMs);
    look.changed ||= known === undefined || !isSameRow(known, row);
    this.files.set(name, row);
    this.judge(name, row, judge, look);
    if (isRetried(row, nowMs)) look.retryIn = RETRY_MS;
  }

  private fileOf(name: string): string {
    return this.path + sep + name;
  }

  private judge(name: string, row: FileRow, judge: Judge, look: Look): void {
    if (row.entry === undefined) return;
    const last = row.judgment;
    const judgment = judge(row.entry, name, row.stamp[0] / 1000);
    // The same object while nothing changed: rows are remembered by their entries.
    if (last !== undefined && isDeepStrictEqual(last, judgment)) return;
    row.judgment = judgment;
    look.changed = true;
  }

  private parse(
    name: string,
    file: string,
    read: GuardedText,
    stamp: Stamp,
    known: FileRow | undefined,
    nowMs: number,
  ): FileRow {
    const tick: Pick<FileRow, "sameTick"> =
      nowMs - Math.max(stamp[0], stamp[1]) < SAME_TICK_MS ? { sameTick: true } : {};
    const judged = known?.judgment === undefined ? {} : { judgment: known.judgment };
    const last = known?.entry === undefined ? {} : { entry: known.entry, readAt: known.readAt };
    const failed = (findings: Finding[]): FileRow => ({
      file,
      stamp,
      ...tick,
      ...judged,
      ...last,
      unreadableSince: known?.unreadableSince ?? nowMs / 1000,
      findings: known?.entry === undefined ? findings : findings.map((each) => ({ ...each, outcome: "unreadable" })),
    });
    if (read.outcome !== "text") {
      const reason = read.outcome === "missing" ? "is gone" : read.reason;
      return failed([{ reason, outcome: read.outcome === "refused" ? "refused" : "unreadable" }]);
    }
    const decoded = this.source.decode(read.text, name);
    if (decoded.outcome === "refused") return failed(decoded.findings);
    const { entry, findings } = decoded;
    return { file, stamp: read.stamp, ...tick, ...judged, entry, readAt: nowMs / 1000, findings };
  }

  private vanish(name: string, known: FileRow | undefined, nowMs: number, judge: Judge, look: Look): void {
    // Between the listing and the look: there is nothing to show, and nothing to wait for.
    if (known === undefined) return;
    known.vanishedAt ??= nowMs;
    this.judge(name, known, judge, look);
    // An agent that ends removes its entry first; while it runs, the entry may be on its way back.
    const mayReturn = known.judgment?.liveness === "running" && nowMs - known.vanishedAt < VANISH_MS;
    if (mayReturn) {
      look.retryIn = RETRY_MS;
      return;
    }
    this.files.delete(name);
    this.unmet.delete(name);
    look.changed = true;
  }
}

/** Whether a broken file is so young that its writer may still be at it. */
function isRetried(row: FileRow, nowMs: number): boolean {
  return row.unreadableSince !== undefined && row.findings.length > 0 && nowMs - row.stamp[0] < YOUNG_MS;
}

function isSameRow(one: FileRow, other: FileRow): boolean {
  return (
    one.unreadableSince === other.unreadableSince &&
    JSON.stringify([one.entry, one.findings]) === JSON.stringify([other.entry, other.findings])
  );
}

/** A row of the cache: ours, so its outline is enough. */
function isKeptRow(value: unknown): value is KeptRow {
  if (typeof value !== "object" || value === null || !("findings" in value) || !Array.isArray(value.findings))
    return false;
  if (!("entry" in value)) return true;
  const { entry } = value;
  return (
    "readAt" in value &&
    typeof value.readAt === "number" &&
    typeof entry === "object" &&
    entry !== null &&
    "agent" in entry &&
    typeof entry.agent === "string" &&
    "sessionId" in entry &&
    typeof entry.sessionId === "string" &&
    (!("pid" in entry) || typeof entry.pid === "number")
  );
}
