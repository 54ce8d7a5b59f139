import { SessionsError } from "../session/failure";
import { agentNamed } from "../session/identity";
import type { Session } from "../session/session";
import { isState, STATES, type State } from "../session/state";

/** Which sessions of a list are asked for; an empty filter asks for all. */
export interface Filter {
  states: readonly State[];
  agents: readonly string[];
  needsMe: boolean;
}

/** Whether a filter leaves anything out. */
export function isFiltering({ states, agents, needsMe }: Filter): boolean {
  return states.length > 0 || agents.length > 0 || needsMe;
}

/** The sessions a filter asks for, in their order. */
export function filterSessions(sessions: readonly Session[], { states, agents, needsMe }: Filter): Session[] {
  return sessions.filter(
    (session) =>
      (states.length === 0 || states.includes(session.state)) &&
      (agents.length === 0 || agents.includes(session.agent)) &&
      (!needsMe || session.needsYou),
  );
}

/**
 * The states of `--state`, one or several with commas, in any case; `ended` is dormant, `subagents` waitingForSubagents.
 *
 * @throws SessionsError `usage` for a word that is no state
 */
export function parseStates(text: string): State[] {
  return words(text).map((word) => {
    const plain = word.toLowerCase().replace(/[-_ ]/g, "");
    const found = plain === "ended" ? "dormant" : plain === "subagents" ? "waitingForSubagents" : undefined;
    const state = found ?? STATES.find((each) => each.toLowerCase() === plain);
    if (state !== undefined && isState(state)) return state;
    throw new SessionsError("usage", `"${word}" is not a state.`, `States: ${STATES.join(", ")}.`);
  });
}

/** The agents of `--agent`, one or several with commas, by the names this project uses (`claude-code` is claude). */
export function parseAgents(text: string): string[] {
  return words(text).map((word) => agentNamed(word).agent);
}

function words(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
