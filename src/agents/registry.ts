import { reasonOf } from "../session/failure";
import { agentNamed } from "../session/identity";
import { cutText } from "../session/text";
import { mapAider } from "./aider/events";
import { mapAmp } from "./amp/events";
import { mapClaude } from "./claude/events";
import { mapCodex } from "./codex/events";
import { mapCopilot } from "./copilot/events";
import { mapCursor } from "./cursor/events";
import { mapDroid } from "./droid/events";
import { mapGemini } from "./gemini/events";
import { genericMapper, isUnnamed, mapGeneric } from "./generic/events";
import type { MapPayload } from "../session/mapping";
import { mapOpencode } from "./opencode/events";
import { mapQwen } from "./qwen/events";

const MAPPERS: Readonly<Record<string, MapPayload>> = {
  aider: mapAider,
  amp: mapAmp,
  claude: mapClaude,
  codex: mapCodex,
  copilot: mapCopilot,
  cursor: mapCursor,
  droid: mapDroid,
  gemini: mapGemini,
  opencode: mapOpencode,
  qwen: mapQwen,
};

/** The agents whose payloads are known, by their one name. */
export const MAPPED_AGENTS: readonly string[] = Object.keys(MAPPERS);

/**
 * The mapping of an agent's payloads, by any of its names (`claude-code`, `codex-vscode`, …); one that is not known is
 * read like any JSON, under its name. A surface in the name is the session's, unless the payload tells another.
 */
export function mapperOf(agent: string): MapPayload {
  const { agent: name, surface } = agentNamed(agent);
  const known = Object.hasOwn(MAPPERS, name) ? MAPPERS[name] : undefined;
  const map = known ?? (isUnnamed(name) ? mapGeneric : genericMapper(name));
  return (payload, setting) => {
    try {
      const mapped = map(payload, setting);
      if (mapped.outcome !== "event" || surface === undefined) return mapped;
      return { ...mapped, identity: { surface, ...mapped.identity } };
    } catch (error) {
      // Nested deeper than anything real, a payload can exhaust the stack; it must not hold up the others.
      return { outcome: "refused", reason: cutText(`payload: ${reasonOf(error)}`, 500) };
    }
  };
}
