import { Detail } from "@raycast/api";
import { useRef } from "react";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { FactLines } from "./fact-lines";
import { fenced } from "./plain-text";
import { SessionActions } from "./session-actions";
import { factsOf } from "./session-facts";
import { sessionMarkdown } from "./session-text";
import { useLastEvents } from "./use-last-events";
import { useLiveSnapshot, useWatched } from "./use-live-snapshot";

const { Metadata } = Detail;

/** A page has room for so many events. */
const EVENTS = 20;

/**
 * Everything known of a session, on a page of its own, live while it is open.
 *
 * @param shown the session as it was shown where the page was opened
 * @param asOf when that was so
 */
export function SessionPage({ shown, asOf }: { shown: Session; asOf: Seconds }) {
  const watching = useWatched();
  const { snapshot, error, isLoading, refresh } = useLiveSnapshot(watching);
  const current = snapshot?.sessions.find(({ id }) => id === shown.id);
  const last = useRef({ session: shown, at: asOf });
  if (snapshot !== undefined && current !== undefined) last.current = { session: current, at: snapshot.at };
  const { session, at } = last.current;
  const events = useLastEvents(watching.watched.places.home, session, snapshot, EVENTS);
  const now = snapshot?.at ?? asOf;
  const isPresent = current !== undefined && error === undefined;
  const doubt = error !== undefined ? failed(error) : snapshot !== undefined && current === undefined ? GONE : [];
  return (
    <Detail
      isLoading={isLoading}
      markdown={[...doubt, sessionMarkdown(session, now, events)].join("\n\n")}
      metadata={
        <Metadata>
          <FactLines facts={factsOf(session, now, isPresent ? undefined : at)} parts={Metadata} />
        </Metadata>
      }
      actions={<SessionActions session={session} hasUnread={false} onRefresh={refresh} />}
    />
  );
}

const GONE = ["**No Source Tells of It Any More**", "This is what was known of it last."];

function failed({ message }: Error): string[] {
  return ["**Sessions Cannot Be Read**", fenced(message), "This is what was known of it last."];
}
