import { statesOf, told } from "../told";

describe("any JSON", () => {
  test.each([
    [{ event: "SessionStart" }, { kind: "session-started", source: "startup" }],
    [
      { event: "PromptSubmitted", prompt: "Fix it" },
      { kind: "prompt-submitted", origin: "user", text: "Fix it" },
    ],
    [{ event: "Thinking" }, { kind: "turn-resumed" }],
    [{ event: "AgentStarted" }, { kind: "turn-resumed" }],
    [
      { event: "PreToolUse", tool_name: "bash" },
      { kind: "tool-started", tool: "bash" },
    ],
    [{ event: "ToolDone", tool_name: "bash" }, { kind: "turn-resumed" }],
    [
      { event: "NeedsReview", message: "Look" },
      { kind: "input-asked", ask: { kind: "input", message: "Look" } },
    ],
    [{ event: "Notification" }, { kind: "input-asked", ask: { kind: "input" } }],
    [
      { event: "ApprovalRequired", message: "Deploy?" },
      { kind: "input-asked", ask: { kind: "permission", message: "Deploy?" } },
    ],
    [
      { event: "Blocked", reason: "No disk" },
      { kind: "turn-failed", reason: "No disk" },
    ],
    [{ event: "TaskFailed" }, { kind: "turn-failed", reason: "blocked" }],
    [{ event: "TaskFinished" }, { kind: "answer-finished" }],
    [{ event: "TurnEnd" }, { kind: "turn-stopped" }],
    [{ event: "SessionEnd" }, { kind: "session-ended", byUser: false }],
    [{ status: "idle" }, { kind: "turn-stopped" }],
    [{ state: "planning" }, { kind: "turn-resumed" }],
    [{ phase: "running" }, { kind: "turn-resumed" }],
    [{ result: "succeeded" }, { kind: "answer-finished" }],
    [{ outcome: "approval_required" }, { kind: "input-asked", ask: { kind: "permission" } }],
    [{ event: "ToolDone", exitStatus: 1 }, { kind: "turn-failed" }],
    [
      { signal: "subagent_start", agent_id: "a1" },
      { kind: "subagent-started", subagent: "a1" },
    ],
    [
      { signal: "subagent_stop", agentId: "a1" },
      { kind: "subagent-stopped", subagent: "a1" },
    ],
    [{ signal: "subagent_start" }, { kind: "noted" }],
    [{ agent_signal: "max_tokens" }, { kind: "turn-failed", reason: "max_tokens" }],
  ])("%j", (payload, happened) => {
    expect(told("generic", { payload: { session_id: "x", ...payload } })).toMatchObject({ session: "x", ...happened });
  });

  test.each(["off", "pause", "paused", "stale"])("%s is about watching, not about a session", (signal) => {
    expect(told("generic", { payload: { session_id: "x", signal } })).toMatchObject({ outcome: "ignored" });
  });

  test.each([
    [{ sessionId: "a" }, "a"],
    [{ conversation_id: "a" }, "a"],
    [{ "thread-id": "a" }, "a"],
    [{ data: { runId: 7 } }, "7"],
    [{ cwd: "/p" }, "cwd:/p"],
    [{}, "global"],
  ])("%j is the session %s", (payload, session) => {
    expect(told("generic", { payload: { event: "Done", ...payload } })).toMatchObject({ session });
  });

  test("without a payload, the hook's event and the environment tell", () => {
    const env = { AGENT_SESSION_ID: "s9" };
    expect(told("generic", { event: "Done", env })).toMatchObject({ session: "s9", kind: "answer-finished" });
  });

  test("what is no object is refused", () => {
    for (const payload of [[1], "text", 5, true]) {
      expect(told("generic", { payload })).toMatchObject({ outcome: "refused" });
    }
  });

  test("the course of a script", () => {
    const of = (event: string, more: object = {}) => ({ payload: { session: "x", event, ...more } });
    const calls = [
      of("AgentStarted"),
      of("ApprovalRequired"),
      of("ApprovalRequired"),
      of("PreToolUse", { tool_name: "deploy" }),
      of("NeedsReview"),
      of("ToolDone"),
      of("TaskFinished"),
      of("SessionEnd"),
    ];
    expect(statesOf("generic", calls)).toEqual([
      ...["working", "waiting", "waiting", "working", "waiting", "working", "done", "dormant"],
    ]);
  });
});
