import { reportsOf, statesOf, told } from "../told";

const SESSION = { session_id: "q1", cwd: "/p", permission_mode: "auto_edit", timestamp: "2026-11-30T04:00:00.000Z" };
const of = (hook_event_name: string, more: object = {}) => ({ payload: { ...SESSION, hook_event_name, ...more } });
const facts = { session: "q1", cwd: "/p", permissionMode: "auto_edit" };
const shell = { tool_name: "run_shell_command", tool_input: { command: "npm test" }, tool_use_id: "c1" };

describe("an event of Qwen Code", () => {
  test.each([
    ["SessionStart", { source: "startup" }, { kind: "session-started", source: "startup" }],
    ["SessionStart", { source: "resume" }, { kind: "session-started", source: "resume" }],
    ["SessionStart", { source: "clear" }, { kind: "session-started", source: "clear" }],
    ["SessionStart", { source: "compact" }, { kind: "session-started", source: "compact" }],
    ["SessionEnd", { reason: "prompt_input_exit" }, { kind: "session-ended", byUser: false }],
    ["SessionEnd", { reason: "clear" }, { kind: "session-ended", byUser: true }],
    ["SessionDelete", {}, { kind: "session-ended", byUser: true }],
    ["UserPromptSubmit", { prompt: "Fix it" }, { kind: "prompt-submitted", origin: "user", text: "Fix it" }],
    ["PreToolUse", shell, { kind: "tool-started", tool: "run_shell_command", call: "c1", activity: "npm test" }],
    ["PostToolUse", shell, { kind: "tool-finished", tool: "run_shell_command", call: "c1", effects: [] }],
    ["PostToolUseFailure", { ...shell, error: "x" }, { kind: "tool-finished", call: "c1", effects: [] }],
    ["PermissionDenied", shell, { kind: "tool-finished", call: "c1", effects: [] }],
    [
      "PermissionRequest",
      shell,
      {
        kind: "permission-asked",
        tool: "run_shell_command",
        ask: { kind: "permission", message: "run_shell_command: npm test" },
      },
    ],
    [
      "Notification",
      { notification_type: "permission_prompt", message: "May I?" },
      { kind: "wait-noticed", ask: { kind: "permission", message: "May I?" } },
    ],
    ["Notification", { notification_type: "idle_prompt", message: "Waiting" }, { kind: "idle-noticed" }],
    ["Stop", {}, { kind: "answer-finished" }],
    ["StopFailure", { error: "loop_detected" }, { kind: "turn-failed", reason: "loop_detected" }],
    ["SubagentStart", { agent_id: "a1" }, { kind: "subagent-started", subagent: "a1", agentId: "a1" }],
    ["SubagentStop", { agent_id: "a1" }, { kind: "subagent-stopped", subagent: "a1", agentId: "a1" }],
    ["PreCompact", { trigger: "auto" }, { kind: "compaction-started", manual: false }],
    ["PostCompact", { trigger: "manual" }, { kind: "compaction-finished", manual: true }],
  ])("%s %j", (name, more, happened) => {
    expect(told("qwen", of(name, more))).toMatchObject({ ...facts, name, ...happened });
  });

  test.each([
    ["Notification", { notification_type: "auth_success" }],
    ...["PostToolBatch", "UserPromptExpansion", "MessageDisplay", "TodoCreated", "TodoCompleted"].map(
      (name): [string, object] => [name, {}],
    ),
    ["InstructionsLoaded", {}],
    ["SomethingNew", {}],
  ])("%s %j says nothing", (name, more) => {
    expect(told("qwen", of(name, more))).toEqual({ outcome: "ignored", event: name });
  });

  test("a question and a plan are decisions, under their own tools' names, until they are answered", () => {
    const question = { tool_name: "ask_user_question", tool_input: { questions: [{ question: "Which?" }] } };
    expect(told("qwen", of("PermissionRequest", question))).toMatchObject({
      tool: "ask_user_question",
      ask: { kind: "question", message: "Which?" },
    });
    expect(told("qwen", of("PreToolUse", question))).not.toHaveProperty("asks");
    expect(
      told("qwen", of("PermissionRequest", { tool_name: "exit_plan_mode", tool_input: { plan: "1. a" } })),
    ).toEqual(expect.objectContaining({ tool: "exit_plan_mode", ask: { kind: "plan", message: "1. a" } }));
  });

  test("Stop lists subagents that run, by what they are, and when it wakes up next", () => {
    const stop = of("Stop", {
      background_tasks: [
        { id: "b1", status: "running", agent_type: "explore", started_at: 1, description: "Looks" },
        { id: "b2", status: "completed", agent_type: "explore" },
      ],
      crons: [
        { id: "c1", schedule: "* * * * *", enabled: true, next_run: "1970-01-01T00:10:00.000Z" },
        { id: "c2", schedule: "* * * * *", enabled: true, next_run: 400_000 },
        { id: "c3", schedule: "* * * * *", enabled: false, next_run: 200_000 },
        { id: "c4", schedule: "* * * * *", enabled: true, next_run: 50_000 },
      ],
    });
    expect(told("qwen", stop)).toMatchObject({
      running: [{ id: "b1", kind: "subagent", text: "Looks" }],
      wakeupsLeft: true,
      wakeupAt: 400,
    });
    expect(told("qwen", of("Stop", { background_tasks: [], crons: [] }))).toEqual(
      expect.objectContaining({ running: [], wakeupsLeft: false }),
    );
  });

  test("a prompt without text is the next step of a turn", () => {
    expect(told("qwen", of("UserPromptSubmit", { prompt: "" }))).toEqual({
      ...facts,
      name: "UserPromptSubmit",
      kind: "step-started",
    });
  });

  test("fields in camelCase are read, too", () => {
    expect(told("qwen", { payload: { sessionId: "q1", hookEventName: "Stop", cwd: "/p" } })).toMatchObject({
      session: "q1",
      kind: "answer-finished",
    });
  });
});

test("a turn of Qwen Code, with a wake-up planned after it", () => {
  const calls = [
    of("SessionStart", { source: "startup" }),
    of("UserPromptSubmit", { prompt: "Go" }),
    of("PreToolUse", shell),
    of("PermissionRequest", shell),
    of("PostToolUse", shell),
    of("Stop", { background_tasks: [], crons: [{ id: "c", enabled: true, next_run: 900_000 }] }),
    of("SessionEnd", { reason: "other" }),
  ];
  expect(statesOf("qwen", calls)).toEqual(["idle", "working", "working", "waiting", "working", "done", "dormant"]);
  expect(reportsOf("qwen", calls).at(-2)?.wakeupAt).toBe(900);
});

test("it is no Claude Code session, though one may have started it", () => {
  const env = { CLAUDE_PID: "77", CLAUDE_CODE_ENTRYPOINT: "cli" };
  expect(told("qwen-code", { ...of("Stop"), env })).not.toHaveProperty("pid");
});
