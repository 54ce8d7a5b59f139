import { decodeStatusFile, encodeStatusFile } from "../../src/files/status-file";
import { STATES } from "../../src/session/state";

const GOOD = { session_id: "4f2e8190", state: "working", ts: 1_800_000_000.25 };

function decode(fields: Record<string, unknown>, fileName = "4f2e8190.json") {
  return decodeStatusFile(JSON.stringify({ ...GOOD, ...fields }), fileName);
}

/** The report of a file that is read, and what was repaired, as `field: reason`. */
function read(fields: Record<string, unknown>) {
  const file = decode(fields);
  if (file.outcome === "refused") throw new Error(JSON.stringify(file.findings));
  return {
    report: file.report,
    extra: file.extra,
    repaired: file.findings.map(({ field, reason }) => `${field}: ${reason}`),
  };
}

describe("a whole file, as the seed describes every field", () => {
  const file = {
    session_id: "4f2e8190",
    agent: "codex",
    state: "decision",
    ts: 1_800_000_000.25,
    event_ts: 1_800_000_001.5,
    event: "PreToolUse",
    tool: "AskUserQuestion",
    activity: "Asking",
    message: "Which color?",
    cwd: "/home/dev/shop",
    permission_mode: "default",
    turn_started_at: 1_799_999_990,
    done_at: 1_799_999_000,
    wakeup_at: 1_800_003_600,
    subagents: 2,
    background: { b1: { at: 1_799_999_995, command: "npm run dev" }, b2: {} },
    monitors: { m1: ["Watching the log", 1_799_999_996], m2: ["No time"] },
  };

  test("is read field by field", () => {
    const { report, extra, repaired } = read(file);
    expect(repaired).toEqual([]);
    expect(extra).toEqual({});
    expect(report).toEqual({
      agent: "codex",
      sessionId: "4f2e8190",
      state: "decision",
      since: 1_800_000_000.25,
      eventAt: 1_800_000_001.5,
      event: "PreToolUse",
      tool: "AskUserQuestion",
      activity: "Asking",
      message: "Which color?",
      cwd: "/home/dev/shop",
      permissionMode: "default",
      turnStartedAt: 1_799_999_990,
      doneAt: 1_799_999_000,
      wakeupAt: 1_800_003_600,
      subagents: 2,
      background: { b1: { at: 1_799_999_995, command: "npm run dev" }, b2: {} },
      monitors: { m1: { text: "Watching the log", at: 1_799_999_996 }, m2: { text: "No time" } },
    });
  });

  test("written again, it says the same", () => {
    const { report } = read(file);
    expect(JSON.parse(encodeStatusFile(report))).toEqual(file);
  });
});

test("the least a file may hold is read; without an agent it is Claude's", () => {
  expect(read({}).report).toEqual({
    agent: "claude",
    sessionId: "4f2e8190",
    state: "working",
    since: 1_800_000_000.25,
  });
});

test.each(STATES)("the state %s is read", (state) => {
  expect(read({ state }).report.state).toBe(state);
});

test("fields that nobody knows are kept, also in background", () => {
  const { report, extra } = read({ color: "red", background: { b1: { at: 5, pid: 77 } } });
  expect(extra).toEqual({ color: "red" });
  expect(report.background).toEqual({ b1: { at: 5 } });
});

test("the ends of background commands are read", () => {
  expect(
    read({ background: { b1: { command: "make", status: "failed", exit_code: 2, failed_at: 9 } } }).report.background,
  ).toEqual({
    b1: { command: "make", status: "failed", exitCode: 2, failedAt: 9 },
  });
});

describe("a broken required field refuses the file, with field and reason", () => {
  test.each<[string, Record<string, unknown>, string, RegExp]>([
    ["no id", { session_id: undefined }, "session_id", /missing/],
    ["an id that is a number", { session_id: 7 }, "session_id", /not a string/],
    ["an empty id", { session_id: "" }, "session_id", /empty/],
    ["an id that is too long", { session_id: "x".repeat(129) }, "session_id", /128/],
    ["an id with a slash", { session_id: "a/b" }, "session_id", /"\/"/],
    ["an id that begins with a dot", { session_id: ".hidden" }, "session_id", /"\."/],
    ["an id of another file", { session_id: "other" }, "session_id", /does not match the file name/],
    ["no state", { state: undefined }, "state", /missing/],
    ["a state nobody knows", { state: "sleeping" }, "state", /not one of idle/],
    ["a state that is a number", { state: 3 }, "state", /not one of idle/],
    ["no time", { ts: undefined }, "ts", /missing/],
    ["a time that is a text", { ts: "1800000000" }, "ts", /not a number/],
    ["a time that is null", { ts: null }, "ts", /not a number/],
    ["a time in milliseconds", { ts: 1_800_000_000_000 }, "ts", /not a time in seconds/],
  ])("%s", (_what, fields, field, reason) => {
    const file = decode(fields);
    expect(file).toMatchObject({ outcome: "refused", incomplete: false });
    expect(file.findings).toEqual([{ field, reason: expect.stringMatching(reason), outcome: "refused" }]);
  });

  test.each<[string, string]>([
    ["nothing", ""],
    ["white space", " \n"],
    ["half a file", '{"session_id": "4f2e8190", "st'],
    ["not JSON", "hello"],
  ])("%s may be half written, so it is worth another try", (_what, text) => {
    expect(decodeStatusFile(text, "4f2e8190.json")).toMatchObject({ outcome: "refused", incomplete: true });
  });

  test.each([["[1]"], ["null"], ["7"], ['"x"']])("%s is not an object", (text) => {
    expect(decodeStatusFile(text, "4f2e8190.json")).toEqual({
      outcome: "refused",
      incomplete: false,
      findings: [{ reason: "is not a JSON object", outcome: "refused" }],
    });
  });

  test("an infinite time is no time", () => {
    expect(decodeStatusFile('{"session_id":"4f2e8190","state":"idle","ts":1e999}', "4f2e8190.json").outcome).toBe(
      "refused",
    );
  });
});

describe("a broken optional field costs that field, not the session", () => {
  test.each<[field: string, value: unknown, reason: RegExp]>([
    ["agent", "Codex CLI", /other characters/],
    ["agent", 5, /not a string/],
    ["event_ts", "now", /not a number/],
    ["event_ts", 1e15, /not a time/],
    ["event", 5, /not a string/],
    ["tool", ["Bash"], /not a string/],
    ["activity", {}, /not a string/],
    ["message", 5, /not a string/],
    ["cwd", 5, /not a string/],
    ["permission_mode", false, /not a string/],
    ["turn_started_at", "x", /not a number/],
    ["done_at", null, /not a number/],
    ["wakeup_at", [], /not a number/],
    ["subagents", -1, /0/],
    ["subagents", 1.5, /int/],
    ["subagents", "2", /not a/],
    ["background", [], /not a record/],
    ["background", "b1", /not a record/],
    ["monitors", 5, /not a record/],
  ])("%s: %j", (field, value, reason) => {
    const { report, repaired } = read({ [field]: value });
    expect(repaired).toHaveLength(1);
    expect(repaired[0]).toMatch(new RegExp(`^${field}: .*left out$`));
    expect(repaired[0]).toMatch(reason);
    expect(report).toEqual({ agent: "claude", sessionId: "4f2e8190", state: "working", since: 1_800_000_000.25 });
  });

  test.each<[field: string, key: string, limit: number]>([
    ["event", "event", 64],
    ["tool", "tool", 64],
    ["activity", "activity", 200],
    ["message", "message", 500],
    ["permission_mode", "permissionMode", 32],
  ])("%s over its limit is cut to it", (field, key, limit) => {
    const { report, repaired } = read({ [field]: "x".repeat(limit + 1) });
    expect(repaired).toEqual([`${field}: is longer than ${limit} characters; cut`]);
    expect(report).toHaveProperty(key, `${"x".repeat(limit - 1)}…`);
    expect(read({ [field]: "👍".repeat(limit) }).repaired).toEqual([]);
  });

  test("an agent's name over its limit is cut", () => {
    expect(read({ agent: "a".repeat(40) }).report.agent).toBe("a".repeat(32));
  });

  test("one bad entry costs that entry or that part of it", () => {
    const { report, repaired } = read({
      background: { b1: { at: "x", command: "make" }, b2: 5, b3: { command: "y".repeat(501) } },
      monitors: { m1: [], m2: ["ok", 7], m3: "text" },
    });
    expect(report.background).toEqual({ b1: { command: "make" }, b3: { command: `${"y".repeat(499)}…` } });
    expect(report.monitors).toEqual({ m2: { text: "ok", at: 7 } });
    expect(repaired.map((each) => each.split(": ")[0])).toEqual([
      "background.b1.at",
      "background.b2",
      "background.b3.command",
      "monitors.m1",
      "monitors.m3",
    ]);
  });

  test("half a character costs what it stands in, where that is taken over whole", () => {
    const { report, repaired } = read({
      cwd: "/w/\ud800",
      terminal: { TMUX: "\udc00" },
      background: { "b\ud800": {}, b2: { status: "\ud800" } },
      title: "cut \ud800",
    });
    expect(report).toMatchObject({ background: { b2: {} }, title: "cut \ufffd" });
    expect([report.cwd, report.terminal, Object.keys(report.background ?? {})]).toEqual([undefined, undefined, ["b2"]]);
    expect(repaired.map((each) => each.split(": ")[0])).toEqual([
      "cwd",
      "background.b\ufffd",
      "background.b2.status",
      "terminal",
    ]);
  });

  test("keys of JavaScript's own are names like any other", () => {
    const file = decodeStatusFile(
      '{"session_id":"4f2e8190","state":"idle","ts":5,"background":{"constructor":{"at":1}},"__proto__":{"state":"failed"}}',
      "4f2e8190.json",
    );
    expect(file.outcome === "report" && file.report.state).toBe("idle");
    expect(file.outcome === "report" && Object.keys(file.report.background ?? {})).toEqual(["constructor"]);
  });
});

test("what is written keeps within the limits", () => {
  const text = encodeStatusFile({
    agent: "claude",
    sessionId: "s",
    state: "waiting",
    since: 1,
    message: "m".repeat(600),
    activity: "a".repeat(300),
    background: { b: { at: 1, command: "c".repeat(600) } },
  });
  const written: unknown = JSON.parse(text);
  expect(written).toMatchObject({ message: `${"m".repeat(499)}…`, activity: `${"a".repeat(199)}…` });
  expect(decodeStatusFile(text, "s.json").findings).toEqual([]);
});
