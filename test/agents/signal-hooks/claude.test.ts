import { claudeHook } from "../../../src/agents/signal-hooks/claude";
import type { HookCall } from "../../../src/agents/signal-hooks/hook";
import type { Signal } from "../../../src/session/signal";

function call(payload: HookCall["payload"], more: Partial<HookCall> = {}) {
  return claudeHook({ payload, environment: {}, ...more });
}

const EVENTS: [event: string, signal: Signal][] = [
  ["TeammateIdle", "idle"],
  ["SessionStart", "session_start"],
  ["UserPromptSubmit", "thinking"],
  ["UserPromptExpansion", "thinking"],
  ["PreToolUse", "working"],
  ["PreCompact", "working"],
  ["WorktreeCreate", "working"],
  ["ElicitationResult", "working"],
  ["PostToolUse", "tool_done"],
  ["PostToolBatch", "tool_done"],
  ["PostCompact", "tool_done"],
  ["SubagentStart", "subagent_start"],
  ["TaskCreated", "subagent_start"],
  ["SubagentStop", "subagent_stop"],
  ["TaskCompleted", "subagent_stop"],
  ["ConfigChange", "attention"],
  ["CwdChanged", "attention"],
  ["Elicitation", "attention"],
  ["FileChanged", "attention"],
  ["InstructionsLoaded", "attention"],
  ["WorktreeRemove", "attention"],
  ["Notification", "notification"],
  ["PermissionRequest", "permission_request"],
  ["PostToolUseFailure", "blocked"],
  ["PermissionDenied", "blocked"],
  ["StopFailure", "blocked"],
  ["Stop", "done"],
  ["SessionEnd", "session_end"],
];

test("the map has Claude Code's 28 events", () => {
  expect(new Set(EVENTS.map(([event]) => event)).size).toBe(28);
});

test.each(EVENTS)("%s is %s, and recorded in Claude Code's spelling whatever came", (event, signal) => {
  const other = `  ${event.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toUpperCase()} `;
  expect(call({ hook_event_name: event })).toMatchObject({ signal, event });
  expect(call({}, { event: other })).toMatchObject({ signal, event });
});

test("an event that is not in the map is attention, and recorded as it came, trimmed", () => {
  expect(call({ hook_event_name: " SomethingNew " })).toMatchObject({ signal: "attention", event: "SomethingNew" });
});

test("without any event it is Stop, and nothing is recorded", () => {
  expect(call({})).toEqual({ signal: "done", sessionId: "claude-global", agent: "claude-code" });
});

test.each(["hook_event_name", "event_name", "event", "hook", "type", "name", "hookEventName"])(
  "the event stands under %s, and may lie deeper",
  (key) => {
    expect(call({ [key]: "PreCompact" })).toMatchObject({ signal: "working", event: "PreCompact" });
    expect(call({ payload: { [key]: "PreCompact" } })).toMatchObject({ signal: "working", event: "PreCompact" });
  },
);

test("vector 29: why a turn stopped decides what Stop means", () => {
  expect(call({ hook_event_name: "Stop", stopReason: " max-tokens " }).signal).toBe("max_tokens");
  expect(call({ hook_event_name: "Stop", stopReason: " tool error " }).signal).toBe("error");
  expect(call({ hook_event_name: "Stop", stop_reason: "end_turn" }).signal).toBe("done");
  expect(call({ hook_event_name: "SubagentStop", stop_reason: "max_tokens" }).signal).toBe("subagent_stop");
  expect(call({ stop_reason: "max_tokens" }).signal).toBe("max_tokens");
});

test("vector 30: a payload that names its signal is believed", () => {
  expect(call({ hook_event_name: "PreToolUse", lampSignal: "permission" }).signal).toBe("permission");
});

test("vector 31: with nothing but a transcript, its file is the id", () => {
  expect(call({ transcriptPath: "/tmp/c/transcript-1.jsonl" }).sessionId).toBe("transcript:transcript-1.jsonl");
});

test("vector 32: a tool's event is recorded with the tool", () => {
  expect(call({ hook_event_name: "PreToolUse", toolName: "Bash" }).event).toBe("PreToolUse:Bash");
});

test.each<[string, string]>([
  ["PreToolUse", "PreToolUse:Bash"],
  ["PostToolUse", "PostToolUse:Bash"],
  ["PostToolUseFailure", "PostToolUseFailure:Bash"],
  ["PermissionRequest", "PermissionRequest"],
  ["PostToolBatch", "PostToolBatch"],
])("%s with a tool is recorded as %s", (event, recorded) => {
  expect(call({ hook_event_name: event, tool_name: " Bash " }).event).toBe(recorded);
  expect(call({ tool: "Bash" }, { event }).event).toBe(recorded);
});

test("vector 28: an exit status or a failed status blocks", () => {
  expect(call({ exitStatus: 1, hook_event_name: "PostToolUse" }).signal).toBe("blocked");
  expect(call({ Status: "failed", hook_event_name: "PostToolUse" }).signal).toBe("failure");
});

test("what a tool answered is content: a file about errors is no failure", () => {
  const payload = { hook_event_name: "PostToolUse", tool_response: { error: "printed by a test", status: "failed" } };
  expect(call(payload).signal).toBe("tool_done");
});

test("vector 33: a number is an id", () => {
  expect(call({ session_id: 12345 }).sessionId).toBe("12345");
});

test.each(["session_id", "conversation_id", "thread_id", "chat_id", "claude_session_id"])(
  "the id stands under %s",
  (key) => {
    expect(call({ [key]: " x " }).sessionId).toBe("x");
    expect(call({ session: { [key]: "x" } }).sessionId).toBe("x");
  },
);

test("then comes the environment, the transcript, the folder", () => {
  const payload = { transcript_path: "/t/one.jsonl", cwd: "/a" };
  const environment = { ANTHROPIC_SESSION_ID: "anthropic", CLAUDE_SESSION_ID: " claude " };
  expect(call(payload, { environment }).sessionId).toBe("claude");
  expect(call(payload, { environment: { ANTHROPIC_SESSION_ID: "anthropic" } }).sessionId).toBe("anthropic");
  expect(call(payload).sessionId).toBe("transcript:one.jsonl");
  expect(call({ transcript_path: "C:\\t\\one.jsonl" }).sessionId).toBe("transcript:one.jsonl");
  expect(call({ cwd: " /a " }).sessionId).toBe("cwd:/a");
  expect(call({ projectDir: "/p" }).sessionId).toBe("cwd:/p");
});

test("the agent is claude-code unless the command line says otherwise, whatever the payload says", () => {
  expect(call({ agent: "other", source: "startup" }).agent).toBe("claude-code");
  expect(call({}, { agent: "Mine" }).agent).toBe("Mine");
});

test("the options are taken as they are", () => {
  expect(call({ session_id: "x", hook_event_name: "Stop" }, { sessionId: " s ", recordedEvent: "Mine" })).toMatchObject(
    {
      signal: "done",
      sessionId: " s ",
      event: "Mine",
    },
  );
});
