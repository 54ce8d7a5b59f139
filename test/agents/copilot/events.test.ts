import { statesOf, told } from "../told";

/** Registered in camelCase, the payload has no name of the event; registered in PascalCase, it is Claude Code's. */
const camel = (event: string, more: object = {}) => ({
  event,
  payload: { sessionId: "g1", timestamp: 1796011042541, cwd: "/p", ...more },
});
const pascal = (name: string, more: object = {}) => ({
  payload: { hook_event_name: name, session_id: "g1", timestamp: "2026-11-30T04:00:00Z", cwd: "/p", ...more },
});

const EVENTS: [string, object, string, object, object][] = [
  [
    "sessionStart",
    { source: "startup" },
    "SessionStart",
    { source: "startup" },
    { kind: "session-started", source: "startup" },
  ],
  [
    "sessionStart",
    { source: "resume" },
    "SessionStart",
    { source: "resume" },
    { kind: "session-started", source: "resume" },
  ],
  [
    "sessionStart",
    { source: "new", initialPrompt: "Go" },
    "SessionStart",
    { source: "new", initial_prompt: "Go" },
    { kind: "session-started", source: "startup" },
  ],
  [
    "sessionEnd",
    { reason: "user_exit" },
    "SessionEnd",
    { reason: "user_exit" },
    { kind: "session-ended", byUser: false },
  ],
  [
    "sessionEnd",
    { reason: "complete" },
    "SessionEnd",
    { reason: "complete" },
    { kind: "session-ended", byUser: false },
  ],
  [
    "userPromptSubmitted",
    { prompt: "Fix it" },
    "UserPromptSubmit",
    { prompt: "Fix it" },
    { kind: "prompt-submitted", origin: "user", text: "Fix it" },
  ],
  [
    "preToolUse",
    { toolName: "bash", toolArgs: '{"command":"npm test"}' },
    "PreToolUse",
    { tool_name: "bash", tool_input: { command: "npm test" } },
    { kind: "tool-started", tool: "bash", activity: "npm test" },
  ],
  [
    "postToolUse",
    { toolName: "bash", toolArgs: {}, toolResult: { resultType: "success", textResultForLlm: "ok" } },
    "PostToolUse",
    { tool_name: "bash", tool_input: {}, tool_result: { result_type: "success", text_result_for_llm: "ok" } },
    { kind: "tool-finished", tool: "bash", effects: [] },
  ],
  [
    "postToolUseFailure",
    { toolName: "bash", toolArgs: {}, error: "no" },
    "PostToolUseFailure",
    { tool_name: "bash", tool_input: {}, error: "no" },
    { kind: "tool-finished", tool: "bash", effects: [] },
  ],
  [
    "subagentStart",
    { agentName: "explore", transcriptPath: "/t" },
    "SubagentStart",
    { agent_name: "explore" },
    { kind: "subagent-started", subagent: "explore" },
  ],
  [
    "subagentStop",
    { agentId: "x", agentType: "explore", agentName: "explore", response: "r" },
    "SubagentStop",
    { agent_id: "x", agent_type: "explore", agent_name: "explore" },
    { kind: "subagent-stopped", subagent: "explore" },
  ],
  [
    "preCompact",
    { trigger: "manual", customInstructions: "" },
    "PreCompact",
    { trigger: "manual" },
    { kind: "compaction-started", manual: true, untilNext: true },
  ],
  ["agentStop", { stopReason: "end_turn" }, "Stop", { stop_reason: "end_turn" }, { kind: "answer-finished" }],
  [
    "errorOccurred",
    { error: { message: "overloaded", name: "ModelError" }, errorContext: "model_call", recoverable: false },
    "ErrorOccurred",
    { error: { message: "overloaded", name: "ModelError" }, error_context: "model_call", recoverable: false },
    { kind: "turn-failed", reason: "ModelError: overloaded" },
  ],
  [
    "errorOccurred",
    { error: { message: "m", name: "n" }, recoverable: true },
    "ErrorOccurred",
    { error: { message: "m", name: "n" }, recoverable: true },
    { kind: "noted" },
  ],
];

describe("an event of Copilot CLI", () => {
  test.each(EVENTS)("%s %j", (name, more, _pascal, _snake, happened) => {
    expect(told("copilot", camel(name, more))).toMatchObject({ session: "g1", name, cwd: "/p", ...happened });
  });

  test.each(EVENTS.map(([, , name, more, happened]) => [name, more, happened] as const))(
    "%s %j",
    (name, more, happened) => {
      expect(told("github-copilot", pascal(name, more))).toMatchObject({ session: "g1", name, cwd: "/p", ...happened });
    },
  );

  test("both spellings of a call are the same call", () => {
    const one = told("copilot", camel("preToolUse", { toolName: "bash", toolArgs: '{"command":"ls"}' }));
    const other = told("copilot", pascal("PreToolUse", { tool_name: "bash", tool_input: { command: "ls" } }));
    expect({ ...one, name: "" }).toEqual({ ...other, name: "" });
  });

  test.each([
    ["permission_prompt", { kind: "wait-noticed", ask: { kind: "permission", message: "bash: ls" } }],
    ["elicitation_dialog", { kind: "wait-noticed", ask: { kind: "question", message: "bash: ls" } }],
  ])("a notification of type %s, in its own mixed spelling", (notification_type, happened) => {
    const payload = {
      sessionId: "g1",
      cwd: "/p",
      hook_event_name: "Notification",
      message: "bash: ls",
      notification_type,
    };
    expect(told("copilot", { event: "notification", payload })).toMatchObject({ session: "g1", ...happened });
  });

  test.each(["agent_idle", "agent_completed", "shell_completed", "shell_detached_completed"])(
    "a notification of type %s says nothing of the session",
    (notification_type) => {
      const call = camel("notification", { notification_type, message: "m" });
      expect(told("copilot", call)).toEqual({ outcome: "ignored", event: "notification" });
    },
  );

  test.each(["permissionRequest", "userPromptTransformed", "preMcpToolCall", "somethingNew"])(
    "%s says nothing",
    (event) => {
      expect(told("copilot", camel(event, { toolName: "bash" }))).toEqual({ outcome: "ignored", event });
    },
  );

  test.each([
    ["ask_user", camel("preToolUse", { toolName: "ask_user", toolArgs: { questions: [{ question: "Which?" }] } })],
    [
      "AskUserQuestion",
      pascal("PreToolUse", { tool_name: "AskUserQuestion", tool_input: { questions: [{ question: "Which?" }] } }),
    ],
  ])("a question by %s is a decision", (tool, call) => {
    expect(told("copilot", call)).toMatchObject({ tool, asks: { kind: "question", message: "Which?" } });
  });

  test("without a name of the event it is refused", () => {
    expect(told("copilot", { payload: { sessionId: "g1" } })).toMatchObject({ outcome: "refused" });
  });
});

test("the course of a session", () => {
  const calls = [
    camel("sessionStart", { source: "startup" }),
    camel("userPromptSubmitted", { prompt: "Go" }),
    camel("preToolUse", { toolName: "bash", toolArgs: {} }),
    camel("notification", { hook_event_name: "Notification", notification_type: "permission_prompt", message: "m" }),
    camel("postToolUse", { toolName: "bash" }),
    camel("preToolUse", { toolName: "ask_user", toolArgs: {} }),
    camel("postToolUse", { toolName: "ask_user" }),
    camel("errorOccurred", { recoverable: true }),
    camel("preCompact", { trigger: "auto" }),
    camel("preToolUse", { toolName: "task", toolArgs: {} }),
    camel("postToolUse", { toolName: "task" }),
    camel("agentStop", {}),
    camel("userPromptSubmitted", { prompt: "Again" }),
    camel("errorOccurred", { recoverable: false, error: { name: "E", message: "m" } }),
    camel("sessionEnd", { reason: "error" }),
  ];
  expect(statesOf("copilot", calls)).toEqual([
    ...["idle", "working", "working", "waiting", "working", "decision", "working", "working", "compacting", "working"],
    ...["working", "done", "working", "failed", "dormant"],
  ]);
});
