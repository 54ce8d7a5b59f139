import { List } from "@raycast/api";
import { LOOKS } from "../session/looks";
import type { Session } from "../session/session";
import { isState, STATES } from "../session/state";
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
  if (filter.startsWith(AGENT)) return session.agent === filter.slice(AGENT.length);
  if (filter.startsWith(STATE)) {
    const state = filter.slice(STATE.length);
    // A stored value of another version filters nothing.
    return !isState(state) || session.state === state;
  }
  return true;
}

/** The agents to choose from: those that are there, and the chosen one, which may have gone meanwhile. */
export function filterAgents(sessions: readonly Session[], filter: string): string[] {
  const chosen = filter.startsWith(AGENT) ? [filter.slice(AGENT.length)] : [];
  return Array.from(new Set([...sessions.map(({ agent }) => agent), ...chosen])).sort();
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
          <List.Dropdown.Item key={agent} title={agentTitle(agent)} value={AGENT + agent} />
        ))}
      </List.Dropdown.Section>
    </List.Dropdown>
  );
}
