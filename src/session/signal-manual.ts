import type { Seconds } from "./report";
import { displayStateOf, type Signal } from "./signal";
import type { SignalDocument } from "./signal-document";
import { appendEvent } from "./signal-events";
import { clampFuture, expire } from "./signal-prune";
import type { SignalRules } from "./signal-rules";
import { documentAggregate } from "./signal-snapshot";

/** What a signal set by hand is recorded under (seed "State Schema"). */
const MANUAL = { sessionId: "manual", agent: "manual", event: "ManualSet" } as const;

/** A signal that the user or a script sets, not a session. */
export interface ManualSignal {
  signal: Signal;
  /** The id of the history's entry. */
  eventId: string;
}

/**
 * Sets a signal by hand: ready clears every session, a pause clears them and stays as the aggregate, anything else is
 * a session of its own among the others (Agent Signal's manual signal).
 */
export function applyManualSignal(
  document: SignalDocument,
  { signal, eventId }: ManualSignal,
  now: Seconds,
  { ttl, eventLimit }: SignalRules,
): SignalDocument {
  const pruned = expire(clampFuture(document, now), now, ttl).document;
  const meant = displayStateOf(signal) === "ready" ? "idle" : signal;
  return {
    ...pruned,
    ...standing(meant, document, pruned, now),
    updatedAt: now,
    events: appendEvent(pruned.events, { ...MANUAL, signal: meant, updatedAt: now, eventId }, eventLimit),
  };
}

/** The sessions and the aggregate that a signal set by hand leaves. */
function standing(
  signal: Signal,
  before: SignalDocument,
  pruned: SignalDocument,
  now: Seconds,
): Pick<SignalDocument, "sessions" | "aggregate"> {
  const display = displayStateOf(signal);
  if (display === "ready") return { sessions: new Map(), aggregate: "idle" };
  if (display === "paused") return { sessions: new Map(), aggregate: "off" };
  const { sessionId, agent, event } = MANUAL;
  const extra = before.sessions.get(sessionId)?.extra ?? {};
  const record = { agent, signal, lastEvent: event, updatedAt: now, extra };
  const sessions = new Map(pruned.sessions).set(sessionId, record);
  return { sessions, aggregate: documentAggregate({ sessions }) };
}
