import { existsSync } from "node:fs";
import { join } from "node:path";
import { ParseCache, REST_MS, type CachedRow } from "../../src/store/parse-cache";
import { scratchFolder } from "../scratch";

const NOW = 1_800_000_000_000;

/** So many rows, the first of which changed so long ago, in milliseconds; the others long before. */
function rows(count: number, ageMs: number): ReadonlyMap<string, CachedRow> {
  const row = (at: number): CachedRow => ({ stamp: [at, at, 1, 1], value: {} });
  return new Map(Array.from({ length: count }, (_, n) => [`r${n}`, row(n === 0 ? NOW - ageMs : 1)]));
}

test.each<[string, number, number, number, boolean]>([
  ["nothing was read", 1000, 60_000, 0, false],
  ["few were read, and one changed just now", 1000, REST_MS - 1, 10, false],
  ["more than a hundredth was read, and one changed just now", 1000, REST_MS - 1, 11, true],
  ["one was read, and all are at rest", 1000, REST_MS + 1, 1, true],
])("%s", (_name, count, ageMs, read, isKept) => {
  const home = scratchFolder();
  let asked = 0;
  const given = () => {
    asked += 1;
    return rows(count, ageMs);
  };
  expect(new ParseCache(home, "table", "these").keep(given, read, NOW)).toBe(isKept);
  expect(existsSync(join(home, "cache", "table.json"))).toBe(isKept);
  expect(new ParseCache(home, "table", "these").load().size).toBe(isKept ? count : 0);
  expect(asked).toBe(read === 0 ? 0 : 1);
});
