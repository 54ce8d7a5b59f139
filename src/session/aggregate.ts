import type { Seconds } from "./report";
import type { Session } from "./session";
import {
  aggregateForm,
  aggregateOf,
  displayStateOf,
  priorityOf,
  type DisplayState,
  type Signal,
  type SignalAt,
} from "./signal";

/** The aggregate over every session, in Agent Signal's words, and the counts a menu bar shows. */
export interface Aggregate {
  signal: Signal;
  displayState: DisplayState;
  priority: number;
  needsYou: number;
  unread: number;
  working: number;
  total: number;
}

/**
 * The signal of a session's state, the map of facts on the status directory; its display state is the one of the
 * house's table: idle, dormant and scheduled are ready, a read answer is ready, a wait for other input needs_review.
 */
export function signalOf(session: Pick<Session, "state" | "unread" | "waitingFor" | "event">): Signal {
  const { state } = session;
  switch (state) {
    case "idle":
    case "scheduled":
      return "idle";
    case "working":
      return session.event === "UserPromptSubmit" ? "thinking" : "working";
    case "compacting":
      return "working";
    case "waitingForSubagents":
      return "subagent_start";
    case "waiting":
      return session.waitingFor === "input" ? "attention" : "permission_request";
    case "decision":
      return "permission_request";
    case "done":
      return session.unread ? "done" : "idle";
    case "failed":
      return "blocked";
    case "dormant":
      return "session_end";
    case "unknown":
      return "stale";
    default:
      return state satisfies never;
  }
}

/** What the sources say beside their sessions. */
export interface AggregateCircumstances {
  /** Monitoring is paused: it outranks every session. */
  paused: boolean;
  /** A source that holds sessions cannot be trusted: at least stale. */
  unreliable: boolean;
  /** The signal document's own aggregate: counts only when there is no session at all. */
  stored?: Signal;
  now: Seconds;
}

/** The aggregate of a snapshot. The order of the sessions never matters. */
export function aggregateSessions(
  sessions: readonly Pick<Session, "state" | "unread" | "needsYou" | "waitingFor" | "event" | "since">[],
  { paused, unreliable, stored, now }: AggregateCircumstances,
): Aggregate {
  const counts = { needsYou: 0, unread: 0, working: 0 };
  const signals: SignalAt[] = [];
  for (const session of sessions) {
    signals.push({ signal: signalOf(session), updatedAt: session.since });
    if (session.needsYou) counts.needsYou += 1;
    if (session.unread) counts.unread += 1;
    if (isAtWork(session.state)) counts.working += 1;
  }
  if (unreliable) signals.push({ signal: "stale", updatedAt: now });
  const signal = paused ? "off" : (aggregateOf(signals) ?? (stored && aggregateForm(stored)) ?? "idle");
  return {
    signal,
    displayState: displayStateOf(signal),
    priority: priorityOf(signal),
    ...counts,
    total: sessions.length,
  };
}

function isAtWork(state: Session["state"]): boolean {
  return state === "working" || state === "compacting" || state === "waitingForSubagents";
}
