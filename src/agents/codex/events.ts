import type { EventFacts } from "../../session/event";
import { agentNamed } from "../../session/identity";
import { cutText } from "../../session/text";
import { mapClaudeShaped, type ClaudeShape } from "../claude-shaped";
import { lineOf, refusal, valuesOf, type Values } from "../fields";
import { given } from "../../session/given";
import type { HookSetting, MapPayload, Mapped } from "../../session/mapping";
import { codexNotification, codexPayload, type CodexNotification } from "./payload";

const SHAPE: ClaudeShape = { agent: "codex", choices: { request_user_input: "AskUserQuestion" } };

/**
 * Maps what Codex's hooks and its `notify` program received. The hooks are Claude Code's, with `Interrupt` added and
 * each turn named; no process is taken from them, since they run under a daemon that several terminals share.
 * An API error and the denial of a subagent's request fire nothing (seen in recordings of 0.171.0).
 */
export const mapCodex: MapPayload = (payload, setting) => {
  if (valuesOf(payload).type === "agent-turn-complete") return mapNotification(payload, setting);
  const parsed = codexPayload.safeParse(payload);
  if (!parsed.success) return refusal(parsed.error);
  const { session_id, hook_event_name, turn_id } = parsed.data;
  if (hook_event_name === "Interrupt") {
    const facts: EventFacts = {
      at: setting.at,
      name: cutText(hook_event_name, 64),
      ...given("agentId", parsed.data.agent_id),
      ...given("cwd", parsed.data.cwd),
      ...given("permissionMode", lineOf(parsed.data.permission_mode, 32)),
    };
    return {
      outcome: "event",
      identity: { agent: "codex", sessionId: session_id },
      event: { ...facts, kind: "turn-stopped" },
    };
  }
  return inCodexTerms(mapClaudeShaped(SHAPE, withoutReason(parsed.data), setting), turn_id, setting.env.CODEX_HOME);
};

/** What Codex's events tell beyond Claude Code's. */
function inCodexTerms(mapped: Mapped, turn: string | undefined, home: string | undefined): Mapped {
  if (mapped.outcome !== "event") return mapped;
  const event = { ...mapped.event, ...given("configDirectory", home) };
  switch (event.kind) {
    case "prompt-submitted":
    case "answer-finished":
      return { ...mapped, event: { ...event, ...given("turn", turn) } };
    case "tool-started":
      // The calls of a step run side by side, and a denial has an event of its own.
      return { ...mapped, event: { ...event, beside: true } };
    default:
      return { ...mapped, event };
  }
}

/** A permission request repeats the call's input, with the reason added as its description: not part of the call. */
function withoutReason(payload: Values): Values {
  const { description, ...input } = valuesOf(payload.tool_input);
  return description === undefined ? payload : { ...payload, tool_input: input };
}

/**
 * A turn's end by way of `notify`, which Codex calls beside the Stop hook, before or after it. It needs no trust, so it
 * may be all there is. It fires for threads that are nobody's session, too: the one that makes a title, and subagents'.
 */
function mapNotification(payload: unknown, { at }: HookSetting): Mapped {
  const parsed = codexNotification.safeParse(payload);
  if (!parsed.success) return refusal(parsed.error);
  const { type, client, cwd, "thread-id": sessionId, "turn-id": turn } = parsed.data;
  if (client === undefined || makesTitle(parsed.data)) return { outcome: "ignored", event: type };
  const { surface } = agentNamed(client.replaceAll("_", "-"));
  return {
    outcome: "event",
    identity: { agent: "codex", sessionId, ...given("surface", surface) },
    event: { at, name: type, ...given("cwd", cwd), ...given("turn", turn), kind: "answer-finished", echo: true },
  };
}

/**
 * Whether a thread is the hidden one that makes a session's title. Nothing but its one message tells: an order to
 * generate a title, then the user's prompt (seen in recordings of 0.171.0).
 */
function makesTitle({ "input-messages": messages }: CodexNotification): boolean {
  const [order, more] = messages ?? [];
  return (
    more === undefined && order !== undefined && /^Generate\b[^\n]{0,80}\btitle\b[^]*\n\nUser prompt:\n/.test(order)
  );
}
