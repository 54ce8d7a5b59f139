import { useEffect, useRef, useState } from "react";
import type { Snapshot } from "../observe/snapshot";
import { reasonOf } from "../session/failure";
import type { Session } from "../session/session";
import { EventLogs } from "../store/event-log";
import type { LastEvents } from "./session-text";

/**
 * The last events of a session that is shown, read anew whenever something changed: of its log only the end, and only
 * when it is another by now.
 *
 * @param session absent: none is shown, and nothing is read
 * @param limit so many at most
 */
export function useLastEvents(
  home: string,
  session: Session | undefined,
  snapshot: Snapshot | undefined,
  limit: number,
): LastEvents | undefined {
  const [read, setRead] = useState<{ id: string; events: LastEvents }>();
  const logs = useRef<{ home: string; logs: EventLogs }>(undefined);
  const { id, agent, sessionId } = session ?? {};

  useEffect(() => {
    if (id === undefined || agent === undefined || sessionId === undefined) return;
    if (logs.current?.home !== home) logs.current = { home, logs: new EventLogs(home) };
    const events = eventsIn(logs.current.logs, { agent, sessionId }, limit);
    setRead((before) =>
      before?.id === id && JSON.stringify(before.events) === JSON.stringify(events) ? before : { id, events },
    );
  }, [home, id, agent, sessionId, snapshot, limit]);

  return read?.id === id ? read?.events : undefined;
}

function eventsIn(logs: EventLogs, session: Pick<Session, "agent" | "sessionId">, limit: number): LastEvents {
  try {
    const { entries, problems } = logs.read({ limit, session });
    const [problem] = problems;
    return { entries: entries.toReversed(), ...(problem === undefined ? {} : { problem: problem.reason }) };
  } catch (error) {
    return { entries: [], problem: reasonOf(error) };
  }
}
