import { agentNamed, UNNAMED_AGENT } from "../../session/identity";
import type { Signal } from "../../session/signal";
import { cutText } from "../../session/text";
import { titleFrom } from "../claude/prompt";
import { isEmpty, lineOf } from "../fields";
import { given } from "../../session/given";
import type { Happening } from "../happening";
import type { MapPayload } from "../../session/mapping";
import { genericHook } from "../signal-hooks/generic";
import { FOLDER_KEYS } from "../signal-hooks/hook";
import { first, isPayload, type Payload } from "../signal-hooks/values";

const MESSAGE_KEYS = ["message", "text", "summary", "reason", "error_message", "error"] as const;

/**
 * Maps any JSON object by the key names of Agent Signal's generic adapter: signal, status or event say what happened,
 * ids and folders in any spelling whose it is.
 *
 * @param name the agent's name, where the hook was set up for one; else the payload names it
 */
export function genericMapper(name: string | undefined): MapPayload {
  return (payload, setting) => {
    if (!isEmpty(payload) && !isPayload(payload)) return { outcome: "refused", reason: "payload: is no JSON object" };
    const fields = isPayload(payload) ? payload : {};
    const hook = genericHook({
      payload: fields,
      environment: setting.env,
      ...given("event", setting.event),
      ...given("agent", name),
    });
    const event = cutText(hook.event ?? hook.signal, 64);
    const happened = happeningOf(hook.signal, fields);
    if (happened === undefined) return { outcome: "ignored", event };
    const { agent, surface } = agentNamed(hook.agent);
    return {
      outcome: "event",
      identity: { agent, sessionId: hook.sessionId.toWellFormed(), ...given("surface", surface) },
      event: {
        at: setting.at,
        name: event,
        ...given("cwd", first(fields, FOLDER_KEYS)?.toWellFormed()),
        ...given("title", lineAt(fields, ["title", "session_title"], 80)),
        ...happened,
      },
    };
  };
}

/** Whatever reports without a name of its own. */
export const mapGeneric: MapPayload = genericMapper(undefined);

/** Whether a name says that there is none. */
export function isUnnamed(agent: string): boolean {
  return agent === UNNAMED_AGENT || agent === "generic";
}

/** What a signal tells of the session. Agent Signal's pause is about watching, not about any session. */
function happeningOf(signal: Signal, payload: Payload): Happening | undefined {
  const message = lineAt(payload, MESSAGE_KEYS, 500);
  const tool = lineAt(payload, ["tool_name", "tool"], 64);
  const subagent = first(payload, ["agent_id", "subagent_id", "subagent"])?.toWellFormed();
  switch (signal) {
    case "session_start":
      return { kind: "session-started", source: "startup" };
    case "session_end":
      return { kind: "session-ended", byUser: false };
    case "idle":
    case "turn_end":
      return { kind: "turn-stopped" };
    case "thinking": {
      const prompt = first(payload, ["prompt"]);
      return prompt === undefined
        ? { kind: "turn-resumed" }
        : { kind: "prompt-submitted", origin: "user", ...given("text", titleFrom(prompt)) };
    }
    case "working":
      return tool === undefined ? { kind: "turn-resumed" } : { kind: "tool-started", tool };
    case "tool_done":
      return { kind: "turn-resumed" };
    case "subagent_start":
      return subagent === undefined ? { kind: "noted" } : { kind: "subagent-started", subagent };
    case "subagent_stop":
      return subagent === undefined ? { kind: "noted" } : { kind: "subagent-stopped", subagent };
    case "attention":
    case "notification":
      return { kind: "input-asked", ask: { kind: "input", ...given("message", message) } };
    case "permission":
    case "permission_request":
      return { kind: "input-asked", ask: { kind: "permission", ...given("message", message) } };
    case "done":
      return { kind: "answer-finished" };
    case "blocked":
    case "failure":
    case "error":
    case "exception":
    case "max_tokens":
      return { kind: "turn-failed", reason: message ?? signal };
    case "stale":
    case "off":
    case "pause":
    case "paused":
      return undefined;
    default:
      return signal satisfies never;
  }
}

function lineAt(payload: Payload, keys: readonly string[], limit: number): string | undefined {
  return lineOf(first(payload, keys), limit);
}
