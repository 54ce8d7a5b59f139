import { List } from "@raycast/api";
import { LOOKS, wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { cutText, printable } from "../session/text";
import { agentTitle } from "./agent-title";
import { sessionAccessories } from "./session-accessories";
import { SessionActions, type ActionSurroundings } from "./session-actions";
import { SessionDetail } from "./session-detail";
import { sessionIcon } from "./state-icon";

/** A subtitle says what a session wants, in a line; the detail pane has the whole message. */
const SUBTITLE_LIMIT = 120;

/** The id of a session's row. An id is data, and half a character in it would end the view: so it is escaped. */
export function rowId(sessionId: string): string {
  return JSON.stringify(sessionId).slice(1, -1);
}

/** A row of the list. */
export function SessionItem({
  session,
  now,
  ...surroundings
}: { session: Session; now: Seconds } & ActionSurroundings) {
  const { isShowingDetail } = surroundings;
  return (
    <List.Item
      id={rowId(session.id)}
      icon={{ value: sessionIcon(session), tooltip: LOOKS[session.state].word }}
      title={printable(session.title)}
      subtitle={isShowingDetail ? undefined : subtitleOf(session)}
      keywords={keywordsOf(session)}
      accessories={isShowingDetail ? undefined : sessionAccessories(session, now)}
      detail={isShowingDetail ? <SessionDetail session={session} now={now} /> : undefined}
      actions={<SessionActions session={session} {...surroundings} />}
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

function keywordsOf(session: Session): string[] {
  const words = [
    session.agent,
    agentTitle(session.agent),
    session.surface,
    session.sessionId,
    session.project,
    LOOKS[session.state].word,
    session.unread ? "unread" : undefined,
    ...(session.cwd?.split(/[\\/]/) ?? []),
  ];
  return Array.from(
    new Set(words.filter((word) => word !== undefined && word !== "").map((word) => printable(word ?? ""))),
  );
}
