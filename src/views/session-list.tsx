import { List } from "@raycast/api";
import { useCallback, useState } from "react";
import { isUnreported, type Snapshot } from "../observe/snapshot";
import { SECTIONS, sectionOf } from "../session/section";
import { EmptyView, FailedView } from "./empty-views";
import { ProblemItem, problemsByFile, type FileProblems } from "./problem-item";
import { SECTION_TITLES } from "./section-title";
import { ALL, filterAgents, passes, SessionFilter } from "./session-filter";
import { rowId, SessionItem } from "./session-item";
import { LISTED, sessionsToList } from "./session-search";
import { SetUpItem } from "./set-up-item";
import { useLiveSnapshot } from "./use-live-snapshot";
import { useSteadySelection } from "./use-steady-selection";

/** The list of all sessions, by need, live while it is open. */
export function SessionList({ selectedId }: { selectedId?: string }) {
  const { snapshot, error, isLoading, refresh } = useLiveSnapshot();
  const [filter, setFilter] = useState(ALL);
  const [typed, setTyped] = useState("");
  const [isShowingDetail, setShowingDetail] = useState(false);
  const toggleDetail = useCallback(() => setShowingDetail((isShown) => !isShown), []);
  const known = snapshot?.sessions ?? [];
  const passing = known.filter((session) => passes(session, filter));
  const sessions = sessionsToList(passing, typed);
  const problems = problemsToList(snapshot, filter);
  const hasUnread = known.some(({ unread }) => unread);
  const selection = useSteadySelection(
    sessions.map(({ id }) => rowId(id)),
    selectedId === undefined ? undefined : rowId(selectedId),
  );
  return (
    <List
      isLoading={isLoading}
      isShowingDetail={isShowingDetail && sessions.length > 0}
      filtering={{ keepSectionOrder: true }}
      // termcast leaves the filtering to whoever wants to know what is typed: only a list that is cut has to.
      {...(passing.length > LISTED ? { onSearchTextChange: setTyped } : {})}
      searchBarPlaceholder="Search by title, project, agent, state or ID"
      searchBarAccessory={
        // Not before its agents are known: a stored choice that is not among the items would be lost.
        snapshot && (
          <SessionFilter
            agents={filterAgents(known, filter)}
            // Opened at a session, the list has to show it, whatever was filtered last time.
            isStored={selectedId === undefined}
            onChange={setFilter}
          />
        )
      }
      {...selection}
    >
      {snapshot === undefined && error !== undefined && <FailedView reason={error.message} onRefresh={refresh} />}
      {snapshot !== undefined && <EmptyView snapshot={snapshot} onRefresh={refresh} />}
      {snapshot !== undefined &&
        SECTIONS.map((section) => {
          const rows = sessions.filter((session) => sectionOf(session) === section);
          if (rows.length === 0) return null;
          const count = passing.filter((session) => sectionOf(session) === section).length;
          return (
            <List.Section key={section} title={SECTION_TITLES[section]} subtitle={countText(rows.length, count)}>
              {rows.map((session) => (
                <SessionItem
                  key={session.id}
                  session={session}
                  now={snapshot.at}
                  hasUnread={hasUnread}
                  isShowingDetail={isShowingDetail}
                  onToggleDetail={toggleDetail}
                  onRefresh={refresh}
                />
              ))}
            </List.Section>
          );
        })}
      {snapshot !== undefined && filter === ALL && isUnreported(snapshot) && (
        <List.Section title="Set-Up">
          <SetUpItem onRefresh={refresh} />
        </List.Section>
      )}
      {problems.length > 0 && (
        <List.Section title="Problems" subtitle={String(problems.length)}>
          {problems.map((each) => (
            <ProblemItem key={each.file} {...each} isShowingDetail={isShowingDetail} onRefresh={refresh} />
          ))}
        </List.Section>
      )}
    </List>
  );
}

/** How many sessions a section has; of very many, the latest are listed, and the others when they are searched. */
function countText(listed: number, count: number): string {
  return listed === count ? String(count) : `${listed} of ${count}, search to see others`;
}

/** A problem has neither state nor agent to filter by. One that is all there is to show fills the empty view. */
function problemsToList(snapshot: Snapshot | undefined, filter: string): FileProblems[] {
  if (snapshot === undefined || filter !== ALL) return [];
  const problems = problemsByFile(snapshot.problems);
  return snapshot.sessions.length === 0 && problems.length === 1 ? [] : problems;
}
