import { reportsOf, statesOf, told } from "../told";

const of = (hook_event_name: string, more: object = {}) => ({
  payload: {
    conversation_id: "c1",
    generation_id: "g1",
    hook_event_name,
    cursor_version: "2.4",
    workspace_roots: ["/p", "/other"],
    ...more,
  },
});

describe("an event of Cursor", () => {
  test.each([
    ["sessionStart", {}, { kind: "session-started", source: "startup" }],
    ["sessionEnd", { reason: "completed" }, { kind: "session-ended", byUser: false }],
    ["beforeSubmitPrompt", { prompt: "Fix it" }, { kind: "prompt-submitted", origin: "user", text: "Fix it" }],
    [
      "preToolUse",
      { tool_name: "Shell", tool_input: { command: "npm test" }, tool_use_id: "t1" },
      { kind: "tool-started", tool: "Shell", call: "t1", activity: "npm test", beside: true },
    ],
    ["postToolUse", { tool_name: "Shell", tool_use_id: "t1" }, { kind: "tool-finished", tool: "Shell", call: "t1" }],
    ["postToolUseFailure", { tool_name: "Shell" }, { kind: "tool-finished", tool: "Shell" }],
    ["beforeShellExecution", { command: "npm test", cwd: "/q" }, { kind: "tool-started", tool: "Shell", cwd: "/q" }],
    ["afterShellExecution", { command: "npm test", output: "", duration: 3 }, { kind: "tool-finished", tool: "Shell" }],
    [
      "beforeMCPExecution",
      { tool_name: "search", tool_input: '{"query":"x"}' },
      { kind: "tool-started", tool: "search", activity: "x" },
    ],
    ["afterMCPExecution", { tool_name: "search", result_json: "{}" }, { kind: "tool-finished", tool: "search" }],
    ["afterFileEdit", { file_path: "/p/a", edits: [] }, { kind: "noted" }],
    ["beforeReadFile", { file_path: "/p/a", content: "" }, { kind: "noted" }],
    ["afterAgentResponse", { text: "Done" }, { kind: "noted" }],
    [
      "subagentStart",
      { subagent_id: "s1", subagent_type: "explore" },
      { kind: "subagent-started", subagent: "explore" },
    ],
    [
      "subagentStop",
      { subagent_type: "explore", status: "completed" },
      { kind: "subagent-stopped", subagent: "explore" },
    ],
    ["preCompact", { trigger: "auto" }, { kind: "compaction-started", manual: false, untilNext: true }],
    ["stop", { status: "completed", loop_count: 0 }, { kind: "answer-finished" }],
    ["stop", { status: "aborted", loop_count: 0 }, { kind: "turn-stopped" }],
    ["stop", { status: "error", loop_count: 0 }, { kind: "turn-failed", reason: "Ended with an error" }],
    ["stop", { status: "error", error_message: "quota" }, { kind: "turn-failed", reason: "quota" }],
  ])("%s %j", (name, more, happened) => {
    expect(told("cursor", of(name, more))).toMatchObject({ session: "c1", name, cwd: "/p", ...happened });
  });

  test.each(["afterAgentThought", "beforeTabFileRead", "afterTabFileEdit", "workspaceOpen", "somethingNew"])(
    "%s says nothing",
    (name) => {
      expect(told("cursor", of(name))).toEqual({ outcome: "ignored", event: name });
    },
  );

  test("in camelCase, and with a session id only, it is read as well", () => {
    expect(
      told("cursor", { payload: { conversationId: "c1", hookEventName: "stop", status: "aborted" } }),
    ).toMatchObject({ session: "c1", kind: "turn-stopped" });
    expect(told("cursor", { event: "sessionStart", payload: { session_id: "s1" } })).toMatchObject({ session: "s1" });
  });

  test("without a conversation it is refused", () => {
    expect(told("cursor", { payload: { hook_event_name: "stop" } })).toMatchObject({ outcome: "refused" });
  });

  test("what happens in a subagent's conversation is its parent's, inside a subagent", () => {
    const inside = of("stop", { conversation_id: "child", parent_conversation_id: "c1", status: "error" });
    expect(told("cursor", inside)).toMatchObject({ session: "c1", agentId: "child" });
    expect(statesOf("cursor", [of("beforeSubmitPrompt", { prompt: "Go" }), inside])).toEqual(["working", "working"]);
  });
});

test("the course of a session", () => {
  const shell = { tool_name: "Shell", tool_use_id: "t1", tool_input: { command: "ls" } };
  const calls = [
    of("sessionStart"),
    of("beforeSubmitPrompt", { prompt: "Go" }),
    of("preToolUse", shell),
    of("beforeShellExecution", { command: "ls" }),
    of("afterShellExecution", { command: "ls" }),
    of("postToolUse", shell),
    of("preCompact", { trigger: "auto" }),
    of("afterAgentResponse", { text: "Done" }),
    of("stop", { status: "completed" }),
    of("beforeSubmitPrompt", { prompt: "Again" }),
    of("stop", { status: "aborted" }),
    // A call that Esc broke off may end later: it begins no turn.
    of("postToolUse", shell),
    of("sessionEnd"),
  ];
  expect(statesOf("cursor", calls)).toEqual([
    ...["idle", "working", "working", "working", "working", "working", "compacting", "working", "done"],
    ...["working", "idle", "idle", "dormant"],
  ]);
  expect(reportsOf("cursor", calls)[5]?.tool).toBeUndefined();
});
