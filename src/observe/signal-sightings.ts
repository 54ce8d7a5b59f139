import { identityOfSignal } from "../session/identity";
import { WRITER } from "../session/record";
import type { Seconds, SessionReport } from "../session/report";
import { displayStateOf, type Signal } from "../session/signal";
import type { State, WaitKind } from "../session/state";
import type { SignalSession } from "../files/signal-document";
import type { SignalFileState } from "../store/signal-document-file";
import type { Sighting } from "./sighting";

/** What the document says of each session. */
export function signalSightings(
  file: string,
  { document, damagedSince, goneSince }: SignalFileState,
  sessionTtl: Seconds,
  now: Seconds,
): Sighting[] {
  if (document === undefined) return [];
  const sightings: Sighting[] = [];
  for (const [key, record] of document.sessions) {
    // The file is gone (folders under /tmp are swept): what was alive a moment ago is unknown now, the rest has ended.
    if (goneSince !== undefined && goneSince - record.updatedAt > sessionTtl) continue;
    const report = reportOf(key, record, goneSince === undefined ? sessionTtl : 0, now, goneSince);
    if (report === undefined) continue;
    sightings.push({
      source: "signal",
      file,
      report,
      at: record.updatedAt,
      ...(damagedSince === undefined ? {} : { unreadableSince: damagedSince }),
    });
  }
  return sightings;
}

function reportOf(
  key: string,
  record: SignalSession,
  ttl: Seconds,
  now: Seconds,
  goneSince: Seconds | undefined,
): SessionReport | undefined {
  const meaning = meaningOf(record.signal);
  // A paused signal speaks of the monitoring, not of the session.
  if (meaning === undefined) return undefined;
  const isExpired = now - record.updatedAt > ttl && meaning.expires;
  return {
    ...identityOfSignal(key, record.agent),
    state: goneSince !== undefined || isExpired ? "unknown" : meaning.state,
    since: goneSince ?? (isExpired ? record.updatedAt + ttl : record.updatedAt),
    eventAt: record.updatedAt,
    ...(record.lastEvent === undefined ? {} : { event: record.lastEvent }),
    ...(meaning.waitingFor === undefined ? {} : { waitingFor: meaning.waitingFor }),
    ...(meaning.state === "done" ? { doneAt: record.updatedAt } : {}),
    ...(record.extra.writer === WRITER ? { writer: WRITER } : {}),
  };
}

/**
 * The state a signal stands for, and whether it is unknown once the session TTL is over: work and waits that nobody
 * confirms may be over; a finished answer and an idle session stay what they are.
 */
function meaningOf(signal: Signal): { state: State; waitingFor?: WaitKind; expires: boolean } | undefined {
  switch (signal) {
    case "idle":
    case "session_start":
    case "session_end":
    case "turn_end":
      return { state: "idle", expires: false };
    case "thinking":
    case "working":
    case "tool_done":
    case "subagent_stop":
      return { state: "working", expires: true };
    case "subagent_start":
      return { state: "waitingForSubagents", expires: true };
    case "attention":
    case "notification":
      return { state: "waiting", waitingFor: "input", expires: true };
    case "permission":
    case "permission_request":
      return { state: "waiting", waitingFor: "permission", expires: true };
    case "done":
      return { state: "done", expires: false };
    case "blocked":
    case "failure":
    case "error":
    case "exception":
    case "max_tokens":
      return { state: "failed", expires: true };
    case "stale":
      return { state: "unknown", expires: false };
    case "off":
    case "pause":
    case "paused":
      return undefined;
    default:
      return signal satisfies never;
  }
}

/** Whether the document says that monitoring is paused: a paused record, or its own aggregate with no session. */
export function isPausedBy({ document }: SignalFileState): boolean {
  if (document === undefined) return false;
  const signals = Array.from(document.sessions.values(), ({ signal }) => signal);
  if (signals.length === 0 && document.aggregate !== undefined) signals.push(document.aggregate);
  return signals.some((signal) => displayStateOf(signal) === "paused");
}
