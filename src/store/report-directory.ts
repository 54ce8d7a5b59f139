import { readdirSync } from "node:fs";
import { basename, dirname, sep } from "node:path";
import type { Finding, Problem } from "../files/problem";
import { reasonOf, systemCodeOf } from "../session/failure";
import type { Seconds, SessionReport } from "../session/report";
import { isState } from "../session/state";
import {
  folderRefusal,
  hasStamp,
  presenceOf,
  readGuarded,
  stampOf,
  type Guard,
  type GuardedText,
  type Presence,
  type Stamp,
} from "./guarded-read";
import type { CachedRow } from "./parse-cache";

/** Files are taken to be half written while they are younger than this. */
const YOUNG_MS = 2_000;

/** How soon to look again at a file that is half written or has just vanished. */
const RETRY_MS = 40;

/** A file that vanished is looked for this long: some writers remove it before they write it anew. */
const VANISH_MS = 300;

/** A file changed this shortly before it was read may change again within the same tick of the file system's clock. */
const SAME_TICK_MS = 50;

/** The folder itself among the rows that are kept; no file's name. */
const FOLDER = ".";

/** Such a file is a few KiB; anything larger than this is none. */
const GUARD: Guard = { limit: 1024 * 1024, links: "refuse" };

/** The stamp of what cannot even be looked at. */
const NO_STAMP: Stamp = [0, 0, 0, 0];

/** What is known of one file of the directory. */
export interface ReportRow {
  /** Absolute path. */
  file: string;
  stamp: Stamp;
  /** The last good report, and when it was read. */
  report?: SessionReport;
  goodAt?: Seconds;
  /** Since when the file could not be read; then `report` is an earlier version's. */
  unreadableSince?: Seconds;
  findings: Finding[];
  /** Read so soon after a change that a further one may have left the stamp as it was. */
  sameTick?: true;
  /** Set while the file is gone and may come back, in milliseconds. */
  vanishedAt?: number;
}

/** A file's text decoded: its report and what was repaired in it, or why it is refused. */
export type DecodedReport =
  { outcome: "report"; report: SessionReport; findings: Finding[] } | { outcome: "refused"; findings: Finding[] };

/** Decodes the text of a file with this name. */
export type DecodeReport = (text: string, fileName: string) => DecodedReport;

/** What a look at the directory found. */
export interface Look {
  changed: boolean;
  /** Files that were read and parsed, for who wants to know what a refresh costs. */
  parsed: number;
  /** Milliseconds until another look is due, for half-written and vanished files. */
  retryIn?: number;
}

/**
 * A directory with one JSON file a session: AItention's status directory, and each agent's in our own store. A look
 * reads only the files that changed; a file that cannot be read keeps its last good row; everything else in it is
 * named, and nothing in it can make a look hang.
 */
export class ReportDirectory {
  private rows = new Map<string, ReportRow>();
  /** Rows of an earlier run whose files this run has not met yet. */
  private readonly unmet = new Set<string>();
  private folderProblem?: Problem;
  private isThere = false;
  /** The folder as it was when every file in it was known for good; only where files are never written in place. */
  private settled?: Stamp;

  /**
   * @param path absolute
   * @param isOnlyReplaced every file in it is ours and only ever replaced by a rename, which changes the folder as well:
   *   a folder that did not change need not be listed
   */
  constructor(
    readonly path: string,
    private readonly decode: DecodeReport,
    private readonly isOnlyReplaced = false,
  ) {}

  /** Whether the directory exists. */
  get exists(): boolean {
    return this.isThere;
  }

  /** What is known of each file. */
  files(): Iterable<ReportRow> {
    return this.rows.values();
  }

  /** What is wrong with the directory or its files, by file. */
  problems(): Problem[] {
    const own = Array.from(this.rows.values(), ({ file, findings }) =>
      findings.map((finding): Problem => ({ file, ...finding })),
    ).flat();
    return this.folderProblem === undefined ? own : [this.folderProblem, ...own];
  }

  /** Takes over rows of an earlier run; each counts only while its file is unchanged, or as the last good one. */
  restore(cached: ReadonlyMap<string, CachedRow>): void {
    for (const [name, { stamp, value }] of cached) {
      if (name === FOLDER && this.isOnlyReplaced) this.settled = stamp;
      if (name === FOLDER || !isReportRow(value)) continue;
      // What was read is ours alone: it becomes the row as it is.
      this.rows.set(name, Object.assign(value, { file: this.fileOf(name), stamp }));
      this.unmet.add(name);
    }
  }

  /** The rows to keep for a later run. */
  cacheable(): Map<string, CachedRow> {
    const kept = new Map<string, CachedRow>();
    for (const [name, row] of this.rows) {
      if (row.vanishedAt !== undefined) continue;
      const { report, goodAt, unreadableSince, findings, sameTick, stamp } = row;
      kept.set(name, { stamp, value: { report, goodAt, unreadableSince, findings, sameTick } });
    }
    if (this.settled !== undefined) kept.set(FOLDER, { stamp: this.settled, value: {} });
    return kept;
  }

  /**
   * Looks at the directory.
   *
   * @param nowMs milliseconds since 1970
   * @param paths only these paths changed: look at those in the directory and take the rest as known; absent, or the
   *   directory itself among them: look at every file
   */
  look(nowMs: number, paths?: readonly string[]): Look {
    const look: Look = { changed: false, parsed: 0 };
    const isPart = paths !== undefined && !paths.includes(this.path) && this.folderProblem === undefined;
    if (isPart && folderRefusal(this.path) === undefined) {
      const names = new Set(paths.filter((path) => dirname(path) === this.path).map((path) => basename(path)));
      for (const name of names) if (isCandidate(name)) this.lookAt(name, nowMs, look);
      return look;
    }
    const folder = this.isOnlyReplaced ? presenceOf(this.path) : undefined;
    if (folder?.outcome === "there" && this.settled !== undefined && hasStamp(folder.stats, this.settled)) {
      this.isThere = true;
      this.unmet.clear();
      return look;
    }
    const names = this.list(nowMs, look);
    if (names === undefined) return look;
    const listed = new Set(names);
    for (const name of names) this.lookAt(name, nowMs, look);
    for (const name of this.rows.keys()) {
      if (listed.has(name)) continue;
      // Removed between two runs: there is no writer to wait for.
      if (this.unmet.delete(name)) this.rows.delete(name);
      else this.lookAt(name, nowMs, look);
    }
    this.settle(folder, nowMs);
    return look;
  }

  /** Notes the folder when nothing in it is about to change what is known: no file is young, broken or on its way back. */
  private settle(folder: Presence | undefined, nowMs: number): void {
    delete this.settled;
    if (folder?.outcome !== "there" || this.folderProblem !== undefined) return;
    const stamp = stampOf(folder.stats);
    if (nowMs - Math.max(stamp[0], stamp[1]) < SAME_TICK_MS) return;
    for (const row of this.rows.values()) {
      if (row.sameTick !== undefined || row.vanishedAt !== undefined || row.unreadableSince !== undefined) return;
    }
    this.settled = stamp;
  }

  /** The names that may be such files; undefined when the directory cannot be listed. Then the rows stay. */
  private list(nowMs: number, look: Look): string[] | undefined {
    const had = this.folderProblem;
    const refusal = folderRefusal(this.path);
    if (refusal !== undefined) {
      this.folderProblem = { file: this.path, reason: refusal, outcome: "refused" };
      look.changed ||= had?.reason !== refusal || this.rows.size > 0;
      this.rows.clear();
      return undefined;
    }
    try {
      const names = readdirSync(this.path).filter(isCandidate);
      this.isThere = true;
      delete this.folderProblem;
      look.changed ||= had !== undefined;
      return names;
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") {
        look.changed ||= this.isThere || had !== undefined;
        this.isThere = false;
        delete this.folderProblem;
        return [];
      }
      this.folderProblem = {
        file: this.path,
        reason: `cannot be listed (${reasonOf(error)})`,
        outcome: "unreadable",
      };
      for (const row of this.rows.values()) row.unreadableSince ??= nowMs / 1000;
      look.changed = true;
      return undefined;
    }
  }

  private lookAt(name: string, nowMs: number, look: Look): void {
    const known = this.rows.get(name);
    const path = known?.file ?? this.fileOf(name);
    const presence = presenceOf(path);
    if (presence.outcome === "missing") return this.vanish(name, known, nowMs, look);
    this.unmet.delete(name);
    const isUnchanged =
      known !== undefined &&
      known.vanishedAt === undefined &&
      (presence.outcome === "there" ? hasStamp(presence.stats, known.stamp) : known.stamp === NO_STAMP);
    if (isUnchanged && known.sameTick === undefined && !this.isRetried(known, nowMs)) {
      if (this.folderProblem === undefined && known.findings.length === 0) delete known.unreadableSince;
      return;
    }
    const stamp = presence.outcome === "there" ? stampOf(presence.stats) : NO_STAMP;
    const read = presence.outcome === "there" ? readGuarded(path, GUARD) : presence;
    if (read.outcome === "missing") return this.vanish(name, known, nowMs, look);
    look.parsed += 1;
    const row = this.parse(name, path, read, stamp, known, nowMs);
    look.changed ||= known === undefined || !sameRow(known, row);
    this.rows.set(name, row);
    if (this.isRetried(row, nowMs)) look.retryIn = RETRY_MS;
  }

  /** The path is absolute and normal already: joining anew costs more than the rest of a look at an unchanged file. */
  private fileOf(name: string): string {
    return this.path + sep + name;
  }

  private parse(
    name: string,
    file: string,
    read: GuardedText,
    stamp: Stamp,
    known: ReportRow | undefined,
    nowMs: number,
  ): ReportRow {
    const tick: Pick<ReportRow, "sameTick"> =
      nowMs - Math.max(stamp[0], stamp[1]) < SAME_TICK_MS ? { sameTick: true } : {};
    const last = known?.report === undefined ? {} : { report: known.report, goodAt: known.goodAt };
    const failed = (findings: Finding[]): ReportRow => ({
      file,
      stamp,
      ...tick,
      ...last,
      unreadableSince: known?.unreadableSince ?? nowMs / 1000,
      findings: known?.report === undefined ? findings : findings.map((each) => ({ ...each, outcome: "unreadable" })),
    });
    if (read.outcome !== "text") {
      const reason = read.outcome === "missing" ? "is gone" : read.reason;
      return failed([{ reason, outcome: read.outcome === "refused" ? "refused" : "unreadable" }]);
    }
    const decoded = this.decode(read.text, name);
    if (decoded.outcome === "refused") return failed(decoded.findings);
    return {
      file,
      stamp: read.stamp,
      ...tick,
      report: decoded.report,
      goodAt: nowMs / 1000,
      findings: decoded.findings,
    };
  }

  private vanish(name: string, known: ReportRow | undefined, nowMs: number, look: Look): void {
    if (known === undefined) {
      look.retryIn = RETRY_MS;
      return;
    }
    known.vanishedAt ??= nowMs;
    if (nowMs - known.vanishedAt >= VANISH_MS) {
      this.rows.delete(name);
      look.changed = true;
    } else {
      look.retryIn = RETRY_MS;
    }
  }

  /** Whether a broken file is so young that its writer may still be at it. */
  private isRetried(row: ReportRow, nowMs: number): boolean {
    return row.unreadableSince !== undefined && row.findings.length > 0 && nowMs - row.stamp[0] < YOUNG_MS;
  }
}

/** Such a file's name ends with `.json`; `._…` are the companion files macOS writes on foreign disks. */
function isCandidate(name: string): boolean {
  return name.endsWith(".json") && !name.startsWith("._");
}

function sameRow(one: ReportRow, other: ReportRow): boolean {
  return (
    one.unreadableSince === other.unreadableSince &&
    JSON.stringify([one.report, one.findings]) === JSON.stringify([other.report, other.findings])
  );
}

/** A row of the cache: ours, so its outline is enough. */
function isReportRow(value: unknown): value is Omit<ReportRow, "stamp" | "file"> {
  if (typeof value !== "object" || value === null || !("findings" in value) || !Array.isArray(value.findings))
    return false;
  if (!("report" in value)) return true;
  const { report } = value;
  return (
    typeof report === "object" &&
    report !== null &&
    "agent" in report &&
    typeof report.agent === "string" &&
    "sessionId" in report &&
    typeof report.sessionId === "string" &&
    "state" in report &&
    typeof report.state === "string" &&
    isState(report.state) &&
    "since" in report &&
    typeof report.since === "number"
  );
}
