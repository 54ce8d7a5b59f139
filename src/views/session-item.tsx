import { List, useNavigation } from "@raycast/api";
import { memo } from "react";
import { LOOKS, wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { cutText, printable } from "../session/text";
import { sessionAccessories, timesOf } from "./session-accessories";
import { SessionActions, type ActionSurroundings, type DetailPane } from "./session-actions";
import { SessionDetail } from "./session-detail";
import { SessionPage } from "./session-page";
import { keywordsOf } from "./session-search";
import type { LastEvents } from "./session-text";
import { sessionIcon } from "./state-icon";
import { asOfText } from "./time-text";

/** A subtitle says what a session wants, in a line; the detail pane has the whole message. */
const SUBTITLE_LIMIT = 120;

/** The id of a session's row. An id is data, and half a character in it would end the view: so it is escaped. */
export function rowId(sessionId: string): string {
  return JSON.stringify(sessionId).slice(1, -1);
}

type RowProperties = {
  session: Session;
  now: Seconds;
  /** When the row was so, where it is of the last opening. */
  asOf?: Seconds;
  /** Of the selected row while its details show. */
  events?: LastEvents;
} & DetailPane &
  ActionSurroundings;

/** A row of the list. It renders anew only when it would look different: a list can be long, and changes often. */
export const SessionItem = memo(SessionRow, looksTheSame);

function looksTheSame({ now: before, ...one }: RowProperties, { now: after, ...other }: RowProperties): boolean {
  const { session, asOf, events, isShowingDetail, hasUnread, onToggleDetail, onRefresh } = other;
  return (
    one.session === session &&
    one.asOf === asOf &&
    one.events === events &&
    one.isShowingDetail === isShowingDetail &&
    one.hasUnread === hasUnread &&
    one.onToggleDetail === onToggleDetail &&
    one.onRefresh === onRefresh &&
    // The detail pane says more of the time than a row does.
    (before === after || (!isShowingDetail && timesOf(session, before) === timesOf(session, after)))
  );
}

function SessionRow({ session, now, asOf, events, ...surroundings }: RowProperties) {
  const { isShowingDetail, onToggleDetail, hasUnread, onRefresh } = surroundings;
  const { push } = useNavigation();
  const onOpen = () => push(<SessionPage shown={session} asOf={asOf ?? now} />);
  const detail = { ...(asOf === undefined ? {} : { asOf }), ...(events === undefined ? {} : { events }) };
  return (
    <List.Item
      id={rowId(session.id)}
      icon={{ value: sessionIcon(session), tooltip: asOfText(LOOKS[session.state].word, asOf, now) }}
      title={printable(session.title)}
      subtitle={isShowingDetail ? undefined : subtitleOf(session)}
      keywords={keywordsOf(session)}
      accessories={isShowingDetail ? undefined : sessionAccessories(session, now, asOf)}
      detail={isShowingDetail ? <SessionDetail session={session} now={now} {...detail} /> : undefined}
      actions={
        <SessionActions
          session={session}
          hasUnread={hasUnread}
          onRefresh={onRefresh}
          row={{ pane: { isShowingDetail, onToggleDetail }, onOpen }}
        />
      }
    />
  );
}

/** Where it works; for one that needs the user, also what it wants. */
function subtitleOf(session: Session): string | undefined {
  const want = session.message ?? wantOf(session);
  const project = session.project === session.title ? undefined : session.project;
  const parts = [project, want].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : cutText(printable(parts.join(" – ")), SUBTITLE_LIMIT);
}
