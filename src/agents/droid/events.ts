import { mapClaudeShaped, type ClaudeShape } from "../claude-shaped";
import { inSnakeCase } from "../fields";
import type { MapPayload } from "../../session/mapping";

const SHAPE: ClaudeShape = { agent: "droid", compactionEndsUntold: true };

/**
 * Maps what Droid's hooks received: Claude Code's, with most fields in camelCase (`sessionId`, but `tool_name`), in older
 * versions all in snake_case (hooks reference). A notification has no type, so its text tells a permission prompt from
 * the reminder at the prompt. There is no event for a question, a failure or Esc; a SubagentStop names no subagent.
 */
export const mapDroid: MapPayload = (payload, setting) => mapClaudeShaped(SHAPE, inSnakeCase(payload), setting);
