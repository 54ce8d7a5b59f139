import { genericHook } from "../../../src/agents/signal-hooks/generic";
import type { HookCall } from "../../../src/agents/signal-hooks/hook";
import type { Signal } from "../../../src/session/signal";

function call(payload: HookCall["payload"], more: Partial<HookCall> = {}) {
  return genericHook({ payload, environment: {}, ...more });
}

const EVENTS: [event: string, signal: Signal][] = [
  ["SessionStart", "session_start"],
  ["PromptSubmitted", "thinking"],
  ["UserPromptSubmit", "thinking"],
  ["Thinking", "thinking"],
  ["Planning", "thinking"],
  ["Start", "working"],
  ["Started", "working"],
  ["AgentStarted", "working"],
  ["TaskStarted", "working"],
  ["RunStarted", "working"],
  ["PreToolUse", "working"],
  ["ToolStart", "working"],
  ["ToolCall", "working"],
  ["ToolDone", "tool_done"],
  ["PostToolUse", "tool_done"],
  ["ToolFinished", "tool_done"],
  ["ToolCompleted", "tool_done"],
  ["NeedsReview", "attention"],
  ["NeedsAttention", "attention"],
  ["Attention", "attention"],
  ["Notification", "notification"],
  ["PermissionRequest", "permission_request"],
  ["ApprovalRequired", "permission_request"],
  ["RequiresApproval", "permission_request"],
  ["WaitingForApproval", "permission_request"],
  ["Blocked", "blocked"],
  ["Failed", "blocked"],
  ["Failure", "blocked"],
  ["Error", "blocked"],
  ["Exception", "blocked"],
  ["Done", "done"],
  ["Completed", "done"],
  ["Finished", "done"],
  ["Succeeded", "done"],
  ["Success", "done"],
  ["AgentFinished", "done"],
  ["TaskFinished", "done"],
  ["RunFinished", "done"],
  ["Stop", "done"],
  ["SessionEnd", "session_end"],
  ["TurnEnd", "turn_end"],
  ["Paused", "paused"],
  ["Pause", "pause"],
  ["Off", "off"],
];

test("there are 44 events", () => {
  expect(new Set(EVENTS.map(([event]) => event)).size).toBe(44);
});

test.each(EVENTS)("%s is %s, in any spelling, and recorded as it came", (event, signal) => {
  const other = event.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  expect(call({ event })).toMatchObject({ signal, event });
  expect(call({}, { event: other })).toMatchObject({ signal, event: other });
});

test("any event that speaks of a failure blocks; any other unknown one asks for a look", () => {
  expect(call({ event: "build_failed_twice" }).signal).toBe("blocked");
  expect(call({ event: "UnhandledException" }).signal).toBe("blocked");
  expect(call({ event: "SomethingNew" }).signal).toBe("attention");
});

test("without any event it is a notification, and nothing is recorded", () => {
  expect(call({})).toEqual({ signal: "notification", sessionId: "global", agent: "agent" });
});

test.each(["hook_event_name", "event_name", "event", "hook", "type", "action", "name"])(
  "the event stands under %s",
  (key) => {
    expect(call({ [key]: "Started" })).toMatchObject({ signal: "working", event: "Started" });
  },
);

test("an event under a key in another spelling chooses the signal but is not recorded", () => {
  expect(call({ "event-name": "Started" })).toEqual({ signal: "working", sessionId: "global", agent: "agent" });
});

test.each<[status: string, signal: Signal]>([
  ["idle", "idle"],
  ["ready", "idle"],
  ["thinking", "thinking"],
  ["planning", "thinking"],
  ["working", "working"],
  ["running", "working"],
  ["active", "working"],
  ["busy", "working"],
  ["pending", "working"],
  ["waiting", "attention"],
  ["attention", "attention"],
  ["needs_review", "attention"],
  ["needs_attention", "attention"],
  ["notification", "notification"],
  ["permission", "permission"],
  ["permission_required", "permission_request"],
  ["approval_required", "permission_request"],
  ["blocked", "blocked"],
  ["failed", "failure"],
  ["failure", "failure"],
  ["error", "error"],
  ["done", "done"],
  ["complete", "done"],
  ["completed", "done"],
  ["success", "done"],
  ["succeeded", "done"],
  ["paused", "paused"],
  ["off", "off"],
])("a status %s is %s, by five keys", (status, signal) => {
  for (const key of ["status", "state", "phase", "result", "outcome"]) {
    expect(call({ [key]: ` ${status.toUpperCase()} `, event: "SomethingNew" }).signal).toBe(signal);
  }
});

test.each<[status: string, signal: Signal]>([
  ["Needs Review!", "attention"],
  ["failed!", "blocked"],
  ["error.", "error"],
  ["step failed", "blocked"],
  ["odd", "working"],
])("a status %j with Started gives %s", (status, signal) => {
  expect(call({ status, event: "Started" }).signal).toBe(signal);
});

test("a payload may name its signal by four keys", () => {
  for (const key of ["signal", "signal_name", "lamp_signal", "agentSignal"]) {
    expect(call({ [key]: "max tokens", status: "done" }).signal).toBe("max_tokens");
  }
});

test("vector 28: an exit status or a failed status blocks", () => {
  expect(call({ exitStatus: 1, event: "PostToolUse" }).signal).toBe("blocked");
  expect(call({ Status: "failed", event: "PostToolUse" }).signal).toBe("failure");
});

test("vector 33: a number is an id", () => {
  expect(call({ run_id: 12345 }).sessionId).toBe("12345");
});

test("vector 34: a script's event", () => {
  expect(call({ event: "AgentStarted", agent: "local-script", session_id: "x" })).toEqual({
    signal: "working",
    sessionId: "x",
    agent: "local-script",
    event: "AgentStarted",
  });
});

test("vector 35: a script that asks for approval", () => {
  expect(call({ event: "ApprovalRequired", source: "local-agent", task_id: "approve-1" })).toEqual({
    signal: "permission_request",
    sessionId: "approve-1",
    agent: "local-agent",
    event: "ApprovalRequired",
  });
});

test.each([
  "session_id",
  "session",
  "conversation_id",
  "thread_id",
  "chat_id",
  "run_id",
  "job_id",
  "task_id",
  "request_id",
  "invocation_id",
])("the id stands under %s", (key) => {
  expect(call({ [key]: " x " }).sessionId).toBe("x");
  expect(call({ data: { [key]: "x" } }).sessionId).toBe("x");
});

test.each(["AGENT_SIGNAL_SESSION_ID", "AGENT_SESSION_ID", "AI_AGENT_SESSION_ID", "SESSION_ID", "RUN_ID", "TASK_ID"])(
  "then it comes from %s, before the folder",
  (name) => {
    expect(call({ cwd: "/a" }, { environment: { [name]: " x " } }).sessionId).toBe("x");
  },
);

test("then from the folder, then from the agent", () => {
  for (const key of ["cwd", "workspace", "workspace_dir", "project_dir", "repository"]) {
    expect(call({ [key]: " /a " }).sessionId).toBe("cwd:/a");
  }
  expect(call({ agent: "local" }).sessionId).toBe("local:global");
  expect(call({}, { agent: "local" }).sessionId).toBe("local:global");
  expect(call({ agent: "agent" }).sessionId).toBe("global");
});

test("the agent comes from the payload, then from the environment, as it is", () => {
  expect(call({ provider: " Acme CLI " }).agent).toBe("Acme CLI");
  expect(call({ meta: { client: "Acme" } }).agent).toBe("Acme");
  for (const name of ["AGENT_SIGNAL_AGENT", "AGENT_NAME", "AGENT_SOURCE", "AI_AGENT_NAME"]) {
    expect(call({}, { environment: { AI_AGENT_NAME: "other", [name]: " Acme " } }).agent).toBe("Acme");
  }
});

test("the options are taken as they are", () => {
  expect(call({ agent: "a", session_id: "x" }, { agent: " A ", sessionId: "", recordedEvent: "E" })).toMatchObject({
    agent: " A ",
    sessionId: "",
    event: "E",
  });
});
