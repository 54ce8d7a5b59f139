import { cutText } from "../../session/text";
import { titleFrom } from "../claude/prompt";
import { activityOf, inputDigest } from "../claude/tool";
import { inSnakeCase, lineOf, refusal, toolNamed, valuesOf } from "../fields";
import { given } from "../../session/given";
import type { Happening } from "../happening";
import type { MapPayload } from "../../session/mapping";
import { cursorPayload, type CursorPayload } from "./payload";

/** What a shell command is called where only `beforeShellExecution` tells of it. */
const SHELL = "Shell";

/** Maps what Cursor's hooks received (hooks reference). No event tells that a permission is asked for. */
export const mapCursor: MapPayload = (payload, setting) => {
  const parsed = cursorPayload.safeParse({ ...given("hook_event_name", setting.event), ...inSnakeCase(payload) });
  if (!parsed.success) return refusal(parsed.error);
  const { hook_event_name: name, conversation_id: conversation, parent_conversation_id: parent } = parsed.data;
  const sessionId = parent ?? conversation ?? parsed.data.session_id;
  if (sessionId === undefined || sessionId === "") {
    return { outcome: "refused", reason: "conversation_id: neither it nor session_id is there" };
  }
  const happened = happeningOf(parsed.data);
  if (happened === undefined) return { outcome: "ignored", event: name };
  const cwd = parsed.data.cwd ?? parsed.data.workspace_roots?.[0]?.toWellFormed();
  const isInside = parent !== undefined && conversation !== undefined && conversation !== parent;
  return {
    outcome: "event",
    identity: { agent: "cursor", sessionId },
    event: {
      at: setting.at,
      name: cutText(name, 64),
      ...given("agentId", isInside ? conversation : undefined),
      ...given("cwd", cwd),
      ...happened,
    },
  };
};

function happeningOf(payload: CursorPayload): Happening | undefined {
  // The end may name the kind alone, so the kind stands for the subagent: two of one kind count as one.
  const subagent = payload.subagent_type ?? payload.subagent_id;
  switch (payload.hook_event_name) {
    case "sessionStart":
      return { kind: "session-started", source: "startup" };
    case "sessionEnd":
      return { kind: "session-ended", byUser: false };
    case "beforeSubmitPrompt":
      return { kind: "prompt-submitted", origin: "user", ...given("text", titleFrom(payload.prompt ?? "")) };
    case "preToolUse":
    case "beforeMCPExecution":
      return startOf(payload, payload.tool_name ?? "Tool");
    case "beforeShellExecution":
      return startOf(payload, SHELL);
    case "postToolUse":
    case "postToolUseFailure":
    case "afterMCPExecution":
      return endOf(payload, payload.tool_name);
    case "afterShellExecution":
      return endOf(payload, SHELL);
    case "beforeReadFile":
    case "afterFileEdit":
    case "afterAgentResponse":
      return { kind: "noted" };
    case "subagentStart":
      return subagent === undefined ? undefined : { kind: "subagent-started", subagent };
    case "subagentStop":
      return subagent === undefined ? undefined : { kind: "subagent-stopped", subagent };
    case "preCompact":
      return { kind: "compaction-started", manual: payload.trigger === "manual", untilNext: true };
    case "stop":
      return stopOf(payload);
    default:
      return undefined;
  }
}

function startOf(payload: CursorPayload, tool: string): Happening {
  const input = inputOf(payload);
  return {
    kind: "tool-started",
    tool: cutText(tool, 64),
    ...given("call", payload.tool_use_id),
    input: inputDigest(input),
    ...given("activity", activityOf(input)),
    beside: true,
  };
}

function endOf({ tool_use_id: call }: CursorPayload, tool: string | undefined): Happening {
  return {
    kind: "tool-finished",
    ...given("tool", toolNamed(tool)),
    ...given("call", call),
    effects: [],
    onlyFromWork: true,
  };
}

/** A tool's input is an object, or its JSON text; a shell command stands by itself. */
function inputOf({ tool_input: input, command }: CursorPayload): Record<string, unknown> {
  if (typeof input === "string") {
    try {
      return { ...valuesOf(JSON.parse(input)) };
    } catch {
      return {};
    }
  }
  return { ...given("command", command), ...input };
}

function stopOf({ status, error_message: error }: CursorPayload): Happening {
  switch (status) {
    case "aborted":
      return { kind: "turn-stopped" };
    case "error":
      return { kind: "turn-failed", reason: lineOf(error) ?? "Ended with an error" };
    default:
      return { kind: "answer-finished" };
  }
}
