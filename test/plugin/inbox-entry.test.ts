import {
  entryName,
  entryText,
  isKept,
  levelIn,
  levelOf,
  type Process,
} from "../../assets/claude-plugin/core/inbox-entry";
import { CROWDED_ENTRY_LIMIT, decodeInboxEntry, ENTRY_LIMIT } from "../../src/files/inbox-entry";

const PROCESS: Process = {
  pid: 4711,
  facts: [
    ["PWD", "/home/dev/work"],
    ["TMUX_PANE", "%3"],
    ["STY", undefined],
    ["TERM_PROGRAM", "two\nlines"],
    ["WINDOWID", "x".repeat(1025)],
    ["CLAUDE_PID", "4711"],
  ],
};

test("an entry is read as the recorder's are, and says that a plugin wrote it", () => {
  const payload = { session_id: "s", hook_event_name: "Stop", last_assistant_message: "ä\n\nb" };
  const decoded = decodeInboxEntry(entryText("Stop", payload, PROCESS, 0));
  expect(decoded).toEqual({
    outcome: "entry",
    entry: {
      agent: "claude",
      event: "Stop",
      parent: 4711,
      env: { PWD: "/home/dev/work", TMUX_PANE: "%3", CLAUDE_PID: "4711", AGENT_SESSIONS_PLUGIN: "1" },
      payload: JSON.stringify(payload),
      truncated: false,
    },
  });
});

test("a long string in a payload is cut, and the payload stays whole", () => {
  const decoded = decodeInboxEntry(entryText("PostToolUse", { tool_response: "x".repeat(1e6), z: 1 }, PROCESS, 0));
  if (decoded.outcome !== "entry") throw new Error(decoded.reason);
  const { tool_response, z } = JSON.parse(decoded.entry.payload);
  expect(tool_response).toHaveLength(4097);
  expect(z).toBe(1);
});

test.each([
  [0, ENTRY_LIMIT],
  [1, CROWDED_ENTRY_LIMIT],
])("an entry is no longer than the recorder's at level %i", (level, limit) => {
  const text = entryText("Stop", { list: Array.from({ length: 20_000 }, () => "ääääääääää") }, PROCESS, level);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
  expect(Buffer.byteLength(text)).toBeGreaterThan(limit - 10);
  expect(text).not.toContain("\uFFFD");
  expect(decodeInboxEntry(text)).toMatchObject({ outcome: "entry", entry: { truncated: true } });
});

test("names sort in the order in which one process wrote them, and chance tells two processes apart", () => {
  const names = [1, 2, 10, 99, 100].map((count) => entryName(4711, count, "ab12"));
  expect([...names].sort()).toEqual(names);
  expect(names[0]).toBe("claude-0004711-p0000001-ab12");
  expect(entryName(undefined, 1, "cd34")).toBe("claude-0000000-p0000001-cd34");
});

test.each([
  [0, 0],
  [999, 0],
  [1_000, 1],
  [11_999, 1],
  [12_000, 2],
  [16_000, 3],
  [23_999, 3],
  [24_000, 4],
])("an inbox with %i entries is as full as %i", (entries, level) => {
  expect(levelOf(entries)).toBe(level);
});

test.each([
  [undefined, 0],
  ["2\n", 2],
  ["4", 4],
  ["", 1],
  ["9", 1],
  ["x", 1],
])("a flag %j says %i", (flag, level) => {
  expect(levelIn(flag)).toBe(level);
});

test.each([
  ["PostToolUse", "Bash", [true, true, false, false, false]],
  ["PreToolUse", "AskUserQuestion", [true, true, true, true, false]],
  ["Stop", undefined, [true, true, true, true, false]],
  ["PermissionRequest", "Bash", [true, true, true, true, false]],
  ["PluginTurnStopped", undefined, [true, true, true, true, false]],
])("progress goes first when nobody reads: %s %s", (event, tool, kept) => {
  expect([0, 1, 2, 3, 4].map((level) => isKept(event, tool, level))).toEqual(kept);
});
