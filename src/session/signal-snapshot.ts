import type { Seconds } from "./report";
import { aggregateForm, aggregateOf, priorityOf, type Signal } from "./signal";
import type { SignalDocument, SignalEvent, SignalSession } from "./signal-document";

/** A session of a snapshot. */
export interface SnapshotSession extends Pick<SignalSession, "agent" | "signal" | "lastEvent" | "updatedAt"> {
  sessionId: string;
}

/** An event of a snapshot. */
export type SnapshotEvent = Omit<SignalEvent, "extra">;

/** A document as it is shown: the most urgent session first, the newest event first. */
export interface SignalSnapshot {
  aggregate: Signal;
  updatedAt?: Seconds;
  sessions: readonly SnapshotSession[];
  recentEvents: readonly SnapshotEvent[];
}

/** The signal that stands for the whole document: its sessions' most urgent, else the stored one, else idle. */
export function documentAggregate({ sessions, aggregate }: Pick<SignalDocument, "sessions" | "aggregate">): Signal {
  return aggregateOf(sessions.values()) ?? (aggregate && aggregateForm(aggregate)) ?? "idle";
}

/** The document as the `status` command shows it. */
export function snapshotOf(document: SignalDocument): SignalSnapshot {
  return {
    aggregate: documentAggregate(document),
    ...(document.updatedAt === undefined ? {} : { updatedAt: document.updatedAt }),
    sessions: Array.from(document.sessions, ([sessionId, session]) => snapshotSession(sessionId, session)).sort(
      mostUrgentFirst,
    ),
    recentEvents: document.events.map(snapshotEvent).reverse(),
  };
}

function snapshotSession(sessionId: string, { agent, signal, lastEvent, updatedAt }: SignalSession): SnapshotSession {
  return {
    sessionId,
    ...(agent === undefined ? {} : { agent }),
    signal,
    ...(lastEvent === undefined ? {} : { lastEvent }),
    updatedAt,
  };
}

function snapshotEvent({ id, sessionId, agent, signal, event, updatedAt }: SignalEvent): SnapshotEvent {
  return {
    id,
    sessionId,
    ...(agent === undefined ? {} : { agent }),
    signal,
    ...(event === undefined ? {} : { event }),
    updatedAt,
  };
}

/** By priority, then the newest; the id settles what is left, so that the order never depends on the file's. */
function mostUrgentFirst(one: SnapshotSession, other: SnapshotSession): number {
  return (
    priorityOf(other.signal) - priorityOf(one.signal) ||
    other.updatedAt - one.updatedAt ||
    (one.sessionId < other.sessionId ? -1 : 1)
  );
}
