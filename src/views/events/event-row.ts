import {
  changeText,
  effectTexts,
  eventText,
  senderText,
  stateAfter,
  type TimelineEntry,
} from "../../session/event-line";
import { sessionKey } from "../../session/identity";
import { LOOKS } from "../../session/looks";
import type { Seconds } from "../../session/report";
import { printable } from "../../session/text";
import { agentTitle } from "../agent-title";
import { exactTime } from "../time-text";
import { isAbout } from "../typed-words";

/** So many entries are read; before that, a session's own timeline tells more. */
export const READ = 1_000;

/** So many rows are given to the launcher at first, and with each page more. */
export const PAGE = 100;

/** An entry with what its row is found, kept and grouped by. */
export interface EventRow {
  /** The same as long as the entry is there, and no other's. */
  id: string;
  entry: TimelineEntry;
  /** The id of its session across agents. */
  session?: string;
  /** The title of its session, as the list of sessions has it. */
  title?: string;
}

/** The rows of a timeline, the newest first. */
export function rowsOf(entries: readonly TimelineEntry[], titles: ReadonlyMap<string, string>): EventRow[] {
  const counts = new Map<string, number>();
  return entries
    .map((entry): EventRow => {
      const session = entry.outcome === "event" ? sessionKey(entry) : undefined;
      // Data, and half a character in it would end the view: JSON escapes it.
      const name = JSON.stringify([entry.at, entry.agent, session, entry.event, senderText(entry), changeText(entry)]);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const title = session === undefined ? undefined : titles.get(session);
      return {
        id: count === 0 ? name : `${name}${count}`,
        entry,
        ...(session === undefined ? {} : { session }),
        ...(title === undefined ? {} : { title }),
      };
    })
    .reverse();
}

/** What a row says of whose it is. */
export function ownerOf({ entry, title }: EventRow): string | undefined {
  if (title !== undefined) return printable(title);
  if (entry.outcome === "event") return printable(entry.sessionId);
  return entry.agent === undefined ? undefined : printable(agentTitle(entry.agent));
}

/** The words by which the launcher finds a row, beside its title. */
export function keywordsOf({ entry, title = "" }: EventRow): string[] {
  const state = stateAfter(entry);
  const words = [
    entry.event ?? "",
    entry.outcome === "event" ? entry.sessionId : entry.outcome,
    entry.outcome === "rejected" ? "" : entry.from,
    ...(entry.agent === undefined ? [] : [entry.agent, ...agentTitle(entry.agent).split(" ")]),
    ...(entry.outcome === "event" ? [entry.tool ?? "", entry.subagent ?? "", entry.unread ?? ""] : []),
    ...(state === undefined ? [] : [LOOKS[state].word]),
    ...title.split(/\s+/).slice(0, 20),
  ];
  return Array.from(new Set(words.map((word) => printable(word).trim()).filter((word) => word !== "")));
}

/** The rows that these words are about, all of them where there is none. */
export function rowsAbout(rows: readonly EventRow[], words: readonly string[]): readonly EventRow[] {
  if (words.length === 0) return rows;
  return rows.filter((row) => isAbout(words, eventText(row.entry), keywordsOf(row)));
}

/** The day of a moment, as a section is called: `Today`, `Yesterday`, or its date in the user's own format. */
export function dayTitle(at: Seconds, now: Seconds): string {
  const day = new Date(at * 1000);
  const today = new Date(now * 1000);
  const daysAgo = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
  if (isSameDay(day, today)) return "Today";
  if (isSameDay(day, daysAgo(1))) return "Yesterday";
  const year = day.getFullYear() === today.getFullYear() ? {} : { year: "numeric" as const };
  return day.toLocaleDateString(undefined, { weekday: "long", month: "long", day: "numeric", ...year });
}

function isSameDay(one: Date, other: Date): boolean {
  return (
    one.getFullYear() === other.getFullYear() &&
    one.getMonth() === other.getMonth() &&
    one.getDate() === other.getDate()
  );
}

/** An entry as it is copied: everything it says, on one line. */
export function copyText({ entry, title }: EventRow): string {
  return [
    exactTime(entry.at),
    printable(entry.agent ?? "unknown agent"),
    entry.outcome === "event" ? printable(entry.sessionId) : undefined,
    title === undefined ? undefined : printable(title),
    `${eventText(entry)} (${senderText(entry)})`,
    changeText(entry),
    ...effectTexts(entry),
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}
