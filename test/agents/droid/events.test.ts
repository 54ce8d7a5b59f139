import { statesOf, told } from "../told";

/** The current spelling, mixed, and that of older versions. */
const SPELLINGS = {
  mixed: (name: string, more: object = {}) => ({
    payload: {
      sessionId: "d1",
      transcriptPath: "/t",
      cwd: "/p",
      permissionMode: "auto-low",
      hookEventName: name,
      ...more,
    },
  }),
  snake: (name: string, more: object = {}) => ({
    payload: {
      session_id: "d1",
      transcript_path: "/t",
      cwd: "/p",
      permission_mode: "auto-low",
      hook_event_name: name,
      ...more,
    },
  }),
};

const tool = { tool_name: "Execute", tool_input: { command: "npm test" } };

describe.each(Object.entries(SPELLINGS))("an event of Droid, %s", (_spelling, of) => {
  test.each([
    ["SessionStart", { source: "startup" }, { kind: "session-started", source: "startup" }],
    ["SessionStart", { source: "resume" }, { kind: "session-started", source: "resume" }],
    ["SessionEnd", { reason: "clear" }, { kind: "session-ended", byUser: true }],
    ["SessionEnd", { reason: "prompt_input_exit" }, { kind: "session-ended", byUser: false }],
    ["UserPromptSubmit", { prompt: "Fix it" }, { kind: "prompt-submitted", origin: "user", text: "Fix it" }],
    ["PreToolUse", tool, { kind: "tool-started", tool: "Execute", activity: "npm test" }],
    ["PostToolUse", { ...tool, tool_response: {} }, { kind: "tool-finished", tool: "Execute", effects: [] }],
    ["Stop", { stopHookActive: false }, { kind: "answer-finished" }],
    [
      "Notification",
      { message: "Droid needs your permission to use Execute" },
      { kind: "wait-noticed", ask: { kind: "permission", message: "Droid needs your permission to use Execute" } },
    ],
    ["Notification", { message: "Droid is waiting for your input" }, { kind: "idle-noticed" }],
    ["PreCompact", { trigger: "manual" }, { kind: "compaction-started", manual: true, untilNext: true }],
    ["PreCompact", { trigger: "auto" }, { kind: "compaction-started", manual: false, untilNext: true }],
  ])("%s %j", (name, more, happened) => {
    expect(told("droid", of(name, more))).toMatchObject({
      session: "d1",
      name,
      cwd: "/p",
      permissionMode: "auto-low",
      ...happened,
    });
  });

  test.each([
    ["SubagentStop", {}],
    ["Notification", { message: "Welcome" }],
    ["SomethingNew", {}],
  ])("%s %j says nothing", (name, more) => {
    expect(told("droid", of(name, more))).toEqual({ outcome: "ignored", event: name });
  });

  test("the course of a session", () => {
    const calls = [
      of("SessionStart", { source: "startup" }),
      of("UserPromptSubmit", { prompt: "Go" }),
      of("PreToolUse", tool),
      of("Notification", { message: "Droid needs your permission" }),
      of("PostToolUse", tool),
      of("PreCompact", { trigger: "auto" }),
      of("PreToolUse", tool),
      of("PostToolUse", tool),
      of("Stop"),
      // A minute later: it says nothing new of an answer, and that a stopped turn is over.
      of("Notification", { message: "Droid is waiting for your input" }),
      of("UserPromptSubmit", { prompt: "Again" }),
      of("Notification", { message: "Droid is waiting for your input" }),
      of("PreCompact", { trigger: "manual" }),
      of("SessionStart", { source: "compact" }),
      of("SessionEnd", { reason: "other" }),
    ];
    expect(statesOf("droid", calls)).toEqual([
      ...["idle", "working", "working", "waiting", "working", "compacting", "working", "working", "done"],
      ...["done", "working", "idle", "compacting", "idle", "dormant"],
    ]);
  });
});
