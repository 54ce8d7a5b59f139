import { cutText } from "../../session/text";
import { mapClaudeShaped, type ClaudeShape } from "../claude-shaped";
import { inSnakeCase, lineOf, refusal, valuesOf, type Values } from "../fields";
import { given } from "../../session/given";
import type { Happening } from "../happening";
import type { HookSetting, MapPayload, Mapped } from "../../session/mapping";
import { copilotPayload, type CopilotPayload } from "./payload";

const SHAPE: ClaudeShape = {
  agent: "copilot",
  choices: { ask_user: "AskUserQuestion" },
  compactionEndsUntold: true,
};

/** Events by their names in camelCase, as Claude Code calls them. */
const EVENTS: Readonly<Record<string, string>> = {
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  userPromptSubmitted: "UserPromptSubmit",
  preToolUse: "PreToolUse",
  postToolUse: "PostToolUse",
  postToolUseFailure: "PostToolUseFailure",
  subagentStart: "SubagentStart",
  subagentStop: "SubagentStop",
  preCompact: "PreCompact",
  agentStop: "Stop",
  errorOccurred: "ErrorOccurred",
  notification: "Notification",
};

/**
 * Maps what Copilot CLI's hooks received (hooks reference). The name an event was registered by decides the spelling:
 * `agentStop` gives fields in camelCase and no name, `Stop` gives Claude Code's. A call has no id, Esc fires nothing,
 * and the built-in general-purpose agent tells of no subagents.
 */
export const mapCopilot: MapPayload = (payload, setting) => {
  const fields = inSnakeCase(payload);
  const name = typeof fields.hook_event_name === "string" ? fields.hook_event_name : setting.event;
  if (name === undefined) return { outcome: "refused", reason: "hook_event_name: neither payload nor hook names it" };
  const event = Object.hasOwn(EVENTS, name) ? (EVENTS[name] ?? name) : name;
  switch (event) {
    case "ErrorOccurred":
    case "SubagentStart":
    case "SubagentStop":
      return mapOwn(event, name, fields, setting);
    case "Notification":
      return fields.notification_type === "permission_prompt"
        ? mapClaudeShaped(SHAPE, { ...fields, hook_event_name: event }, setting, name)
        : mapOwn(event, name, fields, setting);
    case "PermissionRequest":
    case "permissionRequest":
      // It runs before the rules: no proof that anybody is asked.
      return { outcome: "ignored", event: name };
    default:
      return mapClaudeShaped(SHAPE, { ...fields, hook_event_name: event, ...toolOf(fields) }, setting, name);
  }
};

/** The tool fields in camelCase are `toolArgs` and `toolResult`; arguments may come as JSON text. */
function toolOf(fields: Values): Values {
  const input = fields.tool_input ?? fields.tool_args;
  const response = fields.tool_response ?? fields.tool_result;
  return { ...given("tool_input", parsed(input)), ...given("tool_response", response) };
}

function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return valuesOf(JSON.parse(input));
  } catch {
    return undefined;
  }
}

function mapOwn(event: OwnEvent, name: string, fields: Values, setting: HookSetting): Mapped {
  const read = copilotPayload.safeParse(fields);
  if (!read.success) return refusal(read.error);
  const happened = ownHappening(event, read.data);
  if (happened === undefined) return { outcome: "ignored", event: name };
  const { session_id: sessionId, cwd } = read.data;
  return {
    outcome: "event",
    identity: { agent: SHAPE.agent, sessionId },
    event: { at: setting.at, name: cutText(name, 64), ...given("cwd", cwd), ...happened },
  };
}

type OwnEvent = "ErrorOccurred" | "SubagentStart" | "SubagentStop" | "Notification";

function ownHappening(event: OwnEvent, payload: CopilotPayload): Happening | undefined {
  // The start gives a name only, so the name stands for the subagent: two of one name count as one.
  const subagent = payload.agent_name ?? payload.agent_id;
  switch (event) {
    case "ErrorOccurred":
      return payload.recoverable === false ? { kind: "turn-failed", reason: reasonOf(payload) } : { kind: "noted" };
    case "SubagentStart":
      return subagent === undefined ? undefined : { kind: "subagent-started", subagent };
    case "SubagentStop":
      return subagent === undefined ? undefined : { kind: "subagent-stopped", subagent };
    case "Notification":
      return payload.notification_type === "elicitation_dialog"
        ? { kind: "wait-noticed", ask: { kind: "question", ...given("message", lineOf(payload.message)) } }
        : undefined;
    default:
      return event satisfies never;
  }
}

function reasonOf({ error }: CopilotPayload): string {
  return lineOf([error?.name, error?.message].filter((part) => part !== undefined).join(": ")) ?? "Failed";
}
