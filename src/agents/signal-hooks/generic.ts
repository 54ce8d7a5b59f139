import type { Signal } from "../../session/signal";
import { mapped, signalMap, stated } from "./choice";
import { isFailureWord } from "./failure-marker";
import { AGENT_KEYS, FOLDER_KEYS, type HookCall, type HookSignal } from "./hook";
import { exact, first, fromEnvironment, nested } from "./values";

const EVENT_KEYS = ["hook_event_name", "event_name", "event", "hook", "type", "action", "name"] as const;

const ID_KEYS = [
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
] as const;

const ID_VARIABLES = [
  "AGENT_SIGNAL_SESSION_ID",
  "AGENT_SESSION_ID",
  "AI_AGENT_SESSION_ID",
  "SESSION_ID",
  "RUN_ID",
  "TASK_ID",
] as const;

const AGENT_VARIABLES = ["AGENT_SIGNAL_AGENT", "AGENT_NAME", "AGENT_SOURCE", "AI_AGENT_NAME"] as const;

/** The agent's name when nothing says it; it scopes no id. */
const UNNAMED = "agent";

/** What a status means. A signal's own name is understood before; here it still counts among other marks (`done!`). */
const STATUS_WORDS = signalMap({
  idle: ["idle", "ready"],
  thinking: ["thinking", "planning"],
  working: ["working", "running", "active", "busy", "pending"],
  attention: ["waiting", "attention", "needs_review", "needs_attention"],
  notification: ["notification"],
  permission: ["permission"],
  permission_request: ["permission_required", "approval_required"],
  blocked: ["blocked", "failed", "failure"],
  error: ["error"],
  done: ["done", "complete", "completed", "success", "succeeded"],
  paused: ["paused"],
  off: ["off"],
});

const STATEMENTS = {
  signal: ["signal", "signal_name", "lamp_signal", "agent_signal"],
  status: ["status", "state", "phase", "result", "outcome"],
  words: STATUS_WORDS,
} as const;

/** Events of agents and scripts. Those that speak of a failure are told by their words, so they do not stand here. */
const EVENTS = signalMap({
  session_start: ["SessionStart"],
  thinking: ["PromptSubmitted", "UserPromptSubmit", "Thinking", "Planning"],
  working: ["Start", "Started", "AgentStarted", "TaskStarted", "RunStarted", "PreToolUse", "ToolStart", "ToolCall"],
  tool_done: ["ToolDone", "PostToolUse", "ToolFinished", "ToolCompleted"],
  attention: ["NeedsReview", "NeedsAttention", "Attention"],
  notification: ["Notification"],
  permission_request: ["PermissionRequest", "ApprovalRequired", "RequiresApproval", "WaitingForApproval"],
  blocked: ["Blocked"],
  done: [
    "Done",
    "Completed",
    "Finished",
    "Succeeded",
    "Success",
    "AgentFinished",
    "TaskFinished",
    "RunFinished",
    "Stop",
  ],
  session_end: ["SessionEnd"],
  turn_end: ["TurnEnd"],
  paused: ["Paused"],
  pause: ["Pause"],
  off: ["Off"],
});

/** A call of any other agent's or script's hook (Agent Signal's generic adapter). */
export function genericHook(call: HookCall): HookSignal {
  const { payload } = call;
  const event = call.event ?? exact(payload, EVENT_KEYS);
  const agent = call.agent ?? agentOf(call);
  const recorded = call.recordedEvent ?? event;
  return {
    signal: stated(payload, STATEMENTS) ?? signalOf(event ?? first(payload, EVENT_KEYS) ?? "Notification"),
    sessionId: call.sessionId ?? sessionIdOf(call, agent),
    agent,
    ...(recorded === undefined ? {} : { event: recorded }),
  };
}

function signalOf(event: string): Signal {
  return isFailureWord(event.toLowerCase()) ? "blocked" : (mapped(event, EVENTS) ?? "attention");
}

function agentOf({ payload, environment }: HookCall): string {
  return nested(payload, AGENT_KEYS) ?? fromEnvironment(environment, AGENT_VARIABLES) ?? UNNAMED;
}

function sessionIdOf({ payload, environment }: HookCall, agent: string): string {
  const id = nested(payload, ID_KEYS) ?? fromEnvironment(environment, ID_VARIABLES);
  if (id !== undefined) return id;
  const folder = first(payload, [...FOLDER_KEYS, "repository"]);
  if (folder !== undefined) return `cwd:${folder.trim()}`;
  return agent === "" || agent === UNNAMED ? "global" : `${agent}:global`;
}
