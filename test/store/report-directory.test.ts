import { execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { run } from "../../src/cli/run";
import { observe, Observer } from "../../src/observe/observer";
import { decodeStatusFile } from "../../src/files/status-file";
import { ReportDirectory } from "../../src/store/report-directory";
import { cliIo } from "../cli-io";
import { scratchFolder, scratchPlaces } from "../scratch";

const NOW = Date.now() / 1000;

function write(directory: string, id: string, fields: Record<string, unknown> = {}): string {
  const file = join(directory, `${id}.json`);
  writeFileSync(file, JSON.stringify({ session_id: id, state: "working", ts: NOW - 60, ...fields }));
  return file;
}

/** Sets a file's time back: one that is just being written looks otherwise. */
function settle(file: string): void {
  utimesSync(file, NOW - 30, NOW - 30);
}

/** A clock some seconds on: no read is suspicious of the tick in which the test wrote its files. */
const later = () => Date.now() + 5000;

describe("a directory with 50 good files and 20 broken ones", () => {
  const places = scratchPlaces();
  const { statusDirectory: directory } = places;
  const good = Array.from({ length: 50 }, (_, index) => `good-${String(index).padStart(2, "0")}`);
  for (const id of good) write(directory, id);
  const raw = (name: string, text: string) => writeFileSync(join(directory, name), text);
  const json = (name: string, value: unknown) => raw(name, JSON.stringify(value));

  // Refused: nothing of them can be used.
  raw("truncated.json", '{"session_id": "truncated", "state": "wor');
  raw("empty.json", "");
  raw("not-json.json", "state = working");
  raw("noise.json", "\u0001\u0002".repeat(10 * 1024 * 1024));
  json("array.json", []);
  json("no-state.json", { session_id: "no-state", ts: NOW });
  json("no-time.json", { session_id: "no-time", state: "idle" });
  json("other-state.json", { session_id: "other-state", state: "sleeping", ts: NOW });
  json("text-time.json", { session_id: "text-time", state: "idle", ts: "now" });
  json("wrong-name.json", { session_id: "somebody-else", state: "idle", ts: NOW });
  json(".hidden.json", { session_id: ".hidden", state: "idle", ts: NOW });
  json("number-id.json", { session_id: 5, state: "idle", ts: NOW });
  mkdirSync(join(directory, "folder.json"));
  symlinkSync(join(directory, "good-00.json"), join(directory, "link.json"));
  symlinkSync(join(directory, "nowhere"), join(directory, "dangling.json"));
  execFileSync("mkfifo", [join(directory, "fifo.json")]);
  // Repaired: the session is listed, the field is named.
  const repaired = ["long-message", "bad-agent", "bad-subagents", "bad-background"];
  write(directory, "long-message", { message: "m".repeat(501) });
  write(directory, "bad-agent", { agent: "Not A Name!" });
  write(directory, "bad-subagents", { subagents: -3 });
  write(directory, "bad-background", { background: { b1: { at: "soon" } } });
  const broken = [
    "truncated",
    "empty",
    "not-json",
    "noise",
    "array",
    "no-state",
    "no-time",
    "other-state",
    "text-time",
    "wrong-name",
    ".hidden",
    "number-id",
    "folder",
    "link",
    "dangling",
    "fifo",
    ...repaired,
  ];

  test("has 20 broken ones", () => {
    expect(broken).toHaveLength(20);
  });

  test("lists all 50 and the repaired ones, and names each of the 20, within a second", async () => {
    const begun = process.hrtime.bigint();
    const { sessions, problems } = await observe({ places });
    const milliseconds = Number(process.hrtime.bigint() - begun) / 1e6;
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual([...good, ...repaired].sort());
    expect(Array.from(new Set(problems.map(({ file }) => file))).sort()).toEqual(
      broken.map((name) => join(directory, `${name}.json`)).sort(),
    );
    for (const { file, outcome, reason } of problems) {
      expect(reason).not.toBe("");
      expect(outcome).toBe(repaired.some((name) => file.endsWith(`/${name}.json`)) ? "repaired" : "refused");
    }
    expect(milliseconds).toBeLessThan(1000);
  });

  test("says the same as a command, and the table names the first on stderr", async () => {
    const io = cliIo(places);
    expect(await run(["list", "--json"], io)).toBe(0);
    const snapshot = JSON.parse(io.out()) as { sessions: unknown[]; problems: { file: string }[] };
    expect(snapshot.sessions).toHaveLength(54);
    expect(new Set(snapshot.problems.map(({ file }) => file)).size).toBe(20);
    const table = cliIo(places);
    expect(await run(["list"], table)).toBe(0);
    expect(table.err()).toMatch(/agent-sessions: .*\.json: /);
    expect(table.err()).toMatch(/15 more problems/);
  });
});

function statusDirectoryAt(path: string): ReportDirectory {
  return new ReportDirectory(path, decodeStatusFile);
}

describe("a look at the directory", () => {
  test("parses only what changed", () => {
    const { statusDirectory } = scratchPlaces();
    for (const id of ["a", "b", "c"]) settle(write(statusDirectory, id));
    const directory = statusDirectoryAt(statusDirectory);
    expect(directory.look(later()).parsed).toBe(3);
    expect(directory.look(later())).toMatchObject({ parsed: 0, changed: false });
    settle(write(statusDirectory, "b", { state: "waiting", message: "?" }));
    expect(directory.look(later())).toMatchObject({ parsed: 1, changed: true });
  });

  test("told which file changed, leaves the others alone", () => {
    const { statusDirectory } = scratchPlaces();
    for (const id of ["a", "b"]) settle(write(statusDirectory, id));
    const directory = statusDirectoryAt(statusDirectory);
    directory.look(later());
    settle(write(statusDirectory, "a", { state: "done", extra: 1 }));
    settle(write(statusDirectory, "b", { state: "done", extra: 1 }));
    expect(directory.look(later(), [join(statusDirectory, "a.json")]).parsed).toBe(1);
  });

  test("a file read within the clock tick of its change is read again", () => {
    const { statusDirectory } = scratchPlaces();
    const file = write(statusDirectory, "a");
    const directory = statusDirectoryAt(statusDirectory);
    const changed = Date.now();
    directory.look(changed);
    expect(directory.look(changed).parsed).toBe(1);
    settle(file);
    directory.look(changed + 60_000);
    expect(directory.look(changed + 60_000).parsed).toBe(0);
  });

  test("a half-written file keeps the last good row, marked, and is tried again at once", () => {
    const places = scratchPlaces();
    const file = write(places.statusDirectory, "a", { state: "waiting", message: "May I?" });
    let now = Date.now();
    const observer = new Observer({ places, clock: () => now, cache: false });
    observer.look();
    writeFileSync(file, '{"session_id": "a", "sta');
    now = Date.now() + 5;
    expect(observer.look().retryIn).toBeGreaterThan(0);
    const [row] = observer.snapshot().sessions;
    expect(row).toMatchObject({ state: "waiting", message: "May I?", unreadableSince: now / 1000 });
    expect(observer.snapshot().problems).toMatchObject([{ file, outcome: "unreadable" }]);
    write(places.statusDirectory, "a", { state: "done" });
    now = Date.now() + 60;
    observer.look();
    const [after] = observer.snapshot().sessions;
    expect(after?.unreadableSince).toBeUndefined();
    expect(observer.snapshot().problems).toEqual([]);
  });

  test("a file that stays broken keeps its row and its age, and is not tried for ever", () => {
    const places = scratchPlaces();
    const file = write(places.statusDirectory, "a");
    let now = Date.now();
    const observer = new Observer({ places, clock: () => now, cache: false });
    observer.look();
    writeFileSync(file, "{");
    now += 10;
    observer.look();
    const since = observer.snapshot().sessions[0]?.unreadableSince;
    now += 60_000;
    const later = observer.look();
    expect(later.retryIn).toBeUndefined();
    expect(observer.snapshot().sessions[0]).toMatchObject({ state: "working", unreadableSince: since });
  });

  test("a file that vanishes for a moment keeps its row; one that is gone loses it", () => {
    const places = scratchPlaces();
    const file = write(places.statusDirectory, "a");
    let now = Date.now();
    const observer = new Observer({ places, clock: () => now, cache: false });
    observer.look();
    rmSync(file);
    now += 10;
    expect(observer.look().retryIn).toBeGreaterThan(0);
    expect(observer.snapshot().sessions).toHaveLength(1);
    write(places.statusDirectory, "a", { state: "done" });
    now += 50;
    observer.look();
    expect(observer.snapshot().sessions).toHaveLength(1);
    rmSync(file);
    now += 10;
    observer.look();
    now += 1000;
    observer.look();
    expect(observer.snapshot().sessions).toEqual([]);
  });

  test("a directory that appears later is found, one that goes loses its rows", () => {
    const folder = scratchFolder();
    const path = join(folder, "later");
    const directory = statusDirectoryAt(path);
    directory.look(Date.now());
    expect(directory.exists).toBe(false);
    mkdirSync(path);
    write(path, "a");
    expect(directory.look(Date.now()).changed).toBe(true);
    expect(Array.from(directory.files())).toHaveLength(1);
  });

  test("a file in the directory's place is a problem, not a crash", async () => {
    const places = scratchPlaces();
    rmSync(places.statusDirectory, { recursive: true });
    writeFileSync(places.statusDirectory, "");
    const { sessions, problems } = await observe({ places });
    expect(sessions).toEqual([]);
    expect(problems).toEqual([{ file: places.statusDirectory, reason: "is not a folder", outcome: "refused" }]);
  });

  const isRoot = process.getuid?.() === 0;

  (isRoot ? test : test.skip)(
    "another user's file and another user's directory are refused (needs root to set up)",
    async () => {
      const places = scratchPlaces();
      const file = write(places.statusDirectory, "theirs");
      chownSync(file, 65534, 65534);
      const ours = write(places.statusDirectory, "ours");
      const { sessions, problems } = await observe({ places });
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["ours"]);
      expect(problems).toEqual([{ file, reason: "belongs to another user", outcome: "refused" }]);
      const open = new Observer({ places });
      open.look();
      chownSync(places.statusDirectory, 65534, 65534);
      // Who looks at the whole, and who was told of one file only.
      open.look([ours]);
      for (const refused of [await observe({ places }), open.snapshot()]) {
        expect(refused.sessions).toEqual([]);
        expect(refused.problems).toEqual([
          { file: places.statusDirectory, reason: "belongs to another user", outcome: "refused" },
        ]);
      }
    },
  );
});

describe("the cache of an earlier run", () => {
  test("spares the parsing, and is not needed", async () => {
    const places = scratchPlaces();
    for (const id of ["a", "b", "c"]) settle(write(places.statusDirectory, id));
    await observe({ places, clock: later });
    const cache = join(places.home, "cache", "status-directory.json");
    expect(existsSync(cache)).toBe(true);
    const second = new Observer({ places, clock: later });
    expect(second.look().parsed).toBe(0);
    expect(second.snapshot().sessions).toHaveLength(3);
    for (const damaged of ["", "{", "[]", '{"version":1,"subject":"x","rows":{}}', '{"version":1}']) {
      writeFileSync(cache, damaged);
      const again = new Observer({ places, clock: later });
      expect(again.look().parsed).toBe(3);
      expect(again.snapshot().sessions).toHaveLength(3);
    }
  });

  test("a cached row that was changed is not believed", async () => {
    const places = scratchPlaces();
    settle(write(places.statusDirectory, "a"));
    await observe({ places, clock: later });
    const cache = join(places.home, "cache", "status-directory.json");
    const whole = readFileSync(cache, "utf8");
    // Of another shape, and of the right one.
    for (const other of ["dancing", "waiting"]) {
      writeFileSync(cache, whole.replace('"working"', `"${other}"`));
      const observer = new Observer({ places, clock: later });
      expect(observer.look().parsed).toBe(1);
      expect(observer.snapshot().sessions[0]?.state).toBe("working");
    }
  });

  test("keeps the last good row of a file that broke between two runs", async () => {
    const places = scratchPlaces();
    const file = write(places.statusDirectory, "a", { state: "waiting" });
    settle(file);
    await observe({ places, clock: later });
    writeFileSync(file, "{");
    settle(file);
    const { sessions, problems } = await observe({ places, clock: later });
    expect(sessions).toMatchObject([{ state: "waiting", unreadableSince: expect.any(Number) }]);
    expect(problems).toMatchObject([{ file, outcome: "unreadable" }]);
  });

  test("a file removed between two runs is gone at once", async () => {
    const places = scratchPlaces();
    const file = write(places.statusDirectory, "a");
    settle(file);
    await observe({ places, clock: later });
    rmSync(file);
    const observer = new Observer({ places, clock: later });
    expect(observer.look().retryIn).toBeUndefined();
    expect(observer.snapshot().sessions).toEqual([]);
  });
});
