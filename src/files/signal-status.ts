import { displayStateOf, priorityOf } from "../session/signal";
import { labelOf, type LabelLanguage } from "../session/signal-label";
import type { SignalSnapshot } from "../session/signal-snapshot";
import type { Seconds } from "../session/report";
import { printable, printableJson } from "../session/text";
import { sortKeys } from "./sorted-keys";
import { wholeSecondIsoOf } from "./timestamp";

/** What `status` shows, and where it comes from. */
export interface SignalStatus extends SignalSnapshot {
  /** Absolute path of the document. */
  stateFile: string;
}

/** How many events the text shows; JSON has them all. */
const EVENTS_IN_TEXT = 10;

/**
 * The status as a value with the keys of Agent Signal's `status --json` (seed "CLI Status Output"): dates in whole
 * seconds, absent fields left out, no quota. Keys and values never change with the language, only the labels do.
 */
export function signalStatusValue(
  { aggregate, stateFile, updatedAt, sessions, recentEvents }: SignalStatus,
  language: LabelLanguage,
) {
  const label = labelOf(aggregate, language);
  return {
    schema_version: 1,
    aggregate,
    display_state: displayStateOf(aggregate),
    lamp_state: displayStateOf(aggregate),
    priority: priorityOf(aggregate),
    display_name: label.name,
    summary: label.summary,
    action: label.action,
    state_file: stateFile,
    ...(updatedAt === undefined ? {} : { updated_at: wholeSecondIsoOf(updatedAt) }),
    sessions: sessions.map((session) => ({
      session_id: session.sessionId,
      ...(session.agent === undefined ? {} : { agent: session.agent }),
      signal: session.signal,
      ...(session.lastEvent === undefined ? {} : { last_event: session.lastEvent }),
      updated_at: wholeSecondIsoOf(session.updatedAt),
    })),
    recent_events: recentEvents.map((event) => ({
      id: event.id,
      session_id: event.sessionId,
      ...(event.agent === undefined ? {} : { agent: event.agent }),
      signal: event.signal,
      ...(event.event === undefined ? {} : { event: event.event }),
      updated_at: wholeSecondIsoOf(event.updatedAt),
    })),
  };
}

/** The text of `status --json`: sorted keys, two spaces. */
export function encodeSignalStatus(status: SignalStatus, language: LabelLanguage): string {
  return `${printableJson(sortKeys(signalStatusValue(status, language)), 2)}\n`;
}

/**
 * The text of `status` for a person, in the original's lines.
 *
 * @param localTime a moment in the user's time zone and manner
 */
export function signalStatusText(
  { aggregate, stateFile, updatedAt, sessions, recentEvents }: SignalStatus,
  language: LabelLanguage,
  localTime: (moment: Seconds) => string,
): string {
  const { name, action } = labelOf(aggregate, language);
  const lines = [`aggregate: ${aggregate} (${name})`, `action: ${action}`, `state_file: ${printable(stateFile)}`];
  if (updatedAt !== undefined) lines.push(`updated_at: ${localTime(updatedAt)}`);
  if (sessions.length === 0) lines.push("sessions: none");
  else lines.push("sessions:", ...sessions.map((session) => line({ ...session, event: session.lastEvent })));
  if (recentEvents.length > 0) lines.push("recent_events:", ...recentEvents.slice(0, EVENTS_IN_TEXT).map(line));
  return `${lines.join("\n")}\n`;
}

/** One session or event. Ids and names are others' texts: they must not steer a terminal. */
function line({
  sessionId,
  signal,
  agent,
  event,
}: {
  sessionId: string;
  signal: string;
  agent?: string;
  event?: string;
}) {
  const by = agent === undefined ? "" : ` agent=${agent}`;
  const of = event === undefined ? "" : ` event=${event}`;
  return printable(`- ${sessionId}: ${signal}${by}${of}`);
}
