import { List } from "@raycast/api";
import type { TimelineEntry } from "../../session/event-line";
import type { Identity } from "../../session/identity";
import type { Session } from "../../session/session";
import { cutText, printable } from "../../session/text";
import type { TimelineRequest } from "../../store/event-log";
import { agentTitle } from "../agent-title";
import { sessionIcon } from "../state-icon";

/** What the timeline shows: all, one agent's events or one session's. */
export type EventFilter =
  { of: "all" } | { of: "agent"; agent: string } | { of: "session"; session: Pick<Identity, "agent" | "sessionId"> };

/** The filter that leaves nothing out. */
export const ALL_EVENTS: EventFilter = { of: "all" };

/** A dropdown with more is no help; the others are found by the search, or from the list of sessions. */
const SESSIONS_NAMED = 50;

/** The filter of a session by its id across agents, which has its agent before the first colon. */
export function sessionFilter(id: string): EventFilter {
  const colon = id.indexOf(":");
  if (colon < 0) return ALL_EVENTS;
  return { of: "session", session: { agent: id.slice(0, colon), sessionId: id.slice(colon + 1) } };
}

/** What of the timeline a filter asks for. */
export function requestOf(filter: EventFilter): Omit<TimelineRequest, "limit"> {
  switch (filter.of) {
    case "all":
      return {};
    case "agent":
      return { agent: filter.agent };
    case "session":
      return { session: filter.session };
    default:
      return filter satisfies never;
  }
}

/** A filter as a dropdown's value, in plain letters: an id is data. JSON escapes half a character in it. */
function valueOf(filter: EventFilter): string {
  return encodeURIComponent(JSON.stringify(filter));
}

/** What there is to choose from. */
export interface FilterChoice {
  agents: string[];
  sessions: Session[];
}

/** The agents and sessions to choose from: those of which events are kept or shown, the latest sessions first. */
export function choiceOf(sessions: readonly Session[], entries: readonly TimelineEntry[]): FilterChoice {
  const reported = sessions.filter(({ sources }) => sources.includes("events"));
  const agents = [...reported, ...entries].flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
  const latest = reported.toSorted((one, other) => (other.eventAt ?? 0) - (one.eventAt ?? 0));
  return { agents: Array.from(new Set(agents)).sort(), sessions: latest.slice(0, SESSIONS_NAMED) };
}

/** The filter beside the search bar: by agent and by session. The chosen one is among the items in any case. */
export function EventFilterDropdown({
  choice: { agents, sessions },
  filter,
  title,
  onChange,
}: {
  choice: FilterChoice;
  filter: EventFilter;
  /** What the chosen session is called. */
  title: string | undefined;
  onChange: (filter: EventFilter) => void;
}) {
  const agentsFilters = agents.map((agent): EventFilter => ({ of: "agent", agent }));
  const filters = [ALL_EVENTS, ...agentsFilters, ...sessions.map((session) => filterOf(session))];
  const known = new Map(filters.map((each) => [valueOf(each), each]));
  const value = valueOf(filter);
  const isMissing = !known.has(value);
  return (
    <List.Dropdown
      tooltip="Filter by Agent or Session"
      value={value}
      onChange={(chosen) => onChange(known.get(chosen) ?? filter)}
    >
      <List.Dropdown.Item title="All Events" value={valueOf(ALL_EVENTS)} />
      <List.Dropdown.Section title="Agent">
        {filter.of === "agent" && isMissing && (
          <List.Dropdown.Item title={printable(agentTitle(filter.agent))} value={value} />
        )}
        {agentsFilters.map((each) => (
          <List.Dropdown.Item key={valueOf(each)} title={nameOf(each)} value={valueOf(each)} />
        ))}
      </List.Dropdown.Section>
      <List.Dropdown.Section title="Session">
        {filter.of === "session" && isMissing && (
          <List.Dropdown.Item title={cutText(printable(title ?? filter.session.sessionId), 60)} value={value} />
        )}
        {sessions.map((session) => (
          <List.Dropdown.Item
            key={session.id}
            title={cutText(printable(session.title), 60)}
            value={valueOf(filterOf(session))}
            icon={sessionIcon(session)}
          />
        ))}
      </List.Dropdown.Section>
    </List.Dropdown>
  );
}

function filterOf({ agent, sessionId }: Session): EventFilter {
  return { of: "session", session: { agent, sessionId } };
}

function nameOf(filter: EventFilter): string {
  return filter.of === "agent" ? printable(agentTitle(filter.agent)) : "";
}
