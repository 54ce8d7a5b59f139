import { decodeInboxEntry } from "../../src/files/inbox-entry";
import { mapClaude } from "../../src/agents/claude/events";
import { FakeSession, OURS, PHRASE } from "./fake-session";

let session: FakeSession;

beforeEach(async () => {
  session = new FakeSession();
  session.env.TMUX_PANE = "%3";
  session.env.SSH_CONNECTION = "10.0.0.1 1 10.0.0.2 22";
  await session.start();
});

/** The events that were reported, in the order of their names. */
const events = () =>
  session.reports.sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ payload }) => payload.hook_event_name);

const last = () => session.reports.at(-1);

test("a turn with a tool is reported as the hooks would", async () => {
  session.work = () => session.writeShop();
  await session.prompt(PHRASE);
  expect(events()).toEqual(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"]);
});

test("every report is an entry that the mapping of Claude's hooks understands", async () => {
  session.work = () => session.writeShop();
  await session.prompt(PHRASE);
  for (const [path, { text }] of session.files) {
    if (!path.startsWith(`${OURS}/inbox/claude-`)) continue;
    const decoded = decodeInboxEntry(text);
    if (decoded.outcome !== "entry") throw new Error(decoded.reason);
    const { env, payload, parent } = decoded.entry;
    expect(env).toMatchObject({
      CLAUDE_PID: "4711",
      CLAUDE_CODE_SESSION_ID: "session-1",
      TMUX_PANE: "%3",
      SSH_CONNECTION: "1",
      AGENT_SESSIONS_PLUGIN: "1",
    });
    expect(parent).toBe(4711);
    expect(mapClaude(JSON.parse(payload), { at: 1, env, isProcessAlive: () => true } as never).outcome).toBe("event");
  }
});

test("what a tool is about to do has the session's facts, and a subagent's is told apart", async () => {
  await session.prompt("hello");
  await session.tool("Bash", { command: "ls" }, () => undefined, { agentId: "a1" });
  await session.settle();
  const report = session.reports.find(({ payload }) => payload.hook_event_name === "PreToolUse");
  expect(report?.payload).toMatchObject({
    session_id: "session-1",
    transcript_path: "/t.jsonl",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    agent_id: "a1",
  });
});

test("a query about a tool, or a plugin's own call, is no tool call", async () => {
  await session.prompt("hello");
  await session.fire("tool.check", { tool: "Bash", input: {} });
  await session.fire("tool.check", { tool: "Read", input: {}, op: "fs.read", tool_use_id: "x" });
  await session.settle();
  expect(events()).not.toContain("PreToolUse");
});

test.each([
  ["Esc", "aborted", "aborted"],
  ["a refusal of the model", "refusal", "refusal"],
] as const)("%s is reported, which no hook tells", async (_what, reason, told) => {
  session.reason = reason;
  await session.prompt("hello");
  expect(last()?.payload).toMatchObject({
    hook_event_name: "PluginTurnStopped",
    session_id: "session-1",
    reason: told,
  });
  expect(last()?.head).toContain("event=PluginTurnStopped");
});

test("a turn that ends without its hook was broken off by a refused tool", async () => {
  await session.turn("hello", { hasStop: false });
  expect(last()?.payload).toMatchObject({ hook_event_name: "PluginTurnStopped", reason: "denied" });
});

test("an answer and an error have their hooks, and are not reported twice", async () => {
  await session.prompt("hello");
  session.reason = "error";
  await session.prompt("again");
  expect(events()).not.toContain("PluginTurnStopped");
});

test("a Stop whose hook made the session go on, and then Esc: it was stopped", async () => {
  session.work = async () => {
    await session.fire("classic.Stop", { session_id: session.id, hook_event_name: "Stop" });
    await session.tool("Bash", { command: "ls" }, () => undefined);
    session.reason = "aborted";
  };
  await session.prompt("hello");
  expect(last()?.payload).toMatchObject({ hook_event_name: "PluginTurnStopped", reason: "aborted" });
});

test("a prompt says where it came from", async () => {
  const source = () =>
    session.reports.filter(({ payload }) => payload.hook_event_name === "UserPromptSubmit").at(-1)?.payload.source;
  await session.prompt("hello");
  expect(source()).toBe("user");
  await session.submit("the time has come", "scheduled-trigger");
  expect(source()).toBe("schedule_wakeup");
  await session.submit("a message", "peer");
  expect(source()).toBe("system");
  await session.command("pause");
  await session.pass(300);
  expect(source()).toBe("system");
});

test("names are unique and sort in their order", async () => {
  await session.prompt("one");
  await session.prompt("two");
  const names = session.reports.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect([...names].sort()).toEqual(names);
  expect(names[0]).toMatch(/\/claude-0004711-p0000001-[0-9a-f]{12}$/);
});

test("the environment is left as it is: programs that the session starts would inherit what is set", async () => {
  const before = { ...session.env };
  await session.prompt("hello");
  expect(session.env).toEqual(before);
});

test("nobody waits for the disk", async () => {
  const stuck = new FakeSession();
  await stuck.start();
  const real = stuck.write.bind(stuck);
  jest.spyOn(stuck, "write").mockImplementation((path, text, more) => {
    if (path.includes("/inbox/")) throw new Error("the disk is full");
    real(path, text, more);
  });
  await stuck.prompt(PHRASE);
  stuck.work = () => stuck.writeShop();
  await stuck.command("pause", "self");
  await stuck.pass(300);
  expect(stuck.clears).toBe(1);
});

test("when nobody reads, progress is dropped first, and in the end everything", async () => {
  session.work = () => session.writeShop();
  session.write(`${OURS}/inbox/.full`, "2\n");
  await session.pass(2_500);
  await session.prompt("hello");
  expect(events()).toEqual(["SessionStart", "UserPromptSubmit", "Stop"]);
  session.write(`${OURS}/inbox/.full`, "4\n");
  await session.pass(2_500);
  await session.prompt("again");
  expect(events()).toHaveLength(3);
  session.files.delete(`${OURS}/inbox/.full`);
  await session.pass(2_500);
  await session.prompt("and again");
  expect(events().length).toBeGreaterThan(3);
});

test("it counts the entries itself, since no recorder may run, and tells how many there are", async () => {
  for (let index = 0; index < 12_000; index++) session.write(`${OURS}/inbox/claude-0000001-${index}`, "x");
  for (let index = 0; index < 40; index++) await session.fire("classic.CwdChanged", { session_id: "session-1" });
  for (let round = 0; round < 40; round++) await session.settle();
  for (let index = 0; index < 40; index++) await session.fire("classic.CwdChanged", { session_id: "session-1" });
  for (let round = 0; round < 40; round++) await session.settle();
  expect(session.text(`${OURS}/inbox/.full`)).toBe("2\n");
});

test("missing folders are made for this user alone, once", async () => {
  const other = new FakeSession();
  other.files.delete(`${OURS}/inbox/.keep`);
  await other.start();
  await other.prompt("hello");
  expect(other.processes).toEqual([["mkdir", "-m", "700", "--", OURS, `${OURS}/inbox`, `${OURS}/plugin`]]);
});

test("a home of one's own is used", async () => {
  const other = new FakeSession();
  other.env.AGENT_SESSIONS_HOME = "~/elsewhere";
  await other.start();
  await other.settle();
  expect([...other.files.keys()].some((path) => path.startsWith("/home/dev/elsewhere/inbox/claude-"))).toBe(true);
});

test("a headless run reports as well", async () => {
  const headless = new FakeSession();
  await headless.start({ isInteractive: false });
  await headless.submit("hello", "sdk");
  expect(headless.reports.map(({ payload }) => payload.hook_event_name)).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
  ]);
});

test("at its end the session waits a moment for what is not written yet", async () => {
  let writes: () => void = () => undefined;
  session.slowDisk = new Promise((resolve) => (writes = resolve));
  jest.spyOn(session, "sleep").mockReturnValue(new Promise(() => undefined));
  let isOver = false;
  await session.fire("classic.SessionEnd", { session_id: session.id, hook_event_name: "SessionEnd", reason: "other" });
  void session.fire("session.end", { reason: "other", sessionId: session.id }).then(() => (isOver = true));
  await session.settle();
  expect(isOver).toBe(false);
  writes();
  await session.settle();
  expect(isOver).toBe(true);
  expect(events()).toContain("SessionEnd");
});

test("it does not wait for long", async () => {
  session.slowDisk = new Promise(() => undefined);
  await session.fire("classic.SessionEnd", { session_id: session.id, hook_event_name: "SessionEnd", reason: "other" });
  await session.fire("session.end", { reason: "other", sessionId: session.id });
  expect(events()).not.toContain("SessionEnd");
});
