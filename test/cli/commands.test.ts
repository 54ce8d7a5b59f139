import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import stringWidth from "string-width";
import { run } from "../../src/cli/run";
import {
  sessionDetailSchema,
  sessionSchema,
  snapshotJsonSchema,
  snapshotSchema,
  statusSchema,
} from "../../src/cli/snapshot-schema";
import { ReadMarksFile } from "../../src/store/read-marks";
import type { Places } from "../../src/store/places";
import { cliIo } from "../cli-io";
import { scratchPlaces } from "../scratch";

const NOW = 1_800_000_000;
const clock = () => NOW * 1000;

/** A machine with one session of many kinds. */
function machine(): Places {
  const places = scratchPlaces();
  new ReadMarksFile(places.home).load(NOW - 100_000);
  const write = (id: string, fields: Record<string, unknown>) =>
    writeFileSync(
      join(places.statusDirectory, `${id}.json`),
      JSON.stringify({ session_id: id, ts: NOW - 60, ...fields }),
    );
  write("aaaa-1", {
    state: "waiting",
    ts: NOW - 300,
    message: "Bash: rm -r build",
    cwd: "/w/shop",
    title: "Clean the build",
    tool: "Bash",
  });
  write("aaaa-2", {
    state: "done",
    ts: NOW - 120,
    done_at: NOW - 120,
    agent: "codex",
    cwd: "/w/api",
    title: "Add an index",
  });
  write("bbbb-1", { state: "working", activity: "Running the tests", cwd: "/w/shop" });
  write("cccc-1", { state: "idle", ts: NOW - 7200, agent: "gemini" });
  write("dddd-1", { state: "dormant", ts: NOW - 90_000 });
  write("eeee-1", { state: "done", ts: NOW - 50, done_at: NOW - 50, wakeup_at: NOW + 600, title: "Nightly" });
  return places;
}

async function cli(places: Places, argv: string[], given: Parameters<typeof cliIo>[1] = {}) {
  const io = cliIo(places, { clock, ...given });
  const code = await run(argv, io);
  return { code, out: io.out(), err: io.err() };
}

describe("list", () => {
  test("is a table, those that need you first, with state, title, project, agent, age and message", async () => {
    const { code, out, err } = await cli(machine(), ["list"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")).toEqual([
      "!  Waiting            Clean the build (shop)  claude  5m   Bash: rm -r build",
      "✓  Done               Add an index (api)      codex   2m",
      "◷  Scheduled, unread  Nightly                 claude  50s  wakes up in 10m",
      "▶  Working            shop                    claude  1m   Running the tests",
      "·  Idle               cccc-1                  gemini  2h",
      "-  Ended              dddd-1                  claude  1d",
      "",
      "1 needs you, 2 unread, 1 working, 1 scheduled",
      "",
    ]);
  });

  test("is what the program does without a command", async () => {
    const places = machine();
    expect((await cli(places, [])).out).toBe((await cli(places, ["list"])).out);
  });

  test.each([20, 40, 60, 80, 120])("fits %i columns, in color too", async (columns) => {
    const places = machine();
    writeFileSync(
      join(places.statusDirectory, "wide.json"),
      JSON.stringify({
        session_id: "wide",
        state: "decision",
        ts: NOW,
        title: "修复失败的测试".repeat(20),
        message: "👍".repeat(200),
      }),
    );
    const { out } = await cli(places, ["list"], { columns });
    const lines = out.split("\n");
    expect(Math.max(...lines.slice(0, 7).map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    expect(out).toContain("\u001b[");
  });

  test("has colors on a terminal only, and none with NO_COLOR or a dumb one", async () => {
    const places = machine();
    expect((await cli(places, ["list"], { columns: 100 })).out).toContain("\u001b[31m");
    expect((await cli(places, ["list"])).out).not.toContain("\u001b");
    expect((await cli(places, ["list"], { columns: 100, environment: { NO_COLOR: "1" } })).out).not.toContain("\u001b");
    expect((await cli(places, ["list"], { columns: 100, environment: { TERM: "dumb" } })).out).not.toContain("\u001b");
  });

  test("what a session says cannot steer the terminal", async () => {
    const places = scratchPlaces();
    const evil = "\u001b]0;owned\u0007\u001b[2J\n\rx\u202ey";
    writeFileSync(
      join(places.statusDirectory, "evil.json"),
      JSON.stringify({ session_id: "evil", state: "waiting", ts: NOW, title: evil, message: evil, cwd: `/w/${evil}` }),
    );
    for (const argv of [["list"], ["show", "evil"], ["status"]]) {
      const { out, err } = await cli(places, argv);
      // eslint-disable-next-line no-control-regex
      expect(out.replaceAll("\n", "") + err.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  });

  test.each<[string[], string[]]>([
    [["--needs-me"], ["claude:aaaa-1"]],
    [
      ["--state", "done,working"],
      ["codex:aaaa-2", "claude:bbbb-1"],
    ],
    [["--state", "Ended"], ["claude:dddd-1"]],
    [
      ["--agent", "codex-cli,gemini"],
      ["codex:aaaa-2", "gemini:cccc-1"],
    ],
    [["--agent", "claude-code", "--state=idle,working"], ["claude:bbbb-1"]],
  ])("filters by %j", async (options, ids) => {
    const { code, out } = await cli(machine(), ["list", "--json", ...options]);
    expect(code).toBe(0);
    expect(snapshotSchema.parse(JSON.parse(out)).sessions.map(({ id }) => id)).toEqual(ids);
  });

  test("a filter that leaves none ends with 3", async () => {
    const { code, out } = await cli(machine(), ["list", "--state", "failed"]);
    expect({ code, out }).toEqual({ code: 3, out: "No session matches the filter.\n" });
  });

  test("with nothing there says what to do, and that is no failure", async () => {
    const places = scratchPlaces();
    expect(await cli(places, ["list"])).toMatchObject({ code: 0, out: expect.stringMatching(/^No sessions\. /) });
    rmSync(places.statusDirectory, { recursive: true });
    expect((await cli(places, ["list"])).out).toMatch(/no agent reports here yet/);
  });
});

describe("list --json is a contract", () => {
  test("its output holds to the schema", async () => {
    const snapshot = snapshotSchema.parse(JSON.parse((await cli(machine(), ["list", "--json"])).out));
    expect(snapshot).toMatchObject({ schema_version: 1, generated_at: "2027-01-15T08:00:00.000Z", problems: [] });
    expect(snapshot.sessions.find(({ id }) => id === "claude:aaaa-1")).toEqual({
      id: "claude:aaaa-1",
      agent: "claude",
      session_id: "aaaa-1",
      surface: null,
      state: "waiting",
      since: "2027-01-15T07:55:00.000Z",
      age_seconds: 300,
      unread: false,
      needs_you: true,
      title: "Clean the build",
      project: "shop",
      cwd: "/w/shop",
      message: "Bash: rm -r build",
      waiting_for: null,
      activity: null,
      tool: "Bash",
      event: null,
      event_at: null,
      permission_mode: null,
      turn_started_at: null,
      running_subagents: [],
      name: null,
      kind: null,
      version: null,
      config: null,
      pid: null,
      process: "unknown",
      model: null,
      context_tokens: null,
      context_window: null,
      last_answer_at: null,
      // An hour is usual for the agent, but nothing tells when it last answered.
      cache: { state: "unknown", until: null, cold_since: null, ttl_seconds: 3600, ttl_from: "assumed" },
      plugin: null,
      request: null,
      same_process: [],
      done_at: null,
      wakeup_at: null,
      subagents: 0,
      background: [],
      monitors: [],
      sources: ["status"],
      unreadable_since: null,
    });
  });

  test("the published JSON Schema is the one of this version", () => {
    const published: unknown = JSON.parse(readFileSync(join(__dirname, "../../docs/snapshot-v1.schema.json"), "utf8"));
    expect(published).toEqual(snapshotJsonSchema());
  });

  test("the fields that were promised are required", () => {
    const promised =
      `id agent session_id state since age_seconds unread needs_you title project cwd message activity tool
      subagents background monitors wakeup_at sources`.split(/\s+/);
    expect(Object.keys(sessionSchema.shape)).toEqual(expect.arrayContaining(promised));
    expect(Object.keys(snapshotSchema.shape).sort()).toEqual([
      "aggregate",
      "generated_at",
      "problems",
      "schema_version",
      "sessions",
    ]);
  });
});

describe("status", () => {
  test("is one line", async () => {
    expect((await cli(machine(), ["status"])).out).toBe("1 needs you, 2 unread, 1 working, 1 scheduled\n");
    expect((await cli(scratchPlaces(), ["status"])).out).toBe("idle\n");
  });

  test("--json has the keys of Agent Signal's status, over all sources", async () => {
    const places = machine();
    mkdirSync(dirname(places.signalStateFile), { recursive: true });
    const at = "2027-01-15T07:59:00Z";
    writeFileSync(
      places.signalStateFile,
      JSON.stringify({
        sessions: { job: { signal: "blocked", agent: "script", last_event: "CommandFailed:6", updated_at: at } },
        events: [
          { id: "1", session_id: "job", signal: "working", agent: "script", event: "CommandStarted", updated_at: at },
          { id: "2", session_id: "job", signal: "blocked", agent: "script", event: "CommandFailed:6", updated_at: at },
        ],
      }),
    );
    const status = statusSchema.parse(JSON.parse((await cli(places, ["status", "--json"])).out));
    expect(status).toMatchObject({
      schema_version: 1,
      aggregate: "blocked",
      display_state: "blocked",
      lamp_state: "blocked",
      priority: 90,
      display_name: "Blocked or Failed",
      action: "Act now",
      state_file: places.signalStateFile,
    });
    expect(status.sessions.map(({ session_id, signal }) => `${session_id} ${signal}`)).toEqual([
      "job blocked",
      "aaaa-1 permission_request",
      "bbbb-1 working",
      "aaaa-2 done",
      "eeee-1 idle",
      "cccc-1 idle",
    ]);
    expect(status.recent_events.map(({ id }) => id)).toEqual(["2", "1"]);
  });

  test("labels follow the language, keys do not", async () => {
    const { out } = await cli(machine(), ["status", "--json"], { environment: { LANG: "zh_CN.UTF-8" } });
    expect(JSON.parse(out)).toMatchObject({ aggregate: "permission", display_name: "请求授权", action: "马上处理" });
    const english = await cli(machine(), ["status", "--json"], {
      environment: { LANG: "zh_CN.UTF-8", AGENT_SIGNAL_LANG: "en" },
    });
    expect(JSON.parse(english.out)).toMatchObject({ display_name: "Asks Permission" });
  });
});

describe("show", () => {
  test("tells everything of a session, by a beginning of its id", async () => {
    const { code, out } = await cli(machine(), ["show", "b"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^▶ shop: Working\n/);
    expect(out).toMatch(/Does +Running the tests\n/);
    expect(out).toMatch(/ID +claude:bbbb-1\n/);
    expect(out).toMatch(/Source +status: working, .*bbbb-1\.json\n/);
  });

  test("--json is one session of the contract", async () => {
    const { out } = await cli(machine(), ["show", "codex:aaaa-2", "--json"]);
    expect(sessionDetailSchema.parse(JSON.parse(out))).toMatchObject({
      id: "codex:aaaa-2",
      unread: true,
      evidence: [{ source: "status", file: expect.stringMatching(/aaaa-2\.json$/), state: "done" }],
    });
  });

  test("an id nobody has ends with 3, one that several have with 2 and their names", async () => {
    expect(await cli(machine(), ["show", "zzz"])).toEqual({
      code: 3,
      out: "",
      err: 'agent-sessions: No session matches "zzz". Run agent-sessions list to see them.\n',
    });
    expect(await cli(machine(), ["show", "aaaa"])).toEqual({
      code: 2,
      out: "",
      err: 'agent-sessions: "aaaa" matches 2 sessions: claude:aaaa-1, codex:aaaa-2. Give more of the id.\n',
    });
  });
});

describe("read and unread", () => {
  const states = async (places: Places) => {
    const { sessions } = snapshotSchema.parse(JSON.parse((await cli(places, ["list", "--json"])).out));
    return Object.fromEntries(
      sessions
        .filter(({ done_at }) => done_at !== null)
        .map(({ session_id, state, unread }) => [session_id, `${state}${unread ? "*" : ""}`]),
    );
  };

  test("an answer that is read makes the session idle; unread brings it back", async () => {
    const places = machine();
    expect(await states(places)).toEqual({ "aaaa-2": "done*", "eeee-1": "scheduled*" });
    expect(await cli(places, ["read", "aaaa-2"])).toEqual({ code: 0, out: "Marked as read: codex:aaaa-2.\n", err: "" });
    expect(await states(places)).toEqual({ "aaaa-2": "idle", "eeee-1": "scheduled*" });
    expect((await cli(places, ["read", "aaaa-2"])).out).toBe("Already read: codex:aaaa-2.\n");
    expect((await cli(places, ["unread", "aaaa-2"])).out).toBe("Marked as unread: codex:aaaa-2.\n");
    expect(await states(places)).toEqual({ "aaaa-2": "done*", "eeee-1": "scheduled*" });
  });

  test("--all reads everything, and once", async () => {
    const places = machine();
    expect((await cli(places, ["read", "--all"])).out).toBe("Marked as read: 2 sessions.\n");
    expect(await states(places)).toEqual({ "aaaa-2": "idle", "eeee-1": "scheduled" });
    expect((await cli(places, ["read", "--all"])).out).toBe("Nothing to mark as read.\n");
  });

  test("an answer that finished after what the user saw stays unread", async () => {
    const places = machine();
    const until = new Date((NOW - 100) * 1000).toISOString();
    expect((await cli(places, ["read", "--all", "--until", until])).out).toBe("Marked as read: codex:aaaa-2.\n");
    expect(await states(places)).toEqual({ "aaaa-2": "idle", "eeee-1": "scheduled*" });
  });

  test("an answer from before first use can be marked as unread", async () => {
    const places = scratchPlaces();
    writeFileSync(
      join(places.statusDirectory, "old.json"),
      JSON.stringify({ session_id: "old", state: "done", ts: 5000, done_at: 5000 }),
    );
    expect(await states(places)).toEqual({ old: "idle" });
    await cli(places, ["unread", "old"]);
    expect(await states(places)).toEqual({ old: "done*" });
    await cli(places, ["read", "old"]);
    expect(await states(places)).toEqual({ old: "idle" });
  });

  test("--json says what changed", async () => {
    const { out } = await cli(machine(), ["read", "--json", "aaaa-2", "claude:bbbb-1"]);
    expect(JSON.parse(out)).toEqual({ verb: "read", changed: ["codex:aaaa-2"], unchanged: ["claude:bbbb-1"] });
  });

  test("a session without an answer cannot be unread", async () => {
    expect(await cli(machine(), ["unread", "bbbb"])).toEqual({
      code: 2,
      out: "",
      err: "agent-sessions: claude:bbbb-1 has no finished answer. Only an answer can be unread.\n",
    });
  });

  test("neither ids nor --all, or both, is wrong usage", async () => {
    expect(await cli(machine(), ["read"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Name sessions, or give --all."),
    });
    expect(await cli(machine(), ["read", "--all", "aaaa-2"])).toMatchObject({ code: 2 });
  });

  test("marks that cannot be written are a failure with the file's name", async () => {
    const places = machine();
    rmSync(places.home, { recursive: true });
    writeFileSync(places.home, "in the way");
    const { code, err } = await cli(places, ["unread", "aaaa-2"]);
    expect(code).toBe(1);
    expect(err).toContain(places.home);
  });
});

describe("help and usage", () => {
  test("--help lists the commands, each with examples of its own, and the exit codes", async () => {
    const { code, out } = await cli(machine(), ["--help"]);
    expect(code).toBe(0);
    for (const command of ["list", "show", "status", "read", "unread"])
      expect(out).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(out).toContain("Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 nothing matched.");
    expect((await cli(machine(), ["list", "--help"])).out).toContain("Examples:\n  agent-sessions list --needs-me");
  });

  test.each([
    [["dance"], /unknown command 'dance'|too many arguments/],
    [["list", "--state", "asleep"], /"asleep" is not a state. States: idle, working/],
    [["list", "--loud"], /unknown option '--loud'/],
    [["show"], /missing required argument 'id'/],
    [["read", "--all", "--until", "noon"], /"noon" is not a time/],
  ])("%j is wrong usage, said on stderr", async (argv, message) => {
    const { code, out, err } = await cli(machine(), argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  test("--version is a version", async () => {
    expect((await cli(machine(), ["--version"])).out).toMatch(/^\d+\.\d+\.\d+/);
  });
});
