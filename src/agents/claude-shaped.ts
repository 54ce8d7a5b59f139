import type { Event } from "../session/event";
import { cutText } from "../session/text";
import { mapClaude } from "./claude/events";
import { type Values } from "./fields";
import { given } from "../session/given";
import type { HookSetting, Mapped } from "../session/mapping";

/** How an agent whose hooks are made after Claude Code's differs from it. */
export interface ClaudeShape {
  agent: string;
  /** Its tools that put a choice before the user, with what Claude Code calls them. */
  choices?: Readonly<Record<string, "AskUserQuestion" | "ExitPlanMode">>;
  /** It tells of a compaction's beginning only. */
  compactionEndsUntold?: boolean;
}

/**
 * Maps the payload of an agent that took over Claude Code's hooks: the fields are put in Claude Code's words by the
 * agent's own folder, and what happened is read as there. Whatever the environment says of Claude Code is left out:
 * an agent that was started inside one inherits it.
 *
 * @param payload the fields in Claude Code's words
 * @param name the agent's own name of the event, where that is another one
 */
export function mapClaudeShaped(shape: ClaudeShape, payload: Values, setting: HookSetting, name?: string): Mapped {
  const tool = typeof payload.tool_name === "string" ? payload.tool_name : undefined;
  const choice = tool !== undefined && Object.hasOwn(shape.choices ?? {}, tool) ? shape.choices?.[tool] : undefined;
  const said = { ...wellFormed(payload), ...given("tool_name", choice ?? tool?.toWellFormed()) };
  const mapped = mapClaude(said, { ...setting, env: {} });
  switch (mapped.outcome) {
    case "refused":
      return mapped;
    case "ignored":
      return { outcome: "ignored", event: name ?? mapped.event };
    case "event":
      return {
        outcome: "event",
        identity: { agent: shape.agent, sessionId: mapped.identity.sessionId },
        event: inOwnWords(mapped.event, shape, { tool, name }),
      };
    default:
      return mapped satisfies never;
  }
}

/** The fields with whole characters only: half of one in an id would not come back from a file. */
function wellFormed(payload: Values): Values {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
  );
}

/** An event with the agent's own names in it. */
function inOwnWords(event: Event, shape: ClaudeShape, own: { tool?: string; name?: string }): Event {
  const named: Event = own.name === undefined ? event : { ...event, name: cutText(own.name, 64) };
  switch (named.kind) {
    case "tool-started":
    case "permission-asked":
    case "tool-finished":
      return own.tool === undefined ? named : { ...named, tool: cutText(own.tool, 64) };
    case "compaction-started":
      return shape.compactionEndsUntold === true ? { ...named, untilNext: true } : named;
    default:
      return named;
  }
}
