import { List } from "@raycast/api";
import { useCallback, useState } from "react";
import { useSteadySelection } from "../use-steady-selection";
import { AgentsFailedView, NoMatchingAgents } from "./agent-empty-views";
import { AgentItem } from "./agent-item";
import { AGENT_SECTIONS } from "./agent-state";
import { useAgentRows } from "./use-agent-rows";

/** Every agent that can report to us, by what there is to do. */
export function AgentList() {
  const { rows, error, isLoading, refresh } = useAgentRows();
  const [isShowingDetail, setShowingDetail] = useState(false);
  const toggleDetail = useCallback(() => setShowingDetail((isShown) => !isShown), []);
  const sections = AGENT_SECTIONS.map(({ title, states }) => ({
    title,
    agents: (rows ?? []).filter(({ state }) => states.includes(state)),
  })).filter(({ agents }) => agents.length > 0);
  const { selection } = useSteadySelection(sections.flatMap(({ agents }) => agents.map(({ agent }) => agent)));
  const now = Date.now() / 1000;
  return (
    <List
      isLoading={isLoading}
      isShowingDetail={isShowingDetail && rows !== undefined}
      filtering={{ keepSectionOrder: true }}
      searchBarPlaceholder="Search by agent or state"
      {...selection}
    >
      {!isLoading && rows === undefined && error !== undefined && (
        <AgentsFailedView reason={error.message} onRefresh={refresh} />
      )}
      {!isLoading && rows !== undefined && <NoMatchingAgents />}
      {sections.map(({ title, agents }) => (
        <List.Section key={title} title={title} subtitle={String(agents.length)}>
          {agents.map((row) => (
            <AgentItem
              key={row.agent}
              row={row}
              now={now}
              isShowingDetail={isShowingDetail}
              onToggleDetail={toggleDetail}
              onRefresh={refresh}
            />
          ))}
        </List.Section>
      ))}
    </List>
  );
}
