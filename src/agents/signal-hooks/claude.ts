import type { Signal } from "../../session/signal";
import { mapped, signalMap, stated } from "./choice";
import { isFailureWord } from "./failure-marker";
import { FOLDER_KEYS, type HookCall, type HookSignal } from "./hook";
import { first, fromEnvironment, nested, simplified, type Payload } from "./values";

const EVENT_KEYS = ["hook_event_name", "event_name", "event", "hook", "type", "name"] as const;
const ID_KEYS = ["session_id", "conversation_id", "thread_id", "chat_id", "claude_session_id"] as const;
const ID_VARIABLES = ["CLAUDE_SESSION_ID", "ANTHROPIC_SESSION_ID"] as const;
const STATEMENTS = { signal: ["signal", "signal_name", "lamp_signal"], status: ["status", "state"] } as const;
const TOOL_KEYS = ["tool_name", "tool", "name"] as const;

/** Claude Code's events by their own spelling, which is the one recorded. */
const EVENT_NAMES = {
  idle: ["TeammateIdle"],
  session_start: ["SessionStart"],
  thinking: ["UserPromptSubmit", "UserPromptExpansion"],
  working: ["PreToolUse", "PreCompact", "WorktreeCreate", "ElicitationResult"],
  tool_done: ["PostToolUse", "PostToolBatch", "PostCompact"],
  subagent_start: ["SubagentStart", "TaskCreated"],
  subagent_stop: ["SubagentStop", "TaskCompleted"],
  attention: ["ConfigChange", "CwdChanged", "Elicitation", "FileChanged", "InstructionsLoaded", "WorktreeRemove"],
  notification: ["Notification"],
  permission_request: ["PermissionRequest"],
  blocked: ["PostToolUseFailure", "PermissionDenied", "StopFailure"],
  done: ["Stop"],
  session_end: ["SessionEnd"],
} as const satisfies Partial<Record<Signal, readonly string[]>>;

const EVENTS = signalMap(EVENT_NAMES);

const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.values(EVENT_NAMES).flatMap((names) => names.map((name): [string, string] => [simplified(name), name])),
);

/** Events that are recorded with the tool they are about. */
const OF_A_TOOL: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);

/** A call of Claude Code's hook (Agent Signal's Claude adapter). */
export function claudeHook(call: HookCall): HookSignal {
  const { payload } = call;
  const event = call.event ?? nested(payload, EVENT_KEYS);
  const recorded = call.recordedEvent ?? (event === undefined ? undefined : recordedName(event, payload));
  return {
    signal: stated(payload, STATEMENTS) ?? signalOf(event ?? "Stop", payload),
    sessionId: call.sessionId ?? sessionIdOf(call),
    agent: call.agent ?? "claude-code",
    ...(recorded === undefined ? {} : { event: recorded }),
  };
}

function signalOf(event: string, payload: Payload): Signal {
  const name = simplified(event);
  const reason = name === "stop" ? first(payload, ["stop_reason"]) : undefined;
  const why = reason === undefined ? "" : simplified(reason);
  if (why === "maxtokens") return "max_tokens";
  if (isFailureWord(why)) return "error";
  return mapped(name, EVENTS) ?? "attention";
}

/** The event's name as it is recorded: Claude Code's own spelling, with the tool where the event is about one. */
function recordedName(event: string, payload: Payload): string {
  const name = SPELLINGS.get(simplified(event)) ?? event.trim();
  const tool = OF_A_TOOL.has(name) ? first(payload, TOOL_KEYS) : undefined;
  return tool === undefined ? name : `${name}:${tool.trim()}`;
}

function sessionIdOf({ payload, environment }: HookCall): string {
  const id = nested(payload, ID_KEYS) ?? fromEnvironment(environment, ID_VARIABLES);
  if (id !== undefined) return id;
  const transcript = first(payload, ["transcript_path"])?.trim();
  if (transcript !== undefined) return `transcript:${lastPartOf(transcript)}`;
  const folder = first(payload, FOLDER_KEYS);
  return folder === undefined ? "claude-global" : `cwd:${folder.trim()}`;
}

/** The file's name; Windows separates by the other slash. */
function lastPartOf(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}
