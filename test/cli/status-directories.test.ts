import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { invokeMark, type Invoker } from "../../src/cli/invoke";
import { run } from "../../src/cli/run";
import { snapshotSchema } from "../../src/cli/snapshot-schema";
import { placesOf } from "../../src/store/places";
import { ReadMarksFile } from "../../src/store/read-marks";
import { cliIo } from "../cli-io";
import { scratchPlaces } from "../scratch";
import { FakeCommand } from "../views/fake-command";

const NOW = 1_800_000_000;
const clock = () => NOW * 1000;

/** Two status directories: one that has a comma in its path, and one with a label. */
class Directories {
  readonly places = scratchPlaces();
  readonly first = join(this.places.statusDirectory, "..", "mine, too");
  readonly other = join(this.places.statusDirectory, "..", "work");

  constructor() {
    for (const folder of [this.first, this.other]) mkdirSync(folder);
    new ReadMarksFile(this.places.home).load(NOW - 100_000);
  }

  get list(): string {
    return `"${this.first}", Work=${this.other}`;
  }

  write(folder: string, id: string, fields: Record<string, unknown>): void {
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ session_id: id, ts: NOW - 60, ...fields }));
  }

  io(list = this.list) {
    return cliIo(this.places, { clock, environment: { HOME: this.places.home, AGENT_SESSIONS_STATUS_DIR: list } });
  }

  async json(list?: string) {
    const io = this.io(list);
    expect(await run(["list", "--json"], io)).toBe(0);
    return snapshotSchema.parse(JSON.parse(io.out()));
  }
}

test("list --json has the sessions of all, one row each, with the label and the newer state", async () => {
  const two = new Directories();
  two.write(two.first, "s1", { state: "working", event_ts: NOW - 50 });
  two.write(two.other, "s1", { state: "waiting", event_ts: NOW - 10, message: "May I?" });
  two.write(two.first, "s2", { state: "idle" });
  two.write(two.other, "s3", { state: "working" });
  const { sessions, problems } = await two.json();
  expect(sessions.map(({ session_id, state, config, sources }) => [session_id, state, config, sources])).toEqual([
    ["s1", "waiting", "Work", ["status"]],
    ["s3", "working", "Work", ["status"]],
    ["s2", "idle", null, ["status"]],
  ]);
  expect(problems).toEqual([]);
});

test("what is wrong with one of them is named: a broken file, a missing folder, an entry that names none", async () => {
  const two = new Directories();
  two.write(two.first, "s1", { state: "idle" });
  two.write(two.other, "s2", { state: "dancing" });
  expect((await two.json()).problems).toMatchObject([{ file: join(two.other, "s2.json"), field: "state" }]);
  rmSync(two.other, { recursive: true });
  const { sessions, problems } = await two.json(`${two.list},Play=`);
  expect(sessions.map(({ session_id }) => session_id)).toEqual(["s1"]);
  expect(problems.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
    'AGENT_SESSIONS_STATUS_DIR: "Play=" names no folder',
    `${two.other}: does not exist`,
  ]);
});

test("the table says it on the other output", async () => {
  const two = new Directories();
  two.write(two.first, "s1", { state: "idle" });
  rmSync(two.other, { recursive: true });
  const io = two.io();
  await run(["list"], io);
  expect(io.err()).toContain(`agent-sessions: ${two.other}: does not exist\n`);
});

test("show, and the overview, tell which directory a session is of", async () => {
  const two = new Directories();
  two.write(two.other, "s3", { state: "working", cwd: "/w/shop" });
  const [shown, wide] = [two.io(), two.io()];
  await run(["show", "s3"], shown);
  expect(shown.out()).toMatch(/Config +Work/);
  await run(["list", "--wide"], wide);
  expect(wide.out()).toContain("shop [Work]");
});

test("read marks a session of any directory", async () => {
  const two = new Directories();
  two.write(two.other, "s1", { state: "done", done_at: NOW - 50 });
  expect((await two.json()).sessions).toMatchObject([{ unread: true }]);
  expect(await run(["read", "s1"], two.io())).toBe(0);
  expect((await two.json()).sessions).toMatchObject([{ unread: false }]);
});

const COMMAND = resolve(__dirname, "../../build/agent-sessions.js");

// Runs on what `npm run build` left.
const built = existsSync(COMMAND) ? describe : describe.skip;

built("the command as it is built", () => {
  /** Asks it as a status bar does, again and again; it keeps what it read, and what it answered. */
  function asked(two: Directories): string[] {
    const env = { PATH: process.env.PATH, ...two.io().environment };
    const { stdout, stderr, status } = spawnSync(process.execPath, [COMMAND, "list", "--json"], {
      env,
      encoding: "utf8",
    });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    return snapshotSchema.parse(JSON.parse(stdout)).sessions.map(({ session_id, state }) => `${session_id} ${state}`);
  }

  test("says the same on later runs, and sees what changes in any directory, and one that goes and comes", () => {
    const two = new Directories();
    const write = (folder: string, id: string, state: string, at: number) => {
      two.write(folder, id, { state, ts: at, event_ts: at });
      utimesSync(join(folder, `${id}.json`), Date.now() / 1000 - 30, Date.now() / 1000 - 30);
    };
    write(two.first, "a", "working", NOW - 50);
    write(two.other, "a", "idle", NOW - 40);
    write(two.other, "b", "working", NOW - 40);
    for (let run = 0; run < 3; run += 1) expect(asked(two)).toEqual(["b working", "a idle"]);
    write(two.first, "a", "waiting", NOW - 30);
    for (let run = 0; run < 2; run += 1) expect(asked(two)).toEqual(["a waiting", "b working"]);
    write(two.other, "b", "failed", NOW - 20);
    for (let run = 0; run < 2; run += 1) expect(asked(two)).toEqual(["a waiting", "b failed"]);
    renameSync(two.other, `${two.other}-away`);
    for (let run = 0; run < 2; run += 1) expect(asked(two)).toEqual(["a waiting"]);
    renameSync(`${two.other}-away`, two.other);
    expect(asked(two)).toEqual(["a waiting", "b failed"]);
  }, 60_000);
});

describe("what the launcher hands on", () => {
  const environment = { HOME: "/home/dev" };

  /** Calls a command that keeps a variable it got, and gives that. */
  async function handedOn(
    preferences: Invoker["preferences"],
    name = "AGENT_SESSIONS_STATUS_DIR",
    more: Record<string, string> = {},
  ): Promise<string> {
    const command = new FakeCommand();
    const out = join(dirname(command.path), "variable");
    writeFileSync(command.path, `#!/bin/sh\nprintf %s "$${name}" >'${out}'\n`, { mode: 0o755 });
    const invoker: Invoker = { preferences, commandPath: command.path, environment: { ...environment, ...more } };
    await invokeMark({ verb: "read-all" }, invoker).catch(() => undefined);
    return readFileSync(out, "utf8");
  }

  test("is the whole list, absolute", async () => {
    expect(await handedOn({ statusDirectory: '~/a, Work="/b, c"' })).toBe('/home/dev/a,Work="/b, c"');
  });

  test("is a plain path where there is one directory, as earlier versions of the command read it", async () => {
    expect(await handedOn({ statusDirectory: "~/a b" })).toBe("/home/dev/a b");
    expect(await handedOn({})).toBe("/home/dev/.claude/aitention/status");
  });

  test("has Claude's folders of the preference and of the environment, as both count in the launcher", async () => {
    const list = { AGENT_SESSIONS_CLAUDE_DIRS: "Home=/h" };
    const handed = await handedOn({ claudeDirectories: 'Work="/a, b"' }, "AGENT_SESSIONS_CLAUDE_DIRS", list);
    const { agentDirectories } = placesOf({ HOME: "/home/dev", AGENT_SESSIONS_CLAUDE_DIRS: handed });
    expect(agentDirectories).toEqual(
      placesOf({ HOME: "/home/dev", ...list }, { claudeDirectories: 'Work="/a, b"' }).agentDirectories,
    );
    expect(agentDirectories?.map(({ path }) => path)).toEqual(["/home/dev/.claude", "/a, b", "/h", "/home/dev/.codex"]);
  });
});
