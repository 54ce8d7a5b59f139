import { renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { readMarksCodec } from "../files/codecs";
import type { Problem } from "../files/problem";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import type { Seconds } from "../session/report";
import type { ReadMark, ReadMarks } from "../session/seen";
import { folderRefusal, hasStamp, presenceOf, readGuarded, stampOf, type Stamp } from "./guarded-read";
import { ParseCache } from "./parse-cache";
import { locking, writing } from "./writing";

const LIMIT = 64 * 1024 * 1024;

/** A mark of a session that is listed no more is kept this long. */
const KEPT: Seconds = 90 * 86_400;

/** The marks as they stand, and what is wrong with their file. */
export interface LoadedMarks {
  marks: ReadMarks;
  problem?: Problem;
}

/**
 * The read marks in our own home, `read-marks.json`: atomic, under a lock. The first reader writes the baseline, the
 * time of first use, so that nothing older is unread.
 */
export class ReadMarksFile {
  readonly path: string;
  private readonly lock: string;
  private readonly cache: ParseCache;
  private known?: { stamp: Stamp; marks: ReadMarks };

  constructor(home: string) {
    this.path = join(home, "read-marks.json");
    this.lock = join(home, "read-marks.lock");
    this.cache = new ParseCache(home, "read-marks", this.path);
  }

  /** The marks; on first use they are begun with `now` as the baseline. Never throws: what is wrong is a problem. */
  load(now: Seconds): LoadedMarks {
    const refusal = folderRefusal(dirname(this.path));
    if (refusal !== undefined) return this.refused(refusal, now);
    const marks = this.unchanged();
    if (marks !== undefined) return { marks };
    const read = this.read();
    if (read.outcome === "marks") return { marks: read.marks };
    if (read.outcome === "none") return this.begin(now);
    if (read.outcome === "unread") return { marks: { baseline: now, sessions: {} }, problem: read.problem };
    // Damaged: what was marked is not known, so nothing older than the damage is called unread.
    return { marks: { baseline: read.since ?? now, sessions: {} }, problem: read.problem };
  }

  /**
   * Changes the marks under the lock. A damaged file is kept beside, as `read-marks.json.damaged`.
   *
   * @throws SessionsError when the file cannot be locked, read or written
   */
  update(now: Seconds, change: (sessions: Readonly<Record<string, ReadMark>>) => Record<string, ReadMark>): ReadMarks {
    return locking().withLock(this.lock, () => {
      const read = this.read();
      if (read.outcome === "unread") {
        throw new SessionsError("unreadable", `${this.path} ${read.problem.reason}.`, "Nothing was marked; try again.");
      }
      if (read.outcome === "damaged") this.setAside();
      const before = read.outcome === "marks" ? read.marks : { baseline: now, sessions: {} };
      const marks = { baseline: before.baseline, sessions: change(before.sessions) };
      this.write(marks);
      return marks;
    });
  }

  /** Nothing in a home of somebody else counts, and nothing is begun in it. */
  private refused(refusal: string, now: Seconds): LoadedMarks {
    const reason = `cannot be written, so nothing is marked unread (its folder ${refusal})`;
    return { marks: { baseline: now, sessions: {} }, problem: { file: this.path, reason, outcome: "refused" } };
  }

  private begin(now: Seconds): LoadedMarks {
    const marks: ReadMarks = { baseline: now, sessions: {} };
    try {
      return locking().withLock(this.lock, () => {
        const read = this.read();
        switch (read.outcome) {
          case "marks":
            return { marks: read.marks };
          case "none":
            this.write(marks);
            return { marks };
          case "unread":
          case "damaged":
            return { marks, problem: read.problem };
          default:
            return read satisfies never;
        }
      });
    } catch (error) {
      const reason = `cannot be written, so nothing is marked unread (${error instanceof Error ? error.message : error})`;
      return { marks, problem: { file: this.path, reason, outcome: "unreadable" } };
    }
  }

  private unchanged(): ReadMarks | undefined {
    const presence = presenceOf(this.path);
    if (presence.outcome !== "there") return undefined;
    if (this.known === undefined) {
      const row = this.cache.load().get("marks");
      if (row !== undefined && isMarks(row.value)) this.known = { stamp: row.stamp, marks: row.value };
    }
    return this.known !== undefined && hasStamp(presence.stats, this.known.stamp) ? this.known.marks : undefined;
  }

  private read():
    | { outcome: "marks"; marks: ReadMarks }
    | { outcome: "none" }
    // The system does not give the file, which may pass: nothing may take its place.
    | { outcome: "unread"; problem: Problem }
    | { outcome: "damaged"; problem: Problem; since?: Seconds } {
    const read = readGuarded(this.path, { limit: LIMIT, links: "private" });
    if (read.outcome === "missing") return { outcome: "none" };
    const damaged = (reason: string) => ({
      outcome: "damaged" as const,
      problem: { file: this.path, reason: `${reason}; read marks do not count`, outcome: "unreadable" as const },
    });
    if (read.outcome === "unreadable") return { ...damaged(`cannot be read (${read.reason})`), outcome: "unread" };
    if (read.outcome !== "text") return damaged(read.reason);
    const decoded = readMarksCodec().decodeReadMarks(read.text);
    if (decoded.outcome === "damaged") return { ...damaged(decoded.reason), since: read.stamp[0] / 1000 };
    this.remember(read.stamp, decoded.marks);
    return { outcome: "marks", marks: decoded.marks };
  }

  private write(marks: ReadMarks): void {
    writing().replaceFile(this.path, readMarksCodec().encodeReadMarks(marks));
    const presence = presenceOf(this.path);
    if (presence.outcome === "there") this.remember(stampOf(presence.stats), marks);
  }

  private remember(stamp: Stamp, marks: ReadMarks): void {
    this.known = { stamp, marks };
    this.cache.save([["marks", { stamp, value: marks }]]);
  }

  private setAside(): void {
    try {
      renameSync(this.path, `${this.path}.damaged`);
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") return;
      throw new SessionsError(
        "unwritable",
        `Cannot move the damaged ${this.path} aside: ${reasonOf(error)}.`,
        "Move it away yourself.",
        { cause: error },
      );
    }
  }
}

function isMarks(value: unknown): value is ReadMarks {
  return (
    typeof value === "object" &&
    value !== null &&
    "baseline" in value &&
    typeof value.baseline === "number" &&
    "sessions" in value &&
    typeof value.sessions === "object" &&
    value.sessions !== null
  );
}

/** The marks without those of sessions that are long gone; `listed` are the sessions there are. */
export function pruneMarks(
  sessions: Readonly<Record<string, ReadMark>>,
  listed: ReadonlySet<string>,
  now: Seconds,
): Record<string, ReadMark> {
  return Object.fromEntries(
    Object.entries(sessions).filter(([id, mark]) => listed.has(id) || (mark.readUntil ?? now) > now - KEPT),
  );
}
