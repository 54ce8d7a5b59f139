import { signalOf } from "./aggregate";
import { deriveState } from "./derive";
import { reportOf, WRITER, type SessionRecord } from "./record";
import type { Seconds } from "./report";
import type { Signal } from "./signal";
import type { SignalDocument, SignalSession } from "./signal-document";
import { appendEvent } from "./signal-events";
import { expire, isPaused } from "./signal-prune";
import type { SignalRules } from "./signal-rules";
import { documentAggregate } from "./signal-snapshot";

/** The key of a session in the signal document, as the original's own hooks would write it. */
export function signalKeyOf({
  agent,
  sessionId,
  surface,
}: Pick<SessionRecord, "agent" | "sessionId" | "surface">): string {
  return agent === "codex" ? `${surface ?? "codex-cli"}:${sessionId}` : sessionId;
}

/** The agent's name there, as the original's own hooks would write it. */
function signalAgentOf({ agent, surface }: Pick<SessionRecord, "agent" | "surface">): string {
  if (agent === "claude") return "claude-code";
  return agent === "codex" ? (surface ?? "codex-cli") : agent;
}

/**
 * The signal document with what we know of a session in it. The record is set as it is, without the holds that guard
 * against hooks out of order: these were put in order before. An ended session goes.
 *
 * @param eventId the id of the history's entry
 */
export function projectSession(
  document: SignalDocument,
  record: SessionRecord,
  { now, rules, eventId }: { now: Seconds; rules: SignalRules; eventId: string },
): SignalDocument {
  const report = reportOf(record);
  // Whether an answer was read is the reader's knowledge: in the document it is done for as long as that lasts there.
  const state = deriveState(report, { now, unread: true, processGone: false });
  const signal = signalOf({ ...report, state, unread: true });
  const { document: current } = expire(document, now, rules.ttl);
  const key = signalKeyOf(record);
  const sessions = new Map(current.sessions);
  if (state === "dormant") sessions.delete(key);
  else sessions.set(key, sessionOf(record, signal, sessions.get(key)));
  const changed = { ...current, sessions };
  const agent = signalAgentOf(record);
  return {
    ...changed,
    aggregate: sessions.size === 0 && !isPaused(current.aggregate) ? "idle" : documentAggregate(changed),
    updatedAt: record.eventAt,
    events: appendEvent(
      current.events,
      { eventId, sessionId: key, agent, signal, event: record.event, updatedAt: record.eventAt },
      rules.eventLimit,
    ),
  };
}

function sessionOf(record: SessionRecord, signal: Signal, before: SignalSession | undefined): SignalSession {
  return {
    agent: signalAgentOf(record),
    signal,
    lastEvent: record.event,
    updatedAt: record.eventAt,
    ...(before?.quota === undefined ? {} : { quota: before.quota }),
    extra: { ...before?.extra, writer: WRITER },
  };
}
