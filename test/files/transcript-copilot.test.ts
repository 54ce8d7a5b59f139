import { copilotTranscript } from "../../src/files/transcript-copilot";
import type { TranscriptFacts } from "../../src/session/transcript-facts";
import { at, factsIn } from "./transcript-reading";

const NOON = "2026-11-30T12:00:00.000Z";
const LATER = "2026-11-30T12:05:00.000Z";

const facts = (...lines: (object | string)[]): TranscriptFacts => factsIn(copilotTranscript, lines);
const event = (type: string, data: object = {}, timestamp = NOON) => ({
  type,
  data,
  id: "1",
  timestamp,
  parentId: null,
});

const start = event("session.start", {
  sessionId: "s",
  copilotVersion: "0.0.369",
  selectedModel: "claude-sonnet-4.5",
  context: { cwd: "/home/dev/shop", gitRoot: "/home/dev/shop", branch: "main" },
});

test("a session as others have seen it", () => {
  expect(
    facts(
      start,
      event("user.message", { content: "Add a retry" }),
      event("assistant.turn_start"),
      event("assistant.message", { content: "", toolRequests: [] }, NOON),
      event("session.model_change", { newModel: "gpt-5" }),
      event("assistant.message", { content: "Done." }, LATER),
      event("assistant.turn_end"),
    ),
  ).toEqual({
    firstPrompt: "Add a retry",
    prompts: ["Add a retry"],
    cwd: "/home/dev/shop",
    gitBranch: "main",
    version: "0.0.369",
    model: "gpt-5",
    lastAnswerAt: at(LATER),
  });
});

test("without any other the model is the one it began with", () => {
  expect(facts(start).model).toBe("claude-sonnet-4.5");
});

test("a subagent's messages are not the session's", () => {
  const inside = { parentToolCallId: "call", content: "Sub", model: "small" };
  expect(facts(event("user.message", inside), event("assistant.message", inside, LATER))).toEqual({});
});

test.each<[string, object[], number | undefined]>([
  ["interrupted", [event("user.message", { content: "Go" }), event("abort", { reason: "user" }, LATER)], at(LATER)],
  ["no longer: the user wrote", [event("abort", {}, LATER), event("user.message", { content: "Go" })], undefined],
  ["no longer: it answered", [event("abort", {}, LATER), event("assistant.message", { content: "Ok" })], undefined],
])("%s", (_what, lines, moment) => {
  expect(facts(...lines).interruptedAt).toBe(moment);
});

test.each([
  '{"type":"user.message"',
  '{"type":"user.message","data":"x"}',
  '{"type":"session.start","data":[]}',
  '["abort"]',
])("%s is passed over", (line) => {
  expect(facts(line, start, line)).toEqual(facts(start));
});
