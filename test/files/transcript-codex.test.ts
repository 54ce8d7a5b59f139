import { codexTranscript } from "../../src/files/transcript-codex";
import type { TranscriptFacts } from "../../src/session/transcript-facts";
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

test("where it runs, from the first line about it", () => {
  const meta = (cwd: string) => ({
    timestamp: NOON,
    type: "session_meta",
    payload: { id: "x", cwd, cli_version: "0.90.0", git: { branch: "main", commit_hash: "0" } },
  });
  expect(facts(meta("/a"), meta("/b"))).toEqual({ cwd: "/a", gitBranch: "main", version: "0.90.0" });
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
