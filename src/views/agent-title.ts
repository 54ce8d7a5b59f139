import { UNNAMED_AGENT, type Identity } from "../session/identity";

const TITLES: ReadonlyMap<string, string> = new Map([
  ["aider", "aider"],
  ["claude", "Claude Code"],
  ["codex", "Codex"],
  ["copilot", "Copilot"],
  ["cursor", "Cursor"],
  ["gemini", "Gemini CLI"],
  ["opencode", "opencode"],
  ["qwen", "Qwen Code"],
  [UNNAMED_AGENT, "Unnamed Agent"],
]);

/** An agent's name as its makers write it; one we do not know keeps the name it reports. */
export function agentTitle(agent: string): string {
  return TITLES.get(agent) ?? agent;
}

/** The same with where it runs, when that is known: `Codex (codex-vscode)`. */
export function agentWithSurface({ agent, surface }: Pick<Identity, "agent" | "surface">): string {
  return surface === undefined ? agentTitle(agent) : `${agentTitle(agent)} (${surface})`;
}
