import { describeProblem } from "../files/problem";
import type { Snapshot } from "../observe/snapshot";
import { besides } from "../session/besides";
import { cacheOf } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import { LOOKS, wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import { SECTIONS, sectionOf, type Section } from "../session/section";
import type { Session } from "../session/session";
import type { DisplayState } from "../session/signal";
import { cutText, printable } from "../session/text";
import type { MenuBarSettings } from "./settings";
import { exactTime } from "./time-text";

/** A section shows this many; the list has them all. */
const SHOWN = 10;

/** What the menu bar shows of a snapshot. It is kept from run to run, so it holds no more than is shown. */
export interface MenuContent {
  displayState: DisplayState;
  /** Sessions that need the user, and those that do or have an unread answer: a session counts once in each. */
  needsYou: number;
  needsYouOrUnread: number;
  unread: number;
  tooltip: string;
  groups: MenuGroup[];
  /** How many files something is wrong with, and what. */
  problems: { count: number; text: string };
}

/** A section of the menu: its first rows, and how many sessions it has in all. */
export interface MenuGroup {
  section: Section;
  count: number;
  rows: MenuRow[];
}

/** A session as the menu shows it. */
export interface MenuRow extends Pick<Session, "id" | "doneAt" | "state" | "unread" | "needsYou"> {
  title: string;
  subtitle: string;
  tooltip: string;
}

/** Raised whenever the shape of what is kept changes: what an earlier version kept is not read. */
export const MENU_CONTENT_VERSION = 1;

/** What the menu bar shows of a snapshot. */
export function menuContentOf({ at, sessions, aggregate, problems }: Snapshot): MenuContent {
  const { displayState, needsYou, unread } = aggregate;
  const groups = SECTIONS.flatMap((section): MenuGroup[] => {
    const all = sessions.filter((session) => sectionOf(session) === section);
    return all.length === 0 ? [] : [{ section, count: all.length, rows: distinct(all.slice(0, SHOWN), at) }];
  });
  return {
    displayState,
    needsYou,
    needsYouOrUnread: sessions.filter((session) => session.needsYou || session.unread).length,
    unread,
    tooltip: tooltipOf(aggregate),
    groups,
    problems: {
      count: new Set(problems.map(({ file }) => file)).size,
      text: cutText(printable(problems.map(describeProblem).join("; ")), 500),
    },
  };
}

/** The number beside the icon, by what the user has it count. */
export function countOf(
  { needsYou, needsYouOrUnread }: Pick<MenuContent, "needsYou" | "needsYouOrUnread">,
  { counts }: Pick<MenuBarSettings, "counts">,
): number {
  switch (counts) {
    case "needs-you":
      return needsYou;
    case "needs-you-and-unread":
      return needsYouOrUnread;
    case "nothing":
      return 0;
    default:
      return counts satisfies never;
  }
}

/**
 * Whether nothing is up: no session needs the user or works, none has an unread answer that counts, and there is nothing
 * else to tell. Paused monitoring is told, and a session of which nothing is known may be up.
 */
export function isQuiet(
  { displayState, unread, problems }: Pick<MenuContent, "displayState" | "unread" | "problems">,
  { counts }: Pick<MenuBarSettings, "counts">,
): boolean {
  if (problems.count > 0) return false;
  if (counts === "needs-you-and-unread") return displayState === "ready" && unread === 0;
  return displayState === "ready" || displayState === "completed";
}

/** Items that look the same share one action in the launcher: those get their ids. */
function distinct(sessions: readonly Session[], now: Seconds): MenuRow[] {
  const rows = sessions.map((session) => rowOf(session, now));
  const looks = rows.map(({ title, subtitle, state }) => JSON.stringify([title, subtitle, state]));
  return rows.map((row, index) => {
    const look = looks[index] ?? "";
    const isAlone = looks.indexOf(look) === looks.lastIndexOf(look);
    return isAlone ? row : { ...row, subtitle: `${row.subtitle} [${printable(row.id)}]`.trim() };
  });
}

function rowOf(session: Session, now: Seconds): MenuRow {
  const { id, doneAt, state, unread, needsYou } = session;
  return {
    id,
    doneAt,
    state,
    unread,
    needsYou,
    title: cutText(printable(session.title), 60),
    subtitle: cutText(printable(subtitleOf(session)), 60),
    tooltip: rowTooltip(session, now),
  };
}

function subtitleOf(session: Session): string {
  const project = session.project === session.title ? undefined : session.project;
  const want = session.message ?? wantOf(session);
  return [project, want].filter((part) => part !== undefined).join(" – ");
}

function rowTooltip(session: Session, now: Seconds): string {
  const parts = [
    `${LOOKS[session.state].word} since ${exactTime(session.since)}`,
    session.unread ? "Unread answer" : undefined,
    session.message ?? wantOf(session),
    besides(session, now),
    cacheNote(session, now),
    session.cwd,
  ];
  return cutText(printable(parts.filter((part) => part !== undefined && part !== "").join(" · ")), 300);
}

/** What waking it costs; nothing is said of a session that works, or of which nothing is known. */
function cacheNote(session: Session, now: Seconds): string | undefined {
  const cache = cacheOf(session, now);
  if (session.context === undefined || (cache.temperature !== "warm" && cache.temperature !== "cold")) return undefined;
  return `${tokensText(session.context.tokens)} tokens, ${cacheText(cache, now)}`;
}

function tooltipOf({ needsYou, unread, working, total, displayState }: Snapshot["aggregate"]): string {
  const counts = `${needsYou} ${needsYou === 1 ? "needs" : "need"} you, ${unread} unread, ${working} working, ${total} in all`;
  return displayState === "paused" ? `Monitoring is paused. ${counts}` : counts;
}
