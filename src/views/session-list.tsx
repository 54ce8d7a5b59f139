import { List } from "@raycast/api";
import { useCallback, useMemo, useState } from "react";
import { isUnreported, type Snapshot } from "../observe/snapshot";
import { SECTIONS, sectionOf } from "../session/section";
import type { Seconds } from "../session/report";
import { EmptyView, FailedView } from "./empty-views";
import { FailureItem } from "./failure-item";
import { usePreferenceProblems } from "./judged-preferences";
import { PreferenceItem } from "./preference-item";
import { ProblemItem, problemsByFile, type FileProblems } from "./problem-item";
import { SECTION_TITLES } from "./section-title";
import { ALL, chosenAgents, filterAgents, passes, SessionFilter } from "./session-filter";
import { rowId, SessionItem } from "./session-item";
import { firstSessions, isCut, sessionsAbout } from "./session-search";
import { SetUpItem } from "./set-up-item";
import { asOfText } from "./time-text";
import { useLastEvents } from "./use-last-events";
import { useKeeping, useLastList, useNow } from "./use-last-list";
import { useLiveSnapshot, useWatched } from "./use-live-snapshot";
import { useOwnSearch } from "./use-own-search";
import { useSteadySelection } from "./use-steady-selection";

/** A launcher has drawn the rows of the last opening by then; only after it is everything looked at, in milliseconds. */
const DRAWN_MS = 20;

/** The detail pane has room for so many events. */
const EVENTS = 5;

/** The rows of the last opening say how old they are from this age on, in seconds; it is what an age counts in. */
const OLD = 60;

/** The list of all sessions, by need, live while it is open. Until the first look it shows what it showed last. */
export function SessionList({ selectedId }: { selectedId?: string }) {
  const watching = useWatched();
  const { file, last } = useLastList(watching.watched);
  const { snapshot, error, isLoading, refresh } = useLiveSnapshot(watching, last === undefined ? undefined : DRAWN_MS);
  const [filter, setFilter] = useState(ALL);
  const [isShowingDetail, setShowingDetail] = useState(false);
  const toggleDetail = useCallback(() => setShowingDetail((isShown) => !isShown), []);
  const agents = useMemo(() => [...chosenAgents(filter), ...(last?.agents ?? [])], [last, filter]);
  useKeeping(file, snapshot, agents);

  const shown = snapshot ?? last;
  const known = shown?.sessions ?? [];
  const asOf = snapshot === undefined ? last?.at : undefined;
  const opened = useNow(asOf !== undefined);
  const now = snapshot?.at ?? opened;
  const passing = known.filter((session) => passes(session, filter));
  const { words, searching } = useOwnSearch(isCut(passing));
  const sessions = firstSessions(sessionsAbout(passing, words));
  const wrong = usePreferenceProblems();
  const wrongPreferences = snapshot !== undefined && filter === ALL ? wrong : [];
  const problems = problemsToList(snapshot, filter, wrongPreferences.length > 0);
  const hasUnread = known.some(({ unread }) => unread);
  const { selection, selectedId: atId } = useSteadySelection(
    sessions.map(({ id }) => rowId(id)),
    {
      ...(selectedId === undefined ? {} : { first: rowId(selectedId) }),
      isProvisional: asOf !== undefined,
      isFollowed: isShowingDetail,
    },
  );
  const at = isShowingDetail ? sessions.find(({ id }) => rowId(id) === atId) : undefined;
  const events = useLastEvents(watching.watched.places.home, at, snapshot, EVENTS);
  return (
    <List
      isLoading={isLoading}
      isShowingDetail={isShowingDetail && sessions.length > 0}
      filtering={{ keepSectionOrder: true }}
      {...searching}
      searchBarPlaceholder="Search by title, project, agent, state or ID"
      searchBarAccessory={
        // Not before its agents are known: a stored choice that is not among the items would be lost.
        shown && (
          <SessionFilter
            agents={filterAgents(known, filter, snapshot === undefined ? last?.agents : undefined)}
            // Opened at a session, the list has to show it, whatever was filtered last time.
            isStored={selectedId === undefined}
            onChange={setFilter}
          />
        )
      }
      {...selection}
    >
      {error !== undefined && known.length === 0 && <FailedView reason={error.message} onRefresh={refresh} />}
      {error !== undefined && known.length > 0 && (
        <List.Section title="Not Current">
          <FailureItem reason={error.message} isShowingDetail={isShowingDetail} onRefresh={refresh} />
        </List.Section>
      )}
      {error === undefined && snapshot !== undefined && <EmptyView snapshot={snapshot} onRefresh={refresh} />}
      {SECTIONS.map((section) => {
        const rows = sessions.filter((session) => sectionOf(session) === section);
        if (rows.length === 0) return null;
        const all = passing.filter((session) => sectionOf(session) === section).length;
        const count =
          asOf === undefined
            ? countText(rows.length, all, words.length > 0)
            : keptCountText((filter === ALL ? last?.counts[section] : undefined) ?? all, asOf, now);
        return (
          <List.Section key={section} title={SECTION_TITLES[section]} subtitle={count}>
            {rows.map((session) => (
              <SessionItem
                key={session.id}
                session={session}
                now={now}
                {...(asOf === undefined ? {} : { asOf })}
                {...(session === at && events !== undefined ? { events } : {})}
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
      {problems.length + wrongPreferences.length > 0 && (
        <List.Section title="Problems" subtitle={String(problems.length + wrongPreferences.length)}>
          {wrongPreferences.map((problem) => (
            <PreferenceItem
              key={problem.reason}
              problem={problem}
              isShowingDetail={isShowingDetail}
              onRefresh={refresh}
            />
          ))}
          {problems.map((each) => (
            <ProblemItem key={each.file} {...each} isShowingDetail={isShowingDetail} onRefresh={refresh} />
          ))}
        </List.Section>
      )}
    </List>
  );
}

/** How many sessions a section has; of very many, the first are listed, and the others when they are searched. */
function countText(listed: number, count: number, isSearching: boolean): string {
  if (listed === count) return String(count);
  return isSearching ? `${listed} of ${count}` : `${listed} of ${count}, search to see others`;
}

/** How many it had at the last opening, and when that was; what is younger than an age can tell is the present. */
function keptCountText(count: number, asOf: Seconds, now: Seconds): string {
  return now - asOf < OLD ? String(count) : asOfText(String(count), asOf, now);
}

/** A problem has neither state nor agent to filter by. One that is all there is to show fills the empty view. */
function problemsToList(snapshot: Snapshot | undefined, filter: string, hasOthers: boolean): FileProblems[] {
  if (snapshot === undefined || filter !== ALL) return [];
  const problems = problemsByFile(snapshot.problems);
  return snapshot.sessions.length === 0 && problems.length === 1 && !hasOthers ? [] : problems;
}
