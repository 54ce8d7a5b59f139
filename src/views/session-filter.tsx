import { List } from "@raycast/api";
import { LOOKS } from "../session/looks";
import type { Session } from "../session/session";
import { isState, STATES } from "../session/state";

/** The value of the filter that shows everything. */
export const ALL = "all";

/** Whether a session passes the filter's value: `all`, `needs-you`, `unread`, `state:…` or `agent:…`. */
export function passes(session: Session, filter: string): boolean {
  if (filter === "needs-you") return session.needsYou;
  if (filter === "unread") return session.unread;
  if (filter.startsWith("agent:")) return session.agent === filter.slice("agent:".length);
  if (filter.startsWith("state:")) {
    const state = filter.slice("state:".length);
    // A stored value of another version filters nothing.
    return !isState(state) || session.state === state;
  }
  return true;
}

/** The filter beside the search bar: by need, state and agent. */
export function SessionFilter({ agents, onChange }: { agents: readonly string[]; onChange: (value: string) => void }) {
  return (
    <List.Dropdown tooltip="Filter by State or Agent" storeValue onChange={onChange}>
      <List.Dropdown.Item title="All Sessions" value={ALL} />
      <List.Dropdown.Item title="Needs You" value="needs-you" />
      <List.Dropdown.Item title="Unread" value="unread" />
      <List.Dropdown.Section title="State">
        {STATES.map((state) => (
          <List.Dropdown.Item key={state} title={LOOKS[state].word} value={`state:${state}`} />
        ))}
      </List.Dropdown.Section>
      <List.Dropdown.Section title="Agent">
        {agents.map((agent) => (
          <List.Dropdown.Item key={agent} title={agent} value={`agent:${agent}`} />
        ))}
      </List.Dropdown.Section>
    </List.Dropdown>
  );
}
