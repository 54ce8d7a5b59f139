import type { Seconds } from "./report";
import { displayStateOf, type DisplayState, type Signal } from "./signal";
import type { SignalDocument, SignalSession } from "./signal-document";
import { appendEvent } from "./signal-events";
import { clampFuture, concluded, expire, isPaused } from "./signal-prune";
import type { SignalRules } from "./signal-rules";
import { documentAggregate } from "./signal-snapshot";

/** A signal that a session sent. */
export interface SessionSignal {
  sessionId: string;
  signal: Signal;
  agent?: string;
  /** What happened, as the session's agent names it. */
  event?: string;
  /** When it happened; a reporter that waited for the lock is older than `now`. */
  date: Seconds;
  /** A new quota; without one the session keeps what it had. */
  quota?: unknown;
  /** The id of the history's entry. */
  eventId: string;
}

/** What a signal did to the document. `ignored`: nothing is to be written, the document is what to show. */
export interface SignalChange {
  outcome: "changed" | "ignored";
  document: SignalDocument;
}

/** Events of the Codex desktop reader that repeat what is past: they never wake a finished session. */
const REPLAYED: ReadonlySet<string | undefined> = new Set([
  "DesktopActivityHeartbeat",
  "DesktopThinking",
  "DesktopMessage",
  "DesktopToolDone",
]);

/** An alert stays this long against signals that would hide it at once. */
const HOLD: Seconds = 5;

/**
 * Applies a session's signal: late ones and replays are ignored, a fresh alert is held against what would hide it, and
 * what is applied or held is logged (Agent Signal's session signal).
 */
export function applySessionSignal(
  document: SignalDocument,
  incoming: SessionSignal,
  now: Seconds,
  { ttl, eventLimit }: SignalRules,
): SignalChange {
  const { sessionId, date } = incoming;
  const recorded = document.sessions.get(sessionId);
  if (recorded !== undefined && isLate(recorded, date, now)) return { outcome: "ignored", document };

  const present = clampFuture(document, now);
  const expired = expire(present, now, ttl);
  const pruned = expired.document;
  const previous = present.sessions.get(sessionId);
  if (previous !== undefined && isReplay(previous, incoming)) {
    return { outcome: "ignored", document: concluded(expired) };
  }

  const after = { ...pruned, ...applied(pruned, incoming, previous) };
  return {
    outcome: "changed",
    document: {
      ...after,
      aggregate: documentAggregate(after),
      updatedAt: date,
      events: appendEvent(pruned.events, { ...incoming, updatedAt: date }, eventLimit),
    },
  };
}

/** Whether a signal is older than what is known. A record from the future proves nothing of the order. */
function isLate({ updatedAt }: SignalSession, date: Seconds, now: Seconds): boolean {
  return updatedAt > date && updatedAt <= now;
}

function isReplay(previous: SignalSession, { signal, event }: SessionSignal): boolean {
  return displayStateOf(previous.signal) === "completed" && displayStateOf(signal) === "active" && REPLAYED.has(event);
}

/** The sessions after a signal, and the aggregate to fall back on when none is left. */
function applied(
  { sessions, aggregate }: SignalDocument,
  incoming: SessionSignal,
  previous: SignalSession | undefined,
): Pick<SignalDocument, "sessions" | "aggregate"> {
  const { sessionId, signal } = incoming;
  const standing = sessions.get(sessionId);
  const replaced = () => ({ sessions: new Map(sessions).set(sessionId, recordOf(incoming, previous)), aggregate });
  const removed = () => {
    const remaining = new Map(sessions);
    remaining.delete(sessionId);
    return remaining.size === 0 && !isPaused(aggregate)
      ? { sessions: remaining, aggregate: "idle" as const }
      : { sessions: remaining, aggregate };
  };
  switch (signal) {
    case "off":
    case "pause":
    case "paused":
      return { sessions: new Map(), aggregate: "off" };
    case "session_end":
      return standing !== undefined && OUTLIVES_SESSION_END.has(displayStateOf(standing.signal))
        ? { sessions, aggregate }
        : removed();
    case "turn_end":
      return standing !== undefined && displayStateOf(standing.signal) === "blocked"
        ? { sessions, aggregate }
        : removed();
    case "idle":
    case "session_start":
      return replaced();
    case "done":
      return standing !== undefined && OUTLIVES_DONE.has(displayStateOf(standing.signal))
        ? { sessions, aggregate }
        : replaced();
    case "thinking":
    case "working":
    case "tool_done":
    case "subagent_start":
    case "subagent_stop":
    case "attention":
    case "notification":
    case "permission":
    case "permission_request":
    case "blocked":
    case "failure":
    case "error":
    case "exception":
    case "max_tokens":
    case "stale":
      return previous !== undefined && isHeld(previous, incoming) ? { sessions, aggregate } : replaced();
    default:
      return signal satisfies never;
  }
}

/** What a session leaves behind for the user to see. */
const OUTLIVES_SESSION_END: ReadonlySet<DisplayState> = new Set([
  "completed",
  "needs_review",
  "blocked",
  "stale",
  "paused",
]);

/** What a finished turn does not settle. An alert it does settle, even a fresh one. */
const OUTLIVES_DONE: ReadonlySet<DisplayState> = new Set(["blocked", "stale", "paused"]);

/** What would hide an alert that the user has hardly seen. A `done` would too, but it settles the alert. */
const HIDES_ALERT: ReadonlySet<DisplayState> = new Set(["active", "needs_review"]);

/** Whether a session's fresh alert stays against an incoming signal, whose time counts, not the reader's. */
function isHeld(previous: SignalSession, { signal, date }: SessionSignal): boolean {
  const standing = displayStateOf(previous.signal);
  return (
    (standing === "permission" || standing === "needs_review") &&
    HIDES_ALERT.has(displayStateOf(signal)) &&
    date - previous.updatedAt <= HOLD
  );
}

/** A session's new record. Quota and unknown keys live on with the session; agent and event are the signal's own. */
function recordOf({ signal, agent, event, date, quota }: SessionSignal, previous: SignalSession | undefined) {
  const kept = quota ?? previous?.quota;
  const record: SignalSession = {
    signal: signal === "session_start" ? "idle" : signal,
    updatedAt: date,
    extra: previous?.extra ?? {},
  };
  if (agent !== undefined) record.agent = agent;
  if (event !== undefined) record.lastEvent = event;
  if (kept !== undefined) record.quota = kept;
  return record;
}
