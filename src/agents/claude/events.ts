import { isMoment } from "../../files/timestamp";
import type { HookSetting, MapPayload } from "../../session/mapping";
import type { Event, EventFacts, RunningTask } from "../../session/event";
import type { Identity } from "../../session/identity";
import { cutText, oneLine } from "../../session/text";
import { originOf, taskEndsIn, titleFrom } from "./prompt";
import { claudePayload, type ClaudePayload } from "./payload";
import { activityOf, choiceOf, effectsOf, inputDigest, permissionMessage } from "./tool";

/** Maps what a Claude Code hook received to an event (facts: which sequence means what; recommended patches). */
export const mapClaude: MapPayload = (payload, setting) => {
  const parsed = claudePayload.safeParse(payload);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { outcome: "refused", reason: `${issue?.path.join(".") || "payload"}: ${issue?.message ?? "not readable"}` };
  }
  const happened = happeningOf(parsed.data);
  if (happened === undefined) return { outcome: "ignored", event: parsed.data.hook_event_name };
  const identity: Identity = { agent: "claude", sessionId: parsed.data.session_id };
  return { outcome: "event", identity, event: { ...factsOf(parsed.data, setting), ...happened } };
};

type Happening = Event extends infer E ? (E extends Event ? Omit<E, keyof EventFacts> : never) : never;

function happeningOf(payload: ClaudePayload): Happening | undefined {
  const tool = payload.tool_name;
  switch (payload.hook_event_name) {
    case "SessionStart":
      return { kind: "session-started", source: startSource(payload.source) };
    case "SessionEnd":
      // "/clear" is typed in the session; an exit may be a key or a signal, and may leave an answer unread.
      return { kind: "session-ended", byUser: payload.reason === "clear" };
    case "UserPromptSubmit": {
      const prompt = payload.prompt ?? "";
      const text = titleFrom(prompt);
      return {
        kind: "prompt-submitted",
        origin: originOf(prompt, payload.source),
        ended: taskEndsIn(prompt),
        ...(text === undefined ? {} : { text }),
      };
    }
    case "PreToolUse": {
      if (tool === undefined) return { kind: "noted" };
      const activity = activityOf(payload.tool_input);
      const asks = choiceOf(tool, payload.tool_input);
      return {
        kind: "tool-started",
        tool: cutText(tool, 64),
        input: inputDigest(payload.tool_input),
        ...(payload.tool_use_id === undefined ? {} : { call: payload.tool_use_id }),
        ...(activity === undefined ? {} : { activity }),
        ...(asks === undefined ? {} : { asks }),
      };
    }
    case "PermissionRequest": {
      const name = tool ?? "Tool";
      return {
        kind: "permission-asked",
        tool: cutText(name, 64),
        input: inputDigest(payload.tool_input),
        ask: choiceOf(name, payload.tool_input) ?? {
          kind: "permission",
          message: permissionMessage(name, payload.tool_input),
        },
      };
    }
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PermissionDenied":
      return {
        kind: "tool-finished",
        ...(tool === undefined ? {} : { tool: cutText(tool, 64) }),
        ...(payload.tool_use_id === undefined ? {} : { call: payload.tool_use_id }),
        effects: payload.hook_event_name === "PostToolUse" ? effectsOf(payload) : [],
      };
    case "Elicitation":
      return {
        kind: "input-asked",
        ask: { kind: "input", message: lineOr(payload.message, "Asks for input") },
        ...(payload.mcp_server_name === undefined ? {} : { source: payload.mcp_server_name }),
      };
    case "ElicitationResult":
      return {
        kind: "input-answered",
        ...(payload.mcp_server_name === undefined ? {} : { source: payload.mcp_server_name }),
      };
    case "Notification":
      return notificationOf(payload);
    case "Stop":
      return {
        kind: "answer-finished",
        ...(payload.background_tasks === undefined ? {} : { running: payload.background_tasks.map(runningTask) }),
        ...(payload.session_crons === undefined ? {} : { wakeupsLeft: payload.session_crons.length > 0 }),
      };
    case "StopFailure":
      return { kind: "turn-failed", reason: failureOf(payload) };
    case "SubagentStart":
      if (payload.agent_id === undefined) return undefined;
      return {
        kind: "subagent-started",
        subagent: payload.agent_id,
        ...(payload.agent_type === undefined || payload.agent_type === ""
          ? {}
          : { type: cutText(payload.agent_type, 64) }),
      };
    case "SubagentStop":
      return payload.agent_id === undefined ? undefined : { kind: "subagent-stopped", subagent: payload.agent_id };
    case "PreCompact":
      return { kind: "compaction-started", manual: payload.trigger === "manual" };
    case "PostCompact":
      return { kind: "compaction-finished", manual: payload.trigger === "manual" };
    case "PluginTurnStopped":
      return turnStopped(payload.reason);
    case "CwdChanged":
    case "PostModelSwitch":
      return { kind: "noted" };
    default:
      return undefined;
  }
}

/** Our plugin's word of a turn that ended without an answer, of which no hook tells. */
function turnStopped(reason: string | undefined): Happening {
  switch (reason) {
    case "refusal":
      return { kind: "turn-failed", reason: "The model refused" };
    case "error":
      return { kind: "turn-failed", reason: "Ended with an error" };
    default:
      return { kind: "turn-stopped" };
  }
}

function factsOf(payload: ClaudePayload, { at, env }: HookSetting): EventFacts {
  const pid = Number(env.CLAUDE_PID);
  const entrypoint = env.CLAUDE_CODE_ENTRYPOINT;
  const title = payload.session_title === undefined ? "" : cutText(oneLine(payload.session_title), 80);
  const cwd = payload.new_cwd ?? payload.cwd;
  return {
    at,
    name: cutText(payload.hook_event_name, 64),
    ...(payload.agent_id === undefined ? {} : { agentId: payload.agent_id }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(payload.permission_mode === undefined ? {} : { permissionMode: cutText(payload.permission_mode, 32) }),
    ...(title === "" ? {} : { title }),
    ...(payload.transcript_path === undefined ? {} : { transcript: payload.transcript_path }),
    ...(env.CLAUDE_CONFIG_DIR === undefined ? {} : { configDirectory: env.CLAUDE_CONFIG_DIR }),
    ...(env.AGENT_SESSIONS_PLUGIN === undefined ? {} : { byPlugin: true }),
    ...contextOf(payload, at),
    ...(Number.isSafeInteger(pid) && pid > 0 ? { pid } : {}),
    ...(entrypoint === undefined ? {} : { headless: entrypoint.startsWith("sdk") }),
  };
}

/** What a start of a session or a switch of its model tells of the context and the provider's cache (hooks reference). */
function contextOf(payload: ClaudePayload, at: number): Pick<EventFacts, "context"> {
  switch (payload.hook_event_name) {
    case "SessionStart": {
      const { context_tokens: tokens, seconds_since_last_response: ago, prompt_cache_likely_expired: isGone } = payload;
      if (tokens === undefined && ago === undefined && isGone === undefined) return {};
      return {
        context: {
          ...(tokens === undefined ? {} : { tokens }),
          ...(ago === undefined || !isMoment(at - ago) ? {} : { lastAnswerAt: at - ago }),
          ...(payload.model === undefined ? {} : { model: cutText(oneLine(payload.model), 80) }),
          ...(isGone === true ? { isGone } : {}),
        },
      };
    }
    case "PostModelSwitch": {
      const ttl = CACHE_TTL.get(payload.cache_ttl ?? "");
      return {
        context: {
          ...(payload.context_tokens === undefined ? {} : { tokens: payload.context_tokens }),
          ...(ttl === undefined ? {} : { ttl }),
          ...(payload.to_model === undefined ? {} : { model: cutText(oneLine(payload.to_model), 80) }),
          ...(payload.prompt_cache_warm === false ? { isGone: true } : {}),
        },
      };
    }
    default:
      return {};
  }
}

/** Claude Code's two times to live, in seconds. */
const CACHE_TTL: ReadonlyMap<string, number> = new Map([
  ["5m", 300],
  ["1h", 3600],
]);

function startSource(source: string | undefined): "startup" | "resume" | "clear" | "fork" | "compact" {
  switch (source) {
    case "resume":
    case "clear":
    case "fork":
    case "compact":
      return source;
    default:
      return "startup";
  }
}

/** Older clients leave the type out: then the text is all there is. */
function notificationOf(payload: ClaudePayload): Happening | undefined {
  const message = lineOr(payload.message, "Needs your attention");
  switch (payload.notification_type ?? typeFromText(message)) {
    case "permission_prompt":
      return { kind: "wait-noticed", ask: { kind: "permission", message } };
    case "elicitation_dialog":
    case "elicitation_url_dialog":
      return { kind: "wait-noticed", ask: { kind: "input", message } };
    case "idle_prompt":
      return { kind: "idle-noticed" };
    case "quota_auto_resume_fired":
      return { kind: "turn-resumed" };
    case "quota_auto_resume_stale":
      return { kind: "input-asked", ask: { kind: "input", message } };
    case "quota_auto_resume_disabled":
      return { kind: "turn-failed", reason: message };
    default:
      return undefined;
  }
}

function typeFromText(message: string): string | undefined {
  if (/permission/i.test(message)) return "permission_prompt";
  return /waiting for your input/i.test(message) ? "idle_prompt" : undefined;
}

function runningTask(task: NonNullable<ClaudePayload["background_tasks"]>[number]): RunningTask {
  const kind =
    task.type === "shell" ? "command" : task.type === "subagent" || task.type === "monitor" ? task.type : "other";
  const text = task.command ?? task.description;
  return { id: task.id, kind, ...(text === undefined ? {} : { text: cutText(text, 500) }) };
}

function failureOf(payload: ClaudePayload): string {
  const details = payload.error_details ?? payload.last_assistant_message;
  return cutText(
    oneLine([payload.error ?? "Failed", details].filter((part) => part !== undefined && part !== "").join(": ")),
    500,
  );
}

function lineOr(text: string | undefined, otherwise: string): string {
  const line = text === undefined ? "" : cutText(oneLine(text), 500);
  return line === "" ? otherwise : line;
}
