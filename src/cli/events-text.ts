import stringWidth from "string-width";
import { isoOf } from "../files/timestamp";
import { ageOf, shortAge } from "../session/age";
import {
  changeText,
  effectTexts,
  eventText,
  senderText,
  stateAfter,
  type TimelineEntry,
  type WaitLine,
} from "../session/event-line";
import { sessionKey } from "../session/identity";
import { LOOKS, type Tone } from "../session/looks";
import type { Seconds } from "../session/report";
import { printable } from "../session/text";
import { line, type Cell, type TableStyle } from "./table";

/** What the lines of a timeline are drawn with. */
export interface EventsStyle extends TableStyle {
  /** The titles of the sessions by their id; absent: it is one session's timeline, and says so nowhere. */
  titles?: ReadonlyMap<string, string>;
}

/** Which column is which. */
const COLUMNS = ["age", "title", "agent", "event", "from", "sign", "change", "effects"] as const;

/** What gives way when there is little room, and how far: the first first. */
const GIVE_WAY: readonly (readonly [column: (typeof COLUMNS)[number], minimum: number])[] = [
  ["effects", 24],
  ["title", 14],
  ["from", 0],
  ["event", 16],
  ["agent", 0],
  ["effects", 0],
  ["title", 8],
  ["event", 6],
];

/** The timeline, a line an entry, in the order given. No line is wider than the width. */
export function eventsText(entries: readonly TimelineEntry[], now: Seconds, style: EventsStyle): string {
  const rows = entries.map((entry) => cellsOf(entry, now, style.titles));
  const widths = COLUMNS.map((_, column) =>
    rows.reduce((most, row) => Math.max(most, stringWidth(row[column]?.text ?? "")), 0),
  );
  return rows.map((row) => line(row, fitted(widths, style.width), style.color, style.width)).join("");
}

function cellsOf(entry: TimelineEntry, now: Seconds, titles: EventsStyle["titles"]): Cell[] {
  const state = stateAfter(entry);
  const effects = effectTexts(entry).join("; ");
  const hasChanged = entry.outcome === "event" && entry.before !== entry.after;
  const tone: Tone = entry.outcome === "rejected" ? "doubt" : state === undefined ? "calm" : LOOKS[state].tone;
  return [
    { text: shortAge(ageOf(entry.at, now)), dim: true },
    { text: titles === undefined ? "" : printable(titleOf(entry, titles)) },
    { text: titles === undefined ? "" : printable(entry.agent ?? ""), dim: true },
    { text: eventText(entry) },
    { text: senderText(entry), dim: true },
    state === undefined ? { text: "" } : { text: LOOKS[state].sign, tone },
    { text: changeText(entry), ...(hasChanged || entry.outcome === "rejected" ? { tone } : { dim: true }) },
    effects === "" ? { text: "" } : { text: effects, dim: true },
  ];
}

function titleOf(entry: TimelineEntry, titles: ReadonlyMap<string, string>): string {
  if (entry.outcome !== "event") return "";
  return titles.get(sessionKey(entry)) ?? entry.sessionId;
}

function fitted(widths: readonly number[], width: number | undefined): number[] {
  const columns = [...widths];
  if (width === undefined) return columns;
  for (const [name, minimum] of GIVE_WAY) {
    const shown = columns.filter((each) => each > 0);
    const surplus = shown.reduce((sum, each) => sum + each, 0) + 2 * (shown.length - 1) - width;
    if (surplus <= 0) break;
    const column = COLUMNS.indexOf(name);
    const now = columns[column] ?? 0;
    // A column that ends up with nothing takes its gap along.
    columns[column] = Math.min(now, Math.max(minimum, now - surplus));
  }
  return columns;
}

/** An entry as `events --json` prints it: what is not known, or does not apply, is null. */
export function eventJson(entry: TimelineEntry) {
  const event = entry.outcome === "event" ? entry : undefined;
  return {
    at: isoOf(entry.at),
    outcome: event?.unheard === undefined ? entry.outcome : "left-out",
    agent: entry.agent ?? null,
    session_id: event?.sessionId ?? null,
    event: entry.event ?? null,
    from: entry.outcome === "rejected" ? null : entry.from,
    subagent: event?.subagent ?? null,
    tool: event?.tool ?? null,
    state_before: event?.before ?? null,
    state_after: event?.after ?? null,
    unread: event?.unread ?? null,
    waits_began: (event?.began ?? []).map(waitJson),
    waits_ended: (event?.ended ?? []).map(waitJson),
    failure: event?.failure ?? null,
    reason: reasonOf(entry),
  };
}

/** Why an entry did nothing. */
function reasonOf(entry: TimelineEntry): string | null {
  switch (entry.outcome) {
    case "event":
      return entry.unheard ?? null;
    case "ignored":
      return null;
    case "rejected":
      return entry.reason;
    default:
      return entry satisfies never;
  }
}

function waitJson({ kind, message, subagent }: WaitLine) {
  return { kind, message: message ?? null, subagent: subagent ?? null };
}
