import { geminiTranscripts } from "../../../src/agents/gemini/transcript";

const kind = geminiTranscripts({ environment: {}, user: "/home/dev", platform: "linux" });
const ID = "e73a147c-4b70-43aa-8076-5493fb33aea2";

const names = (folder: string) => new Set(folders[folder] ?? []);
let folders: Record<string, string[]>;

beforeEach(() => {
  folders = {
    "/home/dev/.gemini/tmp": ["bin", "shop", "af08c42d"],
    "/home/dev/.gemini/tmp/shop/chats": ["session-2026-11-30T04-02-0522296c.jsonl"],
    "/home/dev/.gemini/tmp/af08c42d/chats": ["session-2026-11-30T04-05-e73a147c.jsonl"],
  };
});

test("a chat is found by the beginning of its session's id", () => {
  expect(kind.search?.({ sessionId: ID }, names)).toBe(
    "/home/dev/.gemini/tmp/af08c42d/chats/session-2026-11-30T04-05-e73a147c.jsonl",
  );
});

test("a session without one has none, nor has an id that is no name of a file", () => {
  expect(kind.search?.({ sessionId: "00000000-4b70" }, names)).toBeUndefined();
  expect(kind.search?.({ sessionId: "e73a147c/../x" }, names)).toBeUndefined();
});
