import { List } from "@raycast/api";
import { LOOKS } from "../session/looks";
import type { Session } from "../session/session";
import { isState, STATES } from "../session/state";
import { printable } from "../session/text";
import { agentTitle } from "./agent-title";
import { stateIcon } from "./state-icon";

/** The value of the filter that shows everything. */
export const ALL = "all";

const AGENT = "agent:";
const STATE = "state:";

/** Whether a session passes the filter's value: `all`, `needs-you`, `unread`, `state:…` or `agent:…`. */
export function passes(session: Session, filter: string): boolean {
  if (filter === "needs-you") return session.needsYou;
  if (filter === "unread") return session.unread;
  if (filter.startsWith(AGENT)) return agentValue(session.agent) === filter;
  if (filter.startsWith(STATE)) {
    const state = filter.slice(STATE.length);
    // A stored value of another version filters nothing.
    return !isState(state) || session.state === state;
  }
  return true;
}

/** The agent that a filter's value chooses, if it chooses one. */
export function chosenAgents(filter: string): string[] {
  if (!filter.startsWith(AGENT)) return [];
  try {
    const agent: unknown = JSON.parse(`"${decodeURIComponent(filter.slice(AGENT.length))}"`);
    return typeof agent === "string" ? [agent] : [];
  } catch {
    return [];
  }
}

/** The value that chooses an agent, in plain letters: a name is data. JSON escapes half a character in it. */
function agentValue(agent: string): string {
  return AGENT + encodeURIComponent(JSON.stringify(agent).slice(1, -1));
}

/**
 * The agents to choose from: those that are there, and the chosen one, which may have gone meanwhile.
 *
 * @param others agents of sessions that are not at hand
 */
export function filterAgents(sessions: readonly Session[], filter: string, others: readonly string[] = []): string[] {
  const agents = [...sessions.map(({ agent }) => agent), ...chosenAgents(filter), ...others];
  return Array.from(new Set(agents)).sort();
}

/**
 * The filter beside the search bar: by need, state and agent.
 *
 * @param isStored whether it begins as the user left it, and is kept for the next time
 */
export function SessionFilter({
  agents,
  isStored,
  onChange,
}: {
  agents: readonly string[];
  isStored: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <List.Dropdown tooltip="Filter by State or Agent" storeValue={isStored} onChange={onChange}>
      <List.Dropdown.Item title="All Sessions" value={ALL} />
      <List.Dropdown.Item title="Needs You" value="needs-you" />
      <List.Dropdown.Item title="Unread" value="unread" />
      <List.Dropdown.Section title="State">
        {STATES.map((state) => (
          <List.Dropdown.Item key={state} title={LOOKS[state].word} value={STATE + state} icon={stateIcon(state)} />
        ))}
      </List.Dropdown.Section>
      <List.Dropdown.Section title="Agent">
        {agents.map((agent) => (
          <List.Dropdown.Item key={agent} title={printable(agentTitle(agent))} value={agentValue(agent)} />
        ))}
      </List.Dropdown.Section>
    </List.Dropdown>
  );
}
