import { createHash } from "node:crypto";
import { join } from "node:path";
import { writing } from "./writing";
import { readGuarded, refusalOnTheWay, type Stamp } from "./guarded-read";

/** Raised whenever the shape of what is cached changes: an older cache is not read. */
const CACHE_VERSION = 5;

/** When more than this share of its rows was read anew, a cache is written anew, whatever goes on. */
const CACHE_SHARE = 0.01;

/** Files that changed so lately are likely to do so again: to keep something for few of them would not pay. In milliseconds. */
export const REST_MS = 3_000;

const CACHE_LIMIT = 256 * 1024 * 1024;

/** What was read of one file, and of which version of it. */
export interface CachedRow {
  stamp: Stamp;
  value: unknown;
}

/**
 * What was read of files, kept between runs by our own home's `cache/`, so that a file which did not change is
 * neither read nor parsed again. It holds nothing that is not in the files, and may be deleted at any time.
 *
 * @param subject what the rows are of (a folder, a file); a cache of another subject counts as none
 */
export class ParseCache {
  private readonly file: string;

  constructor(
    private readonly home: string,
    name: string,
    private readonly subject: string,
  ) {
    this.file = join(home, "cache", `${name}.json`);
  }

  /** The rows by name; none when there is no cache, or it is of another version or subject, or a byte of it changed. */
  load(): Map<string, CachedRow> {
    if (this.isRefused) return new Map();
    const read = readGuarded(this.file, { limit: CACHE_LIMIT, links: "refuse" });
    if (read.outcome !== "text") return new Map();
    try {
      const end = read.text.indexOf("\n");
      const body = read.text.slice(end + 1, -1);
      if (read.text.slice(0, end) !== headLine(body)) return new Map();
      const cache: unknown = JSON.parse(body);
      if (!isCache(cache) || cache.subject !== this.subject) return new Map();
      const rows = new Map<string, CachedRow>();
      for (const row of cache.rows) if (isRow(row)) rows.set(row[0], { stamp: row[1], value: row[2] });
      return rows;
    } catch {
      return new Map();
    }
  }

  /** Whether the home, or its folder for caches, is not the user's: what is wrong with it is said where its sessions are read. */
  private get isRefused(): boolean {
    return refusalOnTheWay(this.home, "cache") !== undefined;
  }

  /**
   * Replaces the cache when that pays: when much was read anew, or anything, and all of it is at rest.
   *
   * @param rowsNow gives the rows as they are; not asked when nothing was read
   * @param read how many of the files were read since the cache was loaded or kept
   * @returns whether it was replaced
   */
  keep(rowsNow: () => ReadonlyMap<string, CachedRow>, read: number, nowMs: number): boolean {
    if (read === 0) return false;
    const rows = rowsNow();
    const isAtRest = () => Array.from(rows.values()).every(({ stamp: [mtimeMs] }) => mtimeMs < nowMs - REST_MS);
    if (read <= rows.size * CACHE_SHARE && !isAtRest()) return false;
    this.save(rows);
    return true;
  }

  /** Replaces the cache. That it cannot be written costs speed, never an answer. */
  save(rows: Iterable<readonly [string, CachedRow]>): void {
    if (this.isRefused) return;
    try {
      const body = JSON.stringify({
        subject: this.subject,
        rows: Array.from(rows, ([name, { stamp, value }]) => [name, stamp, value]),
      });
      writing().replaceFile(this.file, `${headLine(body)}\n${body}]`);
    } catch {
      return;
    }
  }
}

/** The first line of a cache, a list in JSON: rows are taken as they are, so that a damage to them has to show. */
function headLine(body: string): string {
  const checksum = createHash("sha1").update(body).digest("hex");
  return `[${JSON.stringify({ version: CACHE_VERSION, checksum })},`;
}

function isCache(value: unknown): value is { subject: unknown; rows: unknown[] } {
  return (
    typeof value === "object" && value !== null && "subject" in value && "rows" in value && Array.isArray(value.rows)
  );
}

function isRow(value: unknown): value is [name: string, stamp: Stamp, value: unknown] {
  if (!Array.isArray(value) || value.length !== 3 || typeof value[0] !== "string") return false;
  const stamp: unknown = value[1];
  return Array.isArray(stamp) && stamp.length === 4 && typeof stamp[0] === "number" && typeof stamp[3] === "number";
}
