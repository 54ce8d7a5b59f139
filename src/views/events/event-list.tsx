import { List } from "@raycast/api";
import { useCallback, useMemo, useState } from "react";
import { ProblemItem, problemsByFile } from "../problem-item";
import { useOwnSearch } from "../use-own-search";
import { useSteadySelection } from "../use-steady-selection";
import { EventsFailedView, NoEvents, NoMatchingEvents } from "./event-empty-views";
import { ALL_EVENTS, choiceOf, EventFilterDropdown, sessionFilter, type EventFilter } from "./event-filter";
import { EventItem } from "./event-item";
import { dayTitle, PAGE, rowsAbout, rowsOf, type EventRow } from "./event-row";
import { useTimeline } from "./use-timeline";

/**
 * The timeline of all sessions, or of one, by day, live while it is open.
 *
 * @param sessionId the session to begin with, by its id across agents
 */
export function EventList({ sessionId }: { sessionId?: string }) {
  const [filter, setFilter] = useState<EventFilter>(sessionId === undefined ? ALL_EVENTS : sessionFilter(sessionId));
  const { snapshot, timeline, error, isLoading, refresh } = useTimeline(filter);
  const [count, setCount] = useState(PAGE);
  const [isShowingDetail, setShowingDetail] = useState(false);
  const toggleDetail = useCallback(() => setShowingDetail((isShown) => !isShown), []);
  const change = useCallback((next: EventFilter) => {
    setFilter((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    setCount(PAGE);
  }, []);
  const choose = useCallback((session: string) => change(sessionFilter(session)), [change]);
  const loadMore = useCallback(() => setCount((shown) => shown + PAGE), []);

  const sessions = snapshot?.sessions;
  const titles = useMemo(() => new Map(sessions?.map(({ id, title }) => [id, title])), [sessions]);
  const rows = useMemo(() => rowsOf(timeline?.entries ?? [], titles), [timeline, titles]);
  const { words, searching } = useOwnSearch(rows.length > count);
  const found = rowsAbout(rows, words);
  const listed = found.slice(0, count);
  const problems = problemsByFile(timeline?.problems ?? []);
  const { selection } = useSteadySelection(listed.map(({ id }) => id));
  const isDetailed = isShowingDetail && listed.length > 0;
  const isChosen = filter.of === "session";
  return (
    <List
      isLoading={isLoading}
      isShowingDetail={isDetailed}
      filtering={{ keepSectionOrder: true }}
      {...searching}
      pagination={{ pageSize: PAGE, hasMore: count < found.length, onLoadMore: loadMore }}
      searchBarPlaceholder="Search by event, session, agent, tool or state"
      searchBarAccessory={
        // Not before the sessions are known: the chosen one has to be among the items.
        snapshot && (
          <EventFilterDropdown
            choice={choiceOf(snapshot.sessions, filter.of === "all" ? (timeline?.entries ?? []) : [])}
            filter={filter}
            title={isChosen ? titles.get(`${filter.session.agent}:${filter.session.sessionId}`) : undefined}
            onChange={change}
          />
        )
      }
      {...selection}
    >
      {!isLoading && timeline === undefined && error !== undefined && (
        <EventsFailedView reason={error.message} onRefresh={refresh} />
      )}
      {!isLoading &&
        timeline !== undefined &&
        (rows.length === 0 && filter.of === "all" ? <NoEvents onRefresh={refresh} /> : <NoMatchingEvents />)}
      {snapshot !== undefined &&
        byDay(listed, snapshot.at).map(({ title, rows: own }) => (
          <List.Section key={title} title={title} subtitle={String(own.length)}>
            {own.map((row) => (
              <EventItem
                key={row.id}
                row={row}
                now={snapshot.at}
                isShowingDetail={isDetailed}
                onToggleDetail={toggleDetail}
                onRefresh={refresh}
                {...(isChosen ? {} : { onChoose: choose })}
              />
            ))}
          </List.Section>
        ))}
      {problems.length > 0 && (
        <List.Section title="Problems" subtitle={String(problems.length)}>
          {problems.map((each) => (
            <ProblemItem key={each.file} {...each} isShowingDetail={isDetailed} onRefresh={refresh} />
          ))}
        </List.Section>
      )}
    </List>
  );
}

/** The rows of each day together, in their order. */
function byDay(rows: readonly EventRow[], now: number): { title: string; rows: EventRow[] }[] {
  const days = new Map<string, EventRow[]>();
  for (const row of rows) {
    const title = dayTitle(row.entry.at, now);
    const known = days.get(title);
    if (known === undefined) days.set(title, [row]);
    else known.push(row);
  }
  return Array.from(days, ([title, own]) => ({ title, rows: own }));
}
