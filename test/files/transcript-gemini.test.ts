import { geminiTranscript } from "../../src/files/transcript-gemini";
import type { TranscriptFacts } from "../../src/session/transcript-facts";
import { at, capturedLines, factsIn } from "./transcript-reading";

const NOON = "2026-11-30T12:00:00.000Z";
const LATER = "2026-11-30T12:05:00.000Z";

const facts = (...lines: (object | string)[]): TranscriptFacts => factsIn(geminiTranscript, lines);
const user = (text: string, id = text) => ({ id, timestamp: NOON, type: "user", content: [{ text }] });
const answer = (rest: object = {}) => ({ id: "a", timestamp: LATER, type: "gemini", content: "Done.", ...rest });

describe("what Gemini CLI 0.61 wrote", () => {
  test("a session with a tool", () => {
    expect(facts(...capturedLines("gemini/tool.jsonl"))).toEqual({
      firstPrompt: "MOCK:shell_touch please",
      prompts: ["MOCK:shell_touch please"],
      summary: "<state_snapshot>mock summary</state_snapshot>",
      model: "gemini-3.8-flash",
      lastAnswerAt: at("2026-11-30T04:01:20.744Z"),
      contextTokens: 12176,
    });
  });

  test("a resumed one, whose first prompts come once more", () => {
    expect(facts(...capturedLines("gemini/resumed.jsonl"))).toEqual({
      firstPrompt: "MOCK:simple one",
      prompts: ["MOCK:simple one", "MOCK:simple again"],
      model: "gemini-3.8-flash",
      lastAnswerAt: at("2026-11-30T04:05:27.080Z"),
      contextTokens: 12090,
    });
  });
});

test.each(["/clear", "?", "<session_context>\nThis is", "<hook_context>x", "<state_snapshot>x", "  "])(
  "%j is no prompt of the user",
  (text) => {
    expect(facts(user(text), user("Real"))).toEqual({ firstPrompt: "Real", prompts: ["Real"] });
  },
);

test("a tool's result in a user's message is no prompt", () => {
  const content = [{ functionResponse: { id: "1", response: { output: "made" } } }];
  expect(facts({ id: "1", timestamp: NOON, type: "user", content })).toEqual({});
});

test("prompts can come as the messages of the whole", () => {
  expect(facts({ $set: { messages: [user("One"), user("Two")] } }, user("Three")).prompts).toEqual([
    "One",
    "Two",
    "Three",
  ]);
});

test("the last summary wins", () => {
  const set = (summary: unknown) => ({ $set: { summary } });
  expect(facts(set("One"), set("Two"), set(3), set(" "))).toEqual({ summary: "Two" });
});

test("messages that are replaced tell no time of an answer: it is that of the resumption", () => {
  const replaced = { $set: { messages: [{ ...answer(), timestamp: "2026-11-30T13:00:00.000Z" }] } };
  expect(facts(answer(), replaced).lastAnswerAt).toBe(at(LATER));
});

test.each([
  '{"id":"1","type":"user"',
  '{"$set":null}',
  '{"$set":{"messages":{"type":"user"}}}',
  '{"$set":{"messages":["user",null,{"type":"user"}]}}',
  '{"type":"gemini","timestamp":4}',
  '["user","gemini","summary"]',
])("%s is passed over", (line) => {
  expect(facts(line, user("Go"), answer(), line)).toEqual(facts(user("Go"), answer()));
});
