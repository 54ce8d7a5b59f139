import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { follow, type Live } from "../../src/observe/live";
import { observe, Observer } from "../../src/observe/observer";
import type { Snapshot } from "../../src/observe/snapshot";
import { ReadMarksFile } from "../../src/store/read-marks";
import { statusDirectoriesOf, type Places } from "../../src/store/places";
import { deliver } from "../inbox-file";
import { scratchPlaces } from "../scratch";

const NOW = 1_800_000_000;
const clock = () => NOW * 1000;

interface Two extends Places {
  /** The further directory. */
  other: string;
}

/** Two status directories, the second with a label. */
function twoDirectories(): Two {
  const places = scratchPlaces();
  const other = join(places.statusDirectory, "..", "work");
  mkdirSync(other);
  new ReadMarksFile(places.home).load(NOW - 1_000_000);
  return { ...places, other, statusDirectories: [{ path: places.statusDirectory }, { path: other, label: "Work" }] };
}

function write(folder: string, id: string, state: string, fields: Record<string, unknown> = {}): string {
  const file = join(folder, `${id}.json`);
  writeFileSync(`${file}.part`, JSON.stringify({ session_id: id, state, ts: NOW - 60, ...fields }));
  utimesSync(`${file}.part`, NOW - 60, NOW - 60);
  renameSync(`${file}.part`, file);
  return file;
}

const look = (places: Places) => observe({ places, clock });

test("sessions of every directory show, each with the label of its own", async () => {
  const places = twoDirectories();
  write(places.statusDirectory, "s1", "working");
  write(places.other, "s2", "waiting");
  const { sessions, problems } = await look(places);
  expect(sessions.map(({ sessionId, state, configLabel }) => [sessionId, state, configLabel])).toEqual([
    ["s2", "waiting", "Work"],
    ["s1", "working", undefined],
  ]);
  expect(problems).toEqual([]);
});

describe("a session in two directories is one row", () => {
  test.each([
    ["the first", { ts: NOW - 10, event_ts: NOW - 10 }, { ts: NOW - 90, event_ts: NOW - 90 }, "waiting", undefined],
    ["the second", { ts: NOW - 90, event_ts: NOW - 90 }, { ts: NOW - 10, event_ts: NOW - 10 }, "working", "Work"],
  ])("%s is newer and gives the state and the label", async (_which, first, second, state, label) => {
    const places = twoDirectories();
    const one = write(places.statusDirectory, "s1", "waiting", { message: "May I?", ...first });
    const other = write(places.other, "s1", "working", second);
    const { sessions } = await look(places);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ state, sources: ["status"] });
    expect(sessions[0]?.configLabel).toBe(label);
    const newer = state === "waiting" ? one : other;
    expect(sessions[0]?.evidence.map(({ file, verdict }) => [file === newer, verdict])).toEqual([
      [true, "stands"],
      [false, "overruled"],
    ]);
  });

  test("the newer one that cannot be read now does not count, and the row is the readable one's", () => {
    const places = twoDirectories();
    const observer = new Observer({ places, clock, cache: false });
    const file = write(places.statusDirectory, "s1", "waiting", { event_ts: NOW - 10 });
    write(places.other, "s1", "working", { event_ts: NOW - 50 });
    observer.look();
    expect(observer.snapshot().sessions).toMatchObject([{ state: "waiting" }]);
    writeFileSync(file, "{");
    observer.look();
    const { sessions, problems } = observer.snapshot();
    expect(sessions).toMatchObject([{ state: "working", configLabel: "Work" }]);
    expect(problems).toMatchObject([{ file, outcome: "unreadable" }]);
  });

  test("with the same id, two agents are two sessions", async () => {
    const places = twoDirectories();
    write(places.statusDirectory, "s1", "working");
    write(places.other, "s1", "working", { agent: "codex" });
    expect((await look(places)).sessions.map(({ id }) => id).sort()).toEqual(["claude:s1", "codex:s1"]);
  });

  test("gone from one directory, it is the other's", () => {
    const places = twoDirectories();
    let now = NOW;
    const observer = new Observer({ places, clock: () => now * 1000, cache: false });
    const file = write(places.statusDirectory, "s1", "waiting", { event_ts: NOW - 10 });
    write(places.other, "s1", "working", { event_ts: NOW - 50 });
    observer.look();
    rmSync(file);
    observer.look();
    now += 1;
    observer.look();
    expect(observer.snapshot().sessions).toMatchObject([{ state: "working" }]);
  });
});

describe("a session's own configuration folder", () => {
  test("has its label before the directory's", async () => {
    const places = twoDirectories();
    const config = join(places.home, "claude-home");
    mkdirSync(join(config, "sessions"), { recursive: true });
    const entry = { pid: process.pid, sessionId: "s1", cwd: "/w", status: "busy", startedAt: (NOW - 500) * 1000 };
    writeFileSync(join(config, "sessions", `${process.pid}.json`), JSON.stringify(entry));
    write(places.other, "s1", "working");
    const agentDirectories = [{ agent: "claude" as const, path: config, label: "Home" }];
    const { sessions } = await look({ ...places, agentDirectories });
    expect(sessions).toMatchObject([{ sessionId: "s1", configLabel: "Home", sources: ["status", "registry"] }]);
  });
});

describe("what is written", () => {
  test("our own projection goes into the first directory alone, and is no second source", async () => {
    const places = twoDirectories();
    deliver(places.home, {
      agent: "claude",
      at: NOW - 5,
      payload: { session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "Fix it" },
    });
    write(places.other, "s2", "idle");
    const { sessions } = await look(places);
    expect(existsSync(join(places.statusDirectory, "s1.json"))).toBe(true);
    expect(existsSync(join(places.other, "s1.json"))).toBe(false);
    expect(sessions.map(({ sessionId, sources, configLabel }) => [sessionId, sources, configLabel])).toEqual([
      ["s1", ["events"], undefined],
      ["s2", ["status"], "Work"],
    ]);
  });
});

describe("what is wrong", () => {
  test("a broken file is named with its directory, and the rest of both counts", async () => {
    const places = twoDirectories();
    write(places.statusDirectory, "s1", "idle");
    const broken = write(places.other, "s2", "dancing");
    const { sessions, problems } = await look(places);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s1"]);
    expect(problems).toMatchObject([{ file: broken, field: "state", outcome: "refused" }]);
  });

  test("a further directory that is missing is told: what lies there does not show", async () => {
    const places = twoDirectories();
    rmSync(places.other, { recursive: true });
    const { found, problems } = await look(places);
    expect(problems).toEqual([{ file: places.other, reason: "does not exist", outcome: "refused" }]);
    expect(found.statusDirectory).toBe(true);
  });

  test("the first one may be missing: it is made with the first report", async () => {
    const places = twoDirectories();
    rmSync(places.statusDirectory, { recursive: true });
    write(places.other, "s2", "idle");
    const { sessions, found, problems } = await look(places);
    expect(problems).toEqual([]);
    expect(found.statusDirectory).toBe(true);
    expect(sessions).toHaveLength(1);
  });

  test("neither is there: nothing is found, and only the further one is told", async () => {
    const places = twoDirectories();
    for (const { path } of statusDirectoriesOf(places)) rmSync(path, { recursive: true });
    const { found, problems } = await look(places);
    expect(found.statusDirectory).toBe(false);
    expect(problems.map(({ file }) => file)).toEqual([places.other]);
  });

  test("a further one that is a file is told once", async () => {
    const places = twoDirectories();
    rmSync(places.other, { recursive: true });
    writeFileSync(places.other, "");
    expect((await look(places)).problems).toEqual([
      { file: places.other, reason: "is not a folder", outcome: "refused" },
    ]);
  });

  test("an entry of the environment's list that names no folder is told with the variable", async () => {
    const places = scratchPlaces();
    const faults = [{ variable: "AGENT_SESSIONS_STATUS_DIR", reason: '"Work=" names no folder' }];
    const { problems } = await look({ ...places, faults });
    expect(problems).toEqual([
      { file: "AGENT_SESSIONS_STATUS_DIR", reason: '"Work=" names no folder', outcome: "refused" },
    ]);
  });
});

describe("what was read is kept", () => {
  test("for each directory of its own, and a list in another order is read anew", async () => {
    const places = twoDirectories();
    for (const id of ["a", "b"]) write(places.statusDirectory, id, "idle");
    for (const id of ["b", "c"]) write(places.other, id, "working", { event_ts: NOW - 10 });
    const first = await look(places);
    const again = new Observer({ places, clock });
    expect(again.look().parsed).toBe(0);
    expect(again.snapshot().sessions).toEqual(first.sessions);

    const turned = { ...places, statusDirectories: [...statusDirectoriesOf(places)].reverse() };
    const other = new Observer({ places: turned, clock });
    expect(other.look().parsed).toBe(4);
    expect(other.snapshot().sessions.map(({ sessionId, state }) => `${sessionId} ${state}`)).toEqual(
      first.sessions.map(({ sessionId, state }) => `${sessionId} ${state}`),
    );
  });

  test("a file of one directory costs one parse, though the other has its name as well", async () => {
    const places = twoDirectories();
    write(places.statusDirectory, "a", "idle");
    write(places.other, "a", "idle");
    const observer = new Observer({ places, clock, cache: false });
    observer.look();
    const file = write(places.other, "a", "working", { event_ts: NOW - 1 });
    expect(observer.look([file]).parsed).toBe(1);
    expect(observer.snapshot().sessions).toMatchObject([{ state: "working" }]);
  });
});

describe("while it is followed", () => {
  const followed: Live[] = [];

  afterEach(async () => {
    for (const live of followed.splice(0)) await live.stop();
  });

  test("a change in the further directory shows", async () => {
    const places = twoDirectories();
    write(places.other, "s1", "working");
    let told = (snapshot: Snapshot) => void snapshot;
    followed.push(await follow({ places }, { onSnapshot: (snapshot) => told(snapshot) }));
    const seen = new Promise<void>((done) => {
      told = ({ sessions }) => {
        if (sessions.some(({ state }) => state === "waiting")) done();
      };
    });
    write(places.other, "s1", "waiting", { ts: Date.now() / 1000, event_ts: Date.now() / 1000 });
    await seen;
  });

  test("each directory is watched", () => {
    const places = twoDirectories();
    expect(new Observer({ places, clock, cache: false }).folders).toEqual(
      expect.arrayContaining([places.statusDirectory, places.other]),
    );
  });
});

const asUser = process.geteuid?.() === 0 ? test.skip : test;

asUser("a directory that cannot be listed keeps its rows, and the other goes on", () => {
  const places = twoDirectories();
  write(places.statusDirectory, "s1", "idle");
  write(places.other, "s2", "working");
  const observer = new Observer({ places, clock, cache: false });
  observer.look();
  chmodSync(places.other, 0);
  observer.look();
  chmodSync(places.other, 0o700);
  expect(observer.snapshot().sessions).toHaveLength(2);
});
