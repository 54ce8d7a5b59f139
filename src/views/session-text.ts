import { changeText, effectTexts, eventText, type TimelineEntry } from "../session/event-line";
import { wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { cutText } from "../session/text";
import { fenced } from "./plain-text";
import { relativeTime } from "./time-text";

/** A line of an event is no longer than this. */
const LINE_LIMIT = 200;

/** What came in last of a session, the newest first, or why that cannot be read. */
export interface LastEvents {
  entries: readonly TimelineEntry[];
  problem?: string;
}

/** What a session is called, wants, does, and did last, in markdown. All of it is data: in code blocks. */
export function sessionMarkdown(session: Session, now: Seconds, events?: LastEvents): string {
  const want = session.message ?? wantOf(session);
  const doing = [session.tool, session.activity].filter((part) => part !== undefined).join(": ");
  return [
    fenced(session.title),
    ...(want === undefined ? [] : ["**What It Wants**", fenced(want)]),
    ...(doing === "" ? [] : ["**What It Does**", fenced(doing)]),
    ...(events === undefined ? [] : eventParts(events, now)),
  ].join("\n\n");
}

function eventParts({ entries, problem }: LastEvents, now: Seconds): string[] {
  const lines = [
    ...entries.map((entry) => eventLine(entry, now)),
    ...(problem === undefined ? [] : [`Cannot be read: ${problem}`]),
  ];
  return lines.length === 0 ? [] : ["**Last Events**", fenced(lines.join("\n"))];
}

function eventLine(entry: TimelineEntry, now: Seconds): string {
  const did = [changeText(entry), ...effectTexts(entry)].join(" · ");
  return cutText(`${relativeTime(entry.at, now)}: ${eventText(entry)}, ${did}`, LINE_LIMIT);
}
