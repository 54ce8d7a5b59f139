import { copilotTranscripts } from "../../../src/agents/copilot/transcript";

const kindWith = (environment: Record<string, string>) =>
  copilotTranscripts({ environment, user: "/home/dev", platform: "linux" });

test("the events lie in the session's own folder", () => {
  expect(kindWith({}).likely({ sessionId: "s-1" })).toEqual(["/home/dev/.copilot/session-state/s-1/events.jsonl"]);
  expect(kindWith({ COPILOT_HOME: "/x" }).likely({ sessionId: "s-1" })).toEqual(["/x/session-state/s-1/events.jsonl"]);
});

test("an id that is no name of a folder has none", () => {
  for (const sessionId of ["..", ".", "a/b", ""]) expect(kindWith({}).likely({ sessionId })).toEqual([]);
});
