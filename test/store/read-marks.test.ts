import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pruneMarks, ReadMarksFile } from "../../src/store/read-marks";
import { scratchFolder } from "../scratch";

const NOW = 1_800_000_000;

test("first use writes the baseline, once, for this user alone", () => {
  const home = join(scratchFolder(), "home");
  expect(new ReadMarksFile(home).load(NOW)).toEqual({ marks: { baseline: NOW, sessions: {} } });
  expect(new ReadMarksFile(home).load(NOW + 500)).toEqual({ marks: { baseline: NOW, sessions: {} } });
  expect(statSync(join(home, "read-marks.json")).mode & 0o777).toBe(0o600);
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test("what one process marks, another reads, and no mark of either is lost", () => {
  const home = join(scratchFolder(), "home");
  const one = new ReadMarksFile(home);
  const other = new ReadMarksFile(home);
  one.load(NOW);
  other.load(NOW);
  one.update(NOW, (sessions) => ({ ...sessions, "claude:a": { readUntil: 5 } }));
  other.update(NOW, (sessions) => ({ ...sessions, "claude:b": { readUntil: 6, keptUnread: 7 } }));
  expect(one.load(NOW).marks.sessions).toEqual({
    "claude:a": { readUntil: 5 },
    "claude:b": { readUntil: 6, keptUnread: 7 },
  });
});

test.each([
  ["not JSON", "{"],
  ["another version", '{"version":2,"baseline":5,"sessions":{}}'],
  ["a baseline that is no time", '{"version":1,"baseline":"then","sessions":{}}'],
  ["a mark that is no time", '{"version":1,"baseline":5,"sessions":{"a":{"read_until":"now"}}}'],
])("damaged marks (%s) are a problem, hide no later answer, and are kept aside on the next write", (_what, text) => {
  const home = scratchFolder();
  const file = join(home, "read-marks.json");
  writeFileSync(file, text);
  const damagedAt = statSync(file).mtimeMs / 1000;
  const marks = new ReadMarksFile(home);
  const loaded = marks.load(NOW * 2);
  expect(loaded.problem).toMatchObject({ file, outcome: "unreadable" });
  expect(loaded.marks.baseline).toBeCloseTo(damagedAt, 3);
  expect(readFileSync(file, "utf8")).toBe(text);
  marks.update(NOW, () => ({ "claude:a": { readUntil: 5 } }));
  expect(readFileSync(`${file}.damaged`, "utf8")).toBe(text);
  expect(marks.load(NOW).marks.sessions).toEqual({ "claude:a": { readUntil: 5 } });
});

test("a home that cannot be made is a problem, and then nothing is unread", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "home"), "in the way");
  const { marks, problem } = new ReadMarksFile(join(folder, "home")).load(NOW);
  expect(marks).toEqual({ baseline: NOW, sessions: {} });
  expect(problem?.reason).toMatch(/cannot be written, so nothing is marked unread/);
});

test("a mark outlives its session by 90 days, not for ever", () => {
  const marks = {
    gone: { readUntil: NOW - 91 * 86_400 },
    recent: { readUntil: NOW - 89 * 86_400 },
    listed: { readUntil: 5 },
  };
  expect(Object.keys(pruneMarks(marks, new Set(["listed"]), NOW))).toEqual(["recent", "listed"]);
});

test("a cache of the marks is only believed for the very file it was made of", () => {
  const home = scratchFolder();
  mkdirSync(join(home, "cache"), { recursive: true });
  const first = new ReadMarksFile(home);
  first.load(NOW);
  first.update(NOW, () => ({ "claude:a": { readUntil: 5 } }));
  expect(existsSync(join(home, "cache", "read-marks.json"))).toBe(true);
  writeFileSync(join(home, "read-marks.json"), JSON.stringify({ version: 1, baseline: 7, sessions: {} }));
  expect(new ReadMarksFile(home).load(NOW).marks).toEqual({ baseline: 7, sessions: {} });
});
