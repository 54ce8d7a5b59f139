import { isTranscriptFacts } from "../../src/files/transcript-cached";
import type { TranscriptFacts } from "../../src/session/transcript-facts";

const FACTS: readonly TranscriptFacts[] = [
  {},
  { firstPrompt: "Go", prompts: ["Go"], lastAnswerAt: 5, cwd: "/w" },
  { turn: { startedAt: 5 } },
  { turn: { startedAt: 5, byUser: true } },
  { turn: { end: { how: "over", at: 6 } } },
  { turn: { startedAt: 5, end: { how: "answered", at: 6 } } },
  { turn: { startedAt: 5, end: { how: "failed", at: 6 } } },
  { turn: { startedAt: 5, end: { how: "failed", at: 6, reason: "Overloaded" } } },
];

test.each(FACTS.map((facts) => JSON.stringify(facts)))("facts as they were kept: %s", (kept) => {
  expect(isTranscriptFacts(JSON.parse(kept))).toBe(true);
});

test.each([
  null,
  "facts",
  [],
  { firstPrompt: 5 },
  { prompts: [5] },
  { lastAnswerAt: "5" },
  { turn: null },
  { turn: {} },
  { turn: { startedAt: "5" } },
  { turn: { startedAt: 5, byUser: "yes" } },
  { turn: { startedAt: 5, end: {} } },
  { turn: { startedAt: 5, end: "answered" } },
  { turn: { startedAt: 5, end: { how: "answered" } } },
  { turn: { startedAt: 5, end: { how: "ended", at: 6 } } },
  { turn: { startedAt: "5", end: { how: "answered", at: 6 } } },
  { turn: { end: { how: "failed", at: 6, reason: 5 } } },
])("another shape is read anew: %j", (kept) => {
  expect(isTranscriptFacts(kept)).toBe(false);
});
