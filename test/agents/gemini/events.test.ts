import { statesOf, told } from "../told";

const of = (hook_event_name: string, more: object = {}) => ({
  payload: { session_id: "g1", cwd: "/p", timestamp: "2026-11-30T04:00:00.000Z", hook_event_name, ...more },
});
const shell = (command: string) => ({ tool_name: "run_shell_command", tool_input: { command } });

describe("an event of Gemini CLI", () => {
  test.each([
    ["SessionStart", { source: "startup" }, { kind: "session-started", source: "startup" }],
    ["SessionStart", { source: "resume" }, { kind: "session-started", source: "resume" }],
    ["SessionStart", { source: "clear" }, { kind: "session-started", source: "clear" }],
    ["SessionEnd", { reason: "logout" }, { kind: "session-ended", byUser: false }],
    ["BeforeAgent", { prompt: "Fix it" }, { kind: "prompt-submitted", origin: "user", text: "Fix it" }],
    ["BeforeTool", shell("ls"), { kind: "tool-started", tool: "run_shell_command", activity: "ls" }],
    [
      "BeforeTool",
      { tool_name: "exit_plan_mode", tool_input: { plan: "1. a" } },
      { asks: { kind: "plan", message: "1. a" } },
    ],
    ["AfterTool", shell("ls"), { kind: "tool-finished", tool: "run_shell_command", effects: [] }],
    ["AfterAgent", { prompt_response: "Done" }, { kind: "answer-finished" }],
    ["PreCompress", { trigger: "manual" }, { kind: "compaction-started", manual: true, untilNext: true }],
    [
      "Notification",
      { notification_type: "ToolPermission", message: "m", details: { type: "edit", filePath: "/p/a" } },
      { kind: "input-asked", ask: { kind: "permission", message: "/p/a" } },
    ],
    [
      "Notification",
      { notification_type: "ToolPermission", details: { type: "mcp", serverName: "docs", toolName: "search" } },
      { kind: "input-asked", ask: { kind: "permission", message: "docs: search" } },
    ],
    [
      "Notification",
      { notification_type: "ToolPermission", message: "Allow it?" },
      { kind: "input-asked", ask: { kind: "permission", message: "Allow it?" } },
    ],
  ])("%s %j", (name, more, happened) => {
    expect(told("gemini", of(name, more))).toMatchObject({ session: "g1", name, cwd: "/p", ...happened });
  });

  test.each([
    ["PreCompress", { trigger: "auto" }],
    ["Notification", { notification_type: "Other" }],
    ["BeforeModel", {}],
    ["AfterModel", {}],
    ["BeforeToolSelection", {}],
    ["SomethingNew", {}],
  ])("%s %j says nothing", (name, more) => {
    expect(told("gemini", of(name, more))).toEqual({ outcome: "ignored", event: name });
  });

  test.each([{}, { session_id: "" }, { session_id: 5, hook_event_name: "SessionEnd" }, [], "text"])(
    "%j is refused",
    (payload) => {
      expect(told("gemini", { payload })).toMatchObject({ outcome: "refused" });
    },
  );
});

test("of two commands the user stopped, the second to end begins no turn", () => {
  const cancelled = { tool_response: { llmContent: "Command was cancelled by user before it could complete." } };
  const calls = [
    of("BeforeAgent", { prompt: "Go" }),
    of("BeforeTool", shell("a")),
    of("BeforeTool", shell("b")),
    of("AfterTool", { ...shell("a"), ...cancelled }),
    of("AfterTool", shell("b")),
  ];
  expect(statesOf("gemini", calls)).toEqual(["working", "working", "working", "idle", "idle"]);
});
