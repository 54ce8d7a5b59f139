import { List } from "@raycast/api";
import { useState } from "react";
import { SECTIONS, sectionOf } from "../session/section";
import { EmptyView, FailedView } from "./empty-views";
import { ProblemItem } from "./problem-item";
import { SECTION_TITLES } from "./section-title";
import { ALL, passes, SessionFilter } from "./session-filter";
import { SessionItem } from "./session-item";
import { useLiveSnapshot } from "./use-live-snapshot";

/** The list of all sessions, by need, live while it is open. */
export function SessionList({ selectedId }: { selectedId?: string }) {
  const { snapshot, error, isLoading, refresh } = useLiveSnapshot();
  const [filter, setFilter] = useState(ALL);
  const [isShowingDetail, setShowingDetail] = useState(false);
  const sessions = (snapshot?.sessions ?? []).filter((session) => passes(session, filter));
  const problems = filter === ALL ? (snapshot?.problems ?? []) : [];
  const agents = Array.from(new Set(snapshot?.sessions.map(({ agent }) => agent))).sort();
  const isEmpty = sessions.length === 0 && (problems.length === 0 || snapshot?.sessions.length === 0);
  const hasUnread = snapshot?.sessions.some(({ unread }) => unread) === true;
  return (
    <List
      isLoading={isLoading}
      isShowingDetail={isShowingDetail && !isEmpty}
      filtering={{ keepSectionOrder: true }}
      searchBarPlaceholder="Search by title, project, agent, state or ID"
      searchBarAccessory={<SessionFilter agents={agents} onChange={setFilter} />}
      {...(selectedId === undefined ? {} : { selectedItemId: selectedId })}
    >
      {snapshot === undefined && error !== undefined && <FailedView reason={error.message} onRefresh={refresh} />}
      {snapshot !== undefined && isEmpty && <EmptyView snapshot={snapshot} onRefresh={refresh} />}
      {snapshot !== undefined &&
        SECTIONS.map((section) => {
          const rows = sessions.filter((session) => sectionOf(session) === section);
          return (
            <List.Section
              key={section}
              title={SECTION_TITLES[section]}
              subtitle={rows.length > 0 ? String(rows.length) : undefined}
            >
              {rows.map((session) => (
                <SessionItem
                  key={session.id}
                  session={session}
                  now={snapshot.at}
                  hasUnread={hasUnread}
                  isShowingDetail={isShowingDetail}
                  onToggleDetail={() => setShowingDetail((isShown) => !isShown)}
                  onRefresh={refresh}
                />
              ))}
            </List.Section>
          );
        })}
      {!isEmpty && (
        <List.Section title="Problems">
          {problems.map((problem) => (
            <ProblemItem
              key={`${problem.file} ${problem.field} ${problem.reason}`}
              problem={problem}
              onRefresh={refresh}
            />
          ))}
        </List.Section>
      )}
    </List>
  );
}
