import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { SignalCommand, T } from "./command";

let signal: SignalCommand;

beforeEach(() => {
  signal = new SignalCommand();
  mkdirSync(signal.folder, { recursive: true });
});

function record(signal: string, age: number, more: object = {}) {
  return { signal, updated_at: T - age, ...more };
}

test("vector 18: a file that is no JSON is stale; reading leaves it, the next signal replaces it", async () => {
  signal.write("{");
  const { code, out, err } = await signal.run(["status", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ aggregate: "stale", updated_at: "2026-05-28T20:26:40Z", sessions: [] });
  expect(err).toMatch(new RegExp(`^agent-signal: ${signal.stateFile}: is not JSON .*\\n$`));
  expect(readFileSync(signal.stateFile, "utf8")).toBe("{");
  await signal.ok(["working", "--session", "x"]);
  expect(signal.document()).toMatchObject({ aggregate: "working", sessions: { x: {} } });
});

test.each<[string, object, string]>([
  ["an unknown signal", { sessions: { x: record("purple", 0) } }, "sessions.x.signal: is not a signal"],
  ["a signal in another spelling", { aggregate: "Working" }, "aggregate: is not a signal"],
  ["a record without a date", { sessions: { x: { signal: "working" } } }, "sessions.x.updated_at: is not a date"],
  [
    "an event without an id",
    { events: [{ session_id: "x", ...record("done", 0) }] },
    "events.0.id: is missing or not a string",
  ],
  ["a date that is none", { updated_at: "yesterday" }, "updated_at: is not an ISO 8601 date or a number of seconds"],
  ["a version that is none", { schema_version: "1" }, "schema_version: is missing or not a number"],
  ["sessions in a list", { sessions: [] }, "sessions: is missing or not an object"],
  [
    "a quota without what is left",
    { sessions: { x: record("working", 0, { quota: { updated_at: T } }) } },
    "sessions.x.quota.remaining_percent: is missing or not a number",
  ],
])("%s makes the whole document stale, and is named", async (_, document, problem) => {
  signal.write({ sessions: {}, events: [], ...document });
  const { code, out, err } = await signal.run(["status", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ aggregate: "stale", sessions: [], recent_events: [] });
  expect(err).toBe(`agent-signal: ${signal.stateFile}: ${problem}\n`);
});

test("vector 19: reading a session that went silent leaves stale, and writes it", async () => {
  signal.write({ aggregate: "working", updated_at: T - 1801, sessions: { x: record("working", 1801) }, events: [] });
  expect(await signal.status()).toMatchObject({ aggregate: "stale", sessions: [], updated_at: "2026-05-28T20:26:40Z" });
  expect(signal.document()).toEqual({
    schema_version: 1,
    aggregate: "stale",
    updated_at: "2026-05-28T20:26:40Z",
    sessions: {},
    events: [],
  });
});

test.each(["done", "tool_done"])("vector 20: reading an expired %s leaves idle, and writes it", async (name) => {
  signal.write({ aggregate: name, sessions: { x: record(name, 31) }, events: [] });
  expect(await signal.status()).toMatchObject({ aggregate: "idle", sessions: [] });
  expect(signal.document()).toMatchObject({ aggregate: "idle", sessions: {} });
});

test("the TTLs are the environment's", async () => {
  signal.write({ sessions: { x: record("working", 50), y: record("done", 9) } });
  signal.environment.SIGNAL_LIGHT_SESSION_TTL_SECONDS = "60";
  signal.environment.SIGNAL_LIGHT_COMPLETED_TTL_SECONDS = "5";
  expect((await signal.status()).sessions.map(({ session_id }) => session_id)).toEqual(["x"]);
});

test("reading what has not changed leaves the file untouched, and makes nothing beside it", async () => {
  const text = JSON.stringify({ aggregate: "working", sessions: { x: record("working", 5) }, other: 1 });
  signal.write(text);
  await signal.status();
  expect(readFileSync(signal.stateFile, "utf8")).toBe(text);
});

test("old documents and those of other writers are understood", async () => {
  signal.write({
    sessions: {
      "no fraction": { signal: "working", updated_at: "2026-05-28T20:26:39Z" },
      fraction: { signal: "working", updated_at: "2026-05-28T20:26:38.750Z", agent: null, last_event: null },
      offset: { signal: "working", updated_at: "2026-05-29T04:26:37+08:00" },
      number: { signal: "working", updated_at: T - 4 },
    },
  });
  expect((await signal.status()).sessions).toEqual([
    { session_id: "no fraction", signal: "working", updated_at: "2026-05-28T20:26:39Z" },
    { session_id: "fraction", signal: "working", updated_at: "2026-05-28T20:26:38Z" },
    { session_id: "offset", signal: "working", updated_at: "2026-05-28T20:26:37Z" },
    { session_id: "number", signal: "working", updated_at: "2026-05-28T20:26:36Z" },
  ]);
});

test("the JSON has every key, sorted, and the aggregate's own names", async () => {
  await signal.ok(["error", "--session", "x", "--agent", "a", "--event", "e"]);
  const out = await signal.ok(["status", "--json"]);
  expect(JSON.parse(out)).toEqual({
    schema_version: 1,
    aggregate: "blocked",
    display_state: "blocked",
    lamp_state: "blocked",
    priority: 90,
    display_name: "Blocked or Failed",
    summary: "The agent failed, is blocked, or cannot continue.",
    action: "Act now",
    state_file: signal.stateFile,
    updated_at: "2026-05-28T20:26:40Z",
    sessions: [{ session_id: "x", agent: "a", signal: "error", last_event: "e", updated_at: "2026-05-28T20:26:40Z" }],
    recent_events: [
      {
        id: "0000ABCD-1",
        session_id: "x",
        agent: "a",
        signal: "error",
        event: "e",
        updated_at: "2026-05-28T20:26:40Z",
      },
    ],
  });
  const keys = Array.from(out.matchAll(/^ {2}"(\w+)":/gm), ([, key]) => key);
  expect(keys).toEqual([...keys].sort());
});

test("the labels are the original's in Chinese; keys and values are the same", async () => {
  await signal.ok(["paused"]);
  const english = await signal.status();
  signal.environment.LANG = "zh_TW.UTF-8";
  const chinese = await signal.status();
  expect(chinese).toEqual({ ...english, display_name: "已关闭", summary: "监控已暂停。", action: "监控已暂停" });
  expect(english).toMatchObject({ aggregate: "off", display_state: "paused", display_name: "Off" });
});

test.each<[Record<string, string>, string]>([
  [{}, "Idle"],
  [{ LANG: "zh_CN.UTF-8" }, "空闲"],
  [{ LANG: "zh" }, "空闲"],
  [{ LANG: "zh-Hans" }, "空闲"],
  [{ LANG: "zha_ZZ" }, "Idle"],
  [{ LANG: "de_DE.UTF-8" }, "Idle"],
  [{ LC_MESSAGES: "zh_CN", LANG: "en_US" }, "空闲"],
  [{ LC_ALL: "C", LC_MESSAGES: "zh_CN" }, "Idle"],
  [{ LC_ALL: " ", LANG: "zh_CN" }, "空闲"],
  [{ AGENT_SIGNAL_LANG: "en", LC_ALL: "zh_CN" }, "Idle"],
  [{ AGENT_SIGNAL_LANG: "zh", LC_ALL: "en_US" }, "空闲"],
  [{ AGENT_SIGNAL_LANG: "", LC_ALL: "zh_CN" }, "空闲"],
])("the language of %j: %s", async (environment, name) => {
  Object.assign(signal.environment, environment);
  expect((await signal.status()).display_name).toBe(name);
});

test("the text has the original's lines", async () => {
  await signal.ok(["permission", "--session", "s1", "--agent", "codex", "--event", "PermissionRequest"]);
  await signal.ok(["thinking"]);
  await signal.ok(["working", "--session", "s2"]);
  const lines = (await signal.ok(["status"])).split("\n");
  expect(lines.filter((line) => !line.startsWith("updated_at: "))).toEqual([
    "aggregate: permission (Asks Permission)",
    "action: Act now",
    `state_file: ${signal.stateFile}`,
    "sessions:",
    "- s1: permission agent=codex event=PermissionRequest",
    "- manual: thinking agent=manual event=ManualSet",
    "- s2: working",
    "recent_events:",
    "- s2: working",
    "- manual: thinking agent=manual event=ManualSet",
    "- s1: permission agent=codex event=PermissionRequest",
    "",
  ]);
  expect(lines[3]).toMatch(/^updated_at: 5\/2[89]\/2026, \d{1,2}:\d\d:40 [AP]M$/);
});

test("the text shows ten events, the JSON all", async () => {
  for (let index = 0; index < 12; index += 1) await signal.ok(["working", "--session", `s${index}`]);
  const text = await signal.ok(["status"]);
  expect(text.slice(text.indexOf("recent_events:")).trim().split("\n")).toHaveLength(11);
  expect((await signal.status()).recent_events).toHaveLength(12);
});

test("what others wrote cannot steer the terminal", async () => {
  await signal.ok(["working", "--session", "a\u001b[2Jb\nc", "--agent", "\u202ex"]);
  expect(await signal.ok(["status"])).toContain("- a\ufffd[2Jb c: working agent=\ufffdx\n");
});

test("unknown keys survive a rewrite: of the document, of a session, of an event", async () => {
  const event = { id: "e", session_id: "x", signal: "working", updated_at: T - 60, note: [1] };
  signal.write({
    schema_version: 3,
    future: { nested: { b: 1, a: 2 } },
    __proto__: "of the literal, not of the JSON",
    sessions: { x: record("working", 60, { color: "red", quota: { remaining_percent: 5, updated_at: T, plan: "x" } }) },
    events: [event],
  });
  await signal.ok(["thinking", "--session", "x"]);
  await signal.ok(["thinking", "--session", "y"]);
  expect(signal.document()).toMatchObject({
    schema_version: 3,
    future: { nested: { b: 1, a: 2 } },
    sessions: {
      x: { signal: "thinking", color: "red", quota: { remaining_percent: 5, updated_at: T, plan: "x" } },
      y: { signal: "thinking" },
    },
    events: [{ ...event, updated_at: "2026-05-28T20:25:40Z" }, {}, {}],
  });
  expect(await signal.status()).toMatchObject({ schema_version: 1 });
});

test("a key called __proto__ is a key like any other", async () => {
  signal.write(`{"__proto__":{"a":1},"sessions":{"__proto__":{"signal":"working","updated_at":${T},"__proto__":2}}}`);
  await signal.ok(["thinking", "--session", "x"]);
  const text = readFileSync(signal.stateFile, "utf8");
  expect(text.match(/"__proto__"/g)).toHaveLength(3);
  expect((await signal.status()).sessions.map(({ session_id }) => session_id)).toEqual(["__proto__", "x"]);
});

test("a record from the future counts as set now, in the file as well", async () => {
  signal.write({ aggregate: "working", sessions: { x: record("working", -86_400) } });
  expect((await signal.status()).sessions[0]?.updated_at).toBe("2026-05-28T20:26:40Z");
  expect(signal.document().sessions.x?.updated_at).toBe("2026-05-28T20:26:40Z");
});

test("vector 24: a blank state file is unset, a state folder is trimmed", async () => {
  signal.environment = { AGENT_SIGNAL_LIGHT_STATE_FILE: " ", AGENT_SIGNAL_LIGHT_STATE_DIR: "  /tmp/x  " };
  const status = JSON.parse((await signal.run(["status", "--json"])).out);
  expect(status.state_file).toBe("/tmp/x/status.json");
  expect(existsSync("/tmp/x/status.json")).toBe(false);
});

test("dates are written in whole seconds, the fraction dropped", async () => {
  signal.now = T + 0.999;
  await signal.ok(["working", "--session", "x"]);
  expect(signal.document()).toMatchObject({
    updated_at: "2026-05-28T20:26:40Z",
    sessions: { x: { updated_at: "2026-05-28T20:26:40Z" } },
    events: [{ updated_at: "2026-05-28T20:26:40Z" }],
  });
});

test("the hold counts from the second that was written, as in the original", async () => {
  signal.now = T + 0.9;
  await signal.ok(["permission", "--session", "x"]);
  signal.now = T + 5;
  await signal.ok(["working", "--session", "x"]);
  expect((await signal.status()).aggregate).toBe("permission");
  // 4.2 seconds after the alert, but 5.1 after the second it was written with.
  signal.now = T + 5.1;
  await signal.ok(["working", "--session", "x"]);
  expect((await signal.status()).aggregate).toBe("working");
});
