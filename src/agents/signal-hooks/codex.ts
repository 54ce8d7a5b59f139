import { mapped, signalMap, stated } from "./choice";
import { AGENT_KEYS, FOLDER_KEYS, type HookCall, type HookSignal } from "./hook";
import { exact, first, fromEnvironment, nested } from "./values";

const EVENT_KEYS = ["hook_event_name", "event_name", "event", "hook", "type"] as const;
const ID_KEYS = ["session_id", "conversation_id", "thread_id", "chat_id", "codex_session_id"] as const;
const ID_VARIABLES = ["CODEX_SESSION_ID", "CODEX_CONVERSATION_ID", "CODEX_THREAD_ID"] as const;
const STATEMENTS = { signal: ["signal", "signal_name", "lamp_signal"], status: ["status", "state"] } as const;

/** What tells where Codex runs: the first that is set decides, even when it says nothing of an editor. */
const AGENT_VARIABLES = [
  "AGENT_SIGNAL_AGENT",
  "AGENT_NAME",
  "AGENT_SOURCE",
  "CODEX_SOURCE",
  "CODEX_APP",
  "TERM_PROGRAM",
  "TERMINAL_EMULATOR",
  "JETBRAINS_IDE",
  "IDEA_INITIAL_DIRECTORY",
  "IDEA_PROPERTIES",
  "IDEA_VM_OPTIONS",
] as const;

const EVENTS = signalMap({
  session_start: ["SessionStart"],
  thinking: ["UserPromptSubmit"],
  working: ["PreToolUse"],
  tool_done: ["PostToolUse"],
  permission_request: ["PermissionRequest"],
  done: ["Stop"],
  session_end: ["SessionEnd"],
});

/** A call of Codex's hook (Agent Signal's Codex adapter). */
export function codexHook(call: HookCall): HookSignal {
  const { payload, environment } = call;
  const event = call.event ?? exact(payload, EVENT_KEYS);
  const agent = call.agent ?? agentOf(call);
  const recorded = call.recordedEvent ?? event;
  return {
    signal: stated(payload, STATEMENTS) ?? mapped(event ?? first(payload, EVENT_KEYS) ?? "Stop", EVENTS) ?? "attention",
    sessionId: call.sessionId ?? scoped(sessionIdOf({ payload, environment }), agent),
    agent,
    ...(recorded === undefined ? {} : { event: recorded }),
  };
}

function sessionIdOf({ payload, environment }: Pick<HookCall, "payload" | "environment">): string {
  const id = nested(payload, ID_KEYS) ?? fromEnvironment(environment, ID_VARIABLES);
  if (id !== undefined) return id;
  const folder = first(payload, FOLDER_KEYS);
  return folder === undefined ? "global" : `cwd:${folder.trim()}`;
}

function agentOf({ payload, environment }: HookCall): string {
  const name = nested(payload, AGENT_KEYS) ?? fromEnvironment(environment, AGENT_VARIABLES);
  return name === undefined ? "codex-cli" : classOf(name);
}

/** An id as the document has it: with the class of Codex before it, but for the desktop app's and one that has it. */
function scoped(id: string, agent: string): string {
  const prefix = classOf(agent);
  return prefix === "codex-desktop" || id.startsWith(`${prefix}:`) ? id : `${prefix}:${id}`;
}

/** Which Codex a name means, by what it holds, the first that fits. */
function classOf(name: string): string {
  const plain = name.trim().toLowerCase().replace(/[_ ]/g, "-");
  if (plain === "codex-desktop" || plain === "desktop" || plain.includes("desktop-app")) return "codex-desktop";
  if (/idea|intellij/.test(plain)) return "codex-idea";
  if (/vscode|vs-code|visual-studio-code/.test(plain)) return "codex-vscode";
  if (plain.includes("xcode")) return "codex-xcode";
  if (plain.includes("jetbrains")) return "codex-jetbrains";
  return plain === "ide" || plain.includes("codex-ide") ? "codex-ide" : "codex-cli";
}
