import { codexTranscript } from "../../src/files/transcript-codex";
import type { TranscriptFacts, TurnEnd, TurnFacts } from "../../src/session/transcript-facts";
import { at, capturedLines, factsIn } from "./transcript-reading";

const NOON = "2026-11-30T12:00:00.000Z";
const LATER = "2026-11-30T12:05:00.000Z";
const LATEST = "2026-11-30T12:09:00.000Z";

const facts = (...lines: (object | string)[]): TranscriptFacts => factsIn(codexTranscript, lines);
const event = (payload: object, timestamp = LATER) => ({ timestamp, type: "event_msg", payload });
const item = (payload: object, timestamp = LATER) => ({ timestamp, type: "response_item", payload });
const prompt = (message: string, timestamp = NOON) => event({ type: "user_message", message }, timestamp);
const said = (timestamp = LATER) => event({ type: "agent_message", message: "Done." }, timestamp);
const aborted = (reason?: string) => event({ type: "turn_aborted", reason }, LATEST);
const ended = (startedAt: number, end: TurnEnd): TurnFacts => ({ startedAt, end });
const tokens = (last: object | null, window: unknown = 258_400) =>
  event({ type: "token_count", info: last && { last_token_usage: last, model_context_window: window } });

describe("what Codex 0.171 wrote", () => {
  const lines = capturedLines("codex/interrupted.jsonl");

  test("a turn that was interrupted before anything was answered", () => {
    expect(facts(...lines)).toEqual({
      firstPrompt: "MOCK:simple first",
      prompts: ["MOCK:simple first", "MOCK:simple queued", "MOCK:slow8 busy", "MOCK:simple queued2", "MOCK:slow again"],
      cwd: "/home/dev/work/x2",
      version: "0.171.0",
      model: "mock-model",
      // The turn before ended at 04:03:42; its message was complete then.
      lastAnswerAt: at("2026-11-30T04:03:42.561Z"),
      contextTokens: 13604,
      contextWindow: 258_400,
      interruptedAt: at("2026-11-30T04:03:54.021Z"),
      turn: { startedAt: 1_796_011_429, end: { how: "over", at: at("2026-11-30T04:03:54.021Z") } },
    });
  });

  test("before the interruption nothing was interrupted", () => {
    expect(facts(...lines.slice(0, -1))).not.toHaveProperty("interruptedAt");
  });

  test("a compaction, after which no input is counted yet", () => {
    const compacted = capturedLines("codex/compacted.jsonl");
    const end = compacted.findIndex((line) => line.includes('"ordinal":27'));
    expect(facts(...compacted.slice(0, end))).toMatchObject({ contextTokens: 7486, contextWindow: 258_400 });
    expect(facts(...compacted)).toMatchObject({
      contextTokens: 13577,
      prompts: ["MOCK:simple one", "MOCK:simple two"],
    });
  });
});

describe("the last turn, as Codex 0.171 wrote it", () => {
  const OVERLOADED =
    "unexpected status 529 <unknown status code>: overloaded by the test, url: http://127.0.0.1:8000/v1/responses";

  test.each<[what: string, file: string, lines: number | undefined, turn: TurnFacts]>([
    ["began", "resumed", 2, { startedAt: at("2026-11-30T12:00:44.462Z"), byUser: true }],
    ["goes on", "resumed", 13, { startedAt: at("2026-11-30T12:00:44.462Z"), byUser: true }],
    ["was answered", "resumed", 14, ended(1_796_040_044, { how: "answered", at: at("2026-11-30T12:00:44.614Z") })],
    [
      "is the one before, after a resume",
      "resumed",
      15,
      ended(1_796_040_044, { how: "answered", at: at("2026-11-30T12:00:44.614Z") }),
    ],
    ["began after a resume", "resumed", 16, { startedAt: at("2026-11-30T12:00:54.906Z"), byUser: true }],
    [
      "was answered, and a subagent's answer came after it",
      "subagent-ran",
      undefined,
      ended(1_796_040_018, { how: "answered", at: at("2026-11-30T12:00:21.105Z") }),
    ],
    [
      "failed, in the model's provider's own JSON",
      "failed-400",
      undefined,
      ended(1_796_039_960, { how: "failed", at: at("2026-11-30T11:59:20.557Z"), reason: "refused by the test" }),
    ],
    [
      "failed, in Codex's words",
      "failed-529",
      undefined,
      ended(1_796_039_964, { how: "failed", at: at("2026-11-30T11:59:25.463Z"), reason: OVERLOADED }),
    ],
    [
      "was stopped by a denial",
      "denied",
      undefined,
      ended(1_796_040_033, { how: "over", at: at("2026-11-30T12:00:35.680Z") }),
    ],
    [
      "waits for a permission, which is not told",
      "denied",
      11,
      { startedAt: at("2026-11-30T12:00:33.744Z"), byUser: true },
    ],
    ["is none yet, after a fork", "forked", 2, { end: { how: "over", at: at("2026-11-30T12:01:02.355Z") } }],
    ["began after a fork", "forked", 4, { startedAt: at("2026-11-30T12:01:05.356Z"), byUser: true }],
    [
      "was a compaction, which is no answer",
      "compacted",
      26,
      ended(1_796_011_191, { how: "over", at: at("2026-11-30T03:59:51.939Z") }),
    ],
    [
      "came from the queue, not from the user just now",
      "interrupted",
      15,
      { startedAt: at("2026-11-30T04:03:26.966Z") },
    ],
  ])("%s", (_what, file, lines, turn) => {
    expect(facts(...capturedLines(`codex/${file}.jsonl`).slice(0, lines)).turn).toEqual(turn);
  });

  test("a subagent's thread names its parent, its root where no parent is named", () => {
    const [first = "", ...rest] = capturedLines("codex/subagent-thread.jsonl");
    const parentSession = "01a22c53-c71c-7ee0-8ddf-3723a6cb3feb";
    expect(facts(first, ...rest)).toMatchObject({ parentSession });
    expect(facts(first.replace('"parent_thread_id":', '"other":'), ...rest)).toMatchObject({ parentSession });
  });
});

describe("the last turn", () => {
  const started = (more: object = {}) => event({ type: "task_started", ...more }, NOON);
  const complete = (more: object) => event({ type: "task_complete", ...more }, LATEST);

  test.each<[what: string, lines: object[], turn: TurnFacts | undefined]>([
    ["is not known where none began or ended", [prompt("Go"), said()], undefined],
    [
      "is known without what began it",
      [complete({ last_agent_message: "Done." })],
      { end: { how: "answered", at: at(LATEST) } },
    ],
    ["is the later one", [complete({ last_agent_message: "Done." }), started(), said()], { startedAt: at(NOON) }],
    [
      "is answered with nothing, too",
      [started(), complete({ last_agent_message: "" })],
      { end: { how: "answered", at: at(LATEST) } },
    ],
    [
      "began at no time, where that is no moment",
      [complete({ last_agent_message: "Done.", started_at: 1_796_039_960_000 })],
      { end: { how: "answered", at: at(LATEST) } },
    ],
    [
      "is over where another took its place",
      [started(), aborted("replaced")],
      { end: { how: "over", at: at(LATEST) } },
    ],
    ["failed without a reason", [started(), complete({ error: {} })], { end: { how: "failed", at: at(LATEST) } }],
    [
      "failed in words that look like JSON",
      [complete({ error: { message: "{oh" } })],
      { end: { how: "failed", at: at(LATEST), reason: "{oh" } },
    ],
    [
      "failed with a plain message in JSON",
      [complete({ error: { message: '{"message":"a\\nb"}' } })],
      { end: { how: "failed", at: at(LATEST), reason: "a b" } },
    ],
    [
      "is over, no error told",
      [complete({ last_agent_message: null, error: null })],
      { end: { how: "over", at: at(LATEST) } },
    ],
    [
      "is not what a line without a time tells",
      [started(), { type: "event_msg", payload: { type: "task_complete" } }],
      { startedAt: at(NOON) },
    ],
    [
      "began before all else that the end tells",
      [started(), prompt("Go"), said(), tokens({ input_tokens: 5 }, 10)],
      { startedAt: at(NOON) },
    ],
    ["is not what the user writes of it", [started(), prompt('"task_complete"')], { startedAt: at(NOON) }],
  ])("%s", (_what, lines, turn) => {
    expect(facts(...lines).turn).toEqual(turn);
  });

  test.each([
    ["an older version wrote no turns", [prompt("Go"), said()]],
    ["the user wrote", [prompt("Go")]],
    ["the model said something", [item({ type: "message", role: "assistant", content: [] })]],
  ])("a thread that begins is not unused where %s", (_what, lines) => {
    expect(facts({ timestamp: NOON, type: "session_meta", payload: { id: "x" } }, ...lines).turn).toBeUndefined();
  });
});

test("where it runs, from the first line about it", () => {
  const meta = (cwd: string) => ({
    timestamp: NOON,
    type: "session_meta",
    payload: { id: "x", cwd, cli_version: "0.90.0", git: { branch: "main", commit_hash: "0" } },
  });
  expect(facts(meta("/a"), meta("/b"))).toMatchObject({ cwd: "/a", gitBranch: "main", version: "0.90.0" });
});

test("the model is that of the last turn", () => {
  const turn = (model: unknown) => ({ timestamp: NOON, type: "turn_context", payload: { cwd: "/a", model } });
  expect(facts(turn("gpt-a"), turn("gpt-b"), turn(5))).toEqual({ model: "gpt-b" });
});

test("prompts of versions that write user_message", () => {
  expect(facts(prompt("Fix\nit"), prompt("Now"))).toEqual({ firstPrompt: "Fix it", prompts: ["Fix it", "Now"] });
});

test("what was put before the user's words is no prompt", () => {
  const content = [{ type: "input_text", text: "<environment_context>" }];
  expect(facts(item({ type: "message", role: "user", content }))).toEqual({});
});

test.each([
  ["a message", said()],
  ["reasoning", event({ type: "agent_reasoning", text: "Hm" })],
  ["an item of the newer kind", event({ type: "item_completed", item: { type: "AgentMessage", content: [] } })],
  ["an item of the response", item({ type: "message", role: "assistant", content: [] })],
  ["a call of a tool", item({ type: "function_call", name: "shell", arguments: "{}" })],
  ["a call of a custom tool", item({ type: "custom_tool_call", name: "apply_patch" })],
])("%s is an answer", (_what, line) => {
  expect(facts(said(NOON), line).lastAnswerAt).toBe(at(LATER));
});

test.each([
  ["a tool's result", item({ type: "function_call_output", output: '"function_call"' }, LATEST)],
  ["the user's message", item({ type: "message", role: "user", content: [] }, LATEST)],
  ["the developer's", item({ type: "message", role: "developer", content: [] }, LATEST)],
  ["a user's item", event({ type: "item_completed", item: { type: "UserMessage", content: [] } }, LATEST)],
  ["a count of tokens", tokens({ input_tokens: 1 })],
])("%s is no answer", (_what, line) => {
  expect(facts(said(NOON), line).lastAnswerAt).toBe(at(NOON));
});

test("the last count of tokens tells the context; one without figures tells nothing", () => {
  const told = facts(said(), tokens({ input_tokens: 10 }), tokens({ input_tokens: 20 }), tokens(null));
  expect(told).toMatchObject({ contextTokens: 20, contextWindow: 258_400 });
  expect(facts(said(), tokens({ input_tokens: "10" }, "big"))).toEqual({ lastAnswerAt: at(LATER) });
});

test("a response whose tools still run or wait for a permission is counted already", () => {
  const usage = (input: unknown) => ({
    timestamp: LATER,
    type: "token_usage_record",
    payload: { thread_id: "t", usage: { input_tokens: input } },
  });
  expect(facts(said(), usage(10), tokens({ input_tokens: 10 }), usage(20)).contextTokens).toBe(20);
  expect(facts(said(), usage(10), tokens({ input_tokens: 15 }), usage("20")).contextTokens).toBe(15);
});

test.each<[string, object[], number | undefined]>([
  ["by the user", [prompt("Go"), said(), aborted("interrupted")], at(LATEST)],
  ["in versions that give no reason", [prompt("Go"), aborted()], at(LATEST)],
  ["no: another turn took its place", [prompt("Go"), aborted("replaced")], undefined],
  ["no longer: another turn began", [aborted("interrupted"), event({ type: "task_started" })], undefined],
  ["no longer: the user wrote", [aborted("interrupted"), prompt("Go on")], undefined],
  ["no longer: it ended well", [aborted("interrupted"), event({ type: "task_complete" })], undefined],
  ["still, after tokens were counted", [aborted("interrupted"), tokens({ input_tokens: 5 })], at(LATEST)],
])("interrupted %s", (_what, lines, moment) => {
  expect(facts(...lines).interruptedAt).toBe(moment);
});

test.each([
  '{"timestamp":"2026',
  '{"type":"event_msg","payload":"token_count"}',
  '{"type":"session_meta","payload":null}',
  '{"type":"response_item","payload":[]}',
  '{"type":"turn_context"}',
  '["event_msg","session_meta"]',
])("%s is passed over", (line) => {
  expect(facts(line, prompt("Go"), said(), line)).toEqual(facts(prompt("Go"), said()));
});
