/** Who a session is: the agent and the agent's own id, never the folder (two sessions can share one). */
export interface Identity {
  /** The agent's one name: `claude`, `codex`, `gemini`, … */
  agent: string;
  sessionId: string;
  /** Where the agent runs when that is part of its name (`codex-vscode`), else absent. */
  surface?: string;
}

/** The name an agent has when a source does not say (Agent Signal's generic hook uses the same). */
export const UNNAMED_AGENT = "agent";

/** At most this long, and of `a-z0-9._-` (status file v1, `agent`). */
export const AGENT_NAME_LIMIT = 32;

const ALIASES: Readonly<Record<string, string>> = {
  "claude-code": "claude",
  "gemini-cli": "gemini",
  "qwen-code": "qwen",
  "github-copilot": "copilot",
  "copilot-cli": "copilot",
};

/**
 * One name an agent, whatever a source calls it: `claude-code` is claude; `codex-cli`, `codex-vscode` … are codex
 * with the surface kept. Letters outside the status file's pattern become `-`, so the result is always a valid name.
 */
export function agentNamed(name: string | undefined): { agent: string; surface?: string } {
  const plain = (name ?? "")
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, AGENT_NAME_LIMIT);
  // It becomes a folder's name, and `..` would be another folder.
  if (/^[-.]*$/.test(plain)) return { agent: UNNAMED_AGENT };
  const alias = Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
  if (alias !== undefined) return { agent: alias };
  if (plain.startsWith("codex-")) return { agent: "codex", surface: plain };
  return { agent: plain };
}

/**
 * The identity behind a session key of the signal document. Agent Signal scopes Codex ids with their class
 * (`codex-cli:ID`, facts of its hook adapters); others stand as they are.
 */
export function identityOfSignal(key: string, agentName: string | undefined): Identity {
  const scoped = /^(codex(?:-[a-z]+)*):(.+)$/s.exec(key);
  if (scoped?.[1] !== undefined && scoped[2] !== undefined) {
    const { agent, surface } = agentNamed(scoped[1]);
    return { agent, sessionId: scoped[2], ...(surface === undefined ? {} : { surface }) };
  }
  return { ...agentNamed(agentName), sessionId: key };
}

/** A session's id across agents, `agent:session_id`; the agent has no colon, so it reads back unambiguously. */
export function sessionKey({ agent, sessionId }: Pick<Identity, "agent" | "sessionId">): string {
  return `${agent}:${sessionId}`;
}
