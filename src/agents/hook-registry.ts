import { agentNamed } from "../session/identity";
import { aiderHooks } from "./aider/hooks";
import { ampHooks } from "./amp/hooks";
import { claudeHooks } from "./claude/hooks";
import { codexHooks } from "./codex/hooks";
import { copilotHooks } from "./copilot/hooks";
import { cursorHooks } from "./cursor/hooks";
import { droidHooks } from "./droid/hooks";
import { geminiHooks } from "./gemini/hooks";
import { opencodeHooks } from "./opencode/hooks";
import { qwenHooks } from "./qwen/hooks";
import type { AgentHooks, Surroundings } from "./settings-target";

const HOOKS = [
  claudeHooks,
  codexHooks,
  geminiHooks,
  qwenHooks,
  opencodeHooks,
  cursorHooks,
  copilotHooks,
  droidHooks,
  ampHooks,
  aiderHooks,
];

/** Every agent that can be set up, for a user. */
export function hookedAgents(surroundings: Surroundings): AgentHooks[] {
  return HOOKS.map((hooksOf) => hooksOf(surroundings));
}

/** The agent of a name, by any of its names (`claude-code`, …). */
export function hookedAgent(agents: readonly AgentHooks[], name: string): AgentHooks | undefined {
  const { agent } = agentNamed(name);
  return agents.find((each) => each.agent === agent);
}
