import { styleText } from "node:util";
import stringWidth from "string-width";
import { ageOf, shortAge } from "../session/age";
import { LOOKS, wantOf, type Tone } from "../session/looks";
import { besides } from "../session/besides";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { printable } from "../session/text";

/** How a table is drawn. */
export interface TableStyle {
  color: boolean;
  /** Columns there are; undefined: as many as it takes. */
  width?: number;
}

type Format = Parameters<typeof styleText>[0];

const TONE_FORMAT: Readonly<Record<Tone, Format>> = {
  urgent: ["red", "bold"],
  answer: "green",
  active: "blue",
  planned: "magenta",
  calm: "gray",
  doubt: "yellow",
};

/** Colors a text by its tone, when there are colors. */
export function toned(text: string, tone: Tone, color: boolean): string {
  return color ? styleText(TONE_FORMAT[tone], text, { validateStream: false }) : text;
}

/** What stands in one column of a row. */
export interface Cell {
  text: string;
  tone?: Tone;
  dim?: boolean;
}

/** Cells of a row: sign, state, title, agent, age, and what it wants or does. */
function cellsOf(session: Session, now: Seconds): Cell[] {
  const look = LOOKS[session.state];
  const tone: Tone = session.unread && !session.needsYou ? "answer" : look.tone;
  const where = session.project === undefined || session.project === session.title ? "" : ` (${session.project})`;
  return [
    { text: session.unread && look.tone === "calm" ? LOOKS.done.sign : look.sign, tone },
    { text: session.unread && session.state !== "done" ? `${look.word}, unread` : look.word, tone },
    { text: printable(session.title) + printable(where) },
    { text: printable(session.surface ?? session.agent), dim: true },
    { text: shortAge(ageOf(session.since, now)), dim: true },
    { text: printable(lastCell(session, now)), ...(session.needsYou ? {} : { dim: true }) },
  ];
}

/** What a row ends with: what the session wants, else what it does, else what goes on beside it. */
function lastCell(session: Session, now: Seconds): string {
  const doing = session.message ?? wantOf(session) ?? session.activity ?? session.tool ?? besides(session, now);
  return session.unreadableSince === undefined
    ? doing
    : `[not readable for ${shortAge(ageOf(session.unreadableSince, now))}] ${doing}`;
}

const GAP = "  ";

/** The narrowest a title gets before the last column goes. */
const TITLE_MINIMUM = 12;

/** The table of sessions, a line each, in the order given. No line is wider than the width. */
export function table(sessions: readonly Session[], now: Seconds, { color, width }: TableStyle): string {
  const rows = sessions.map((session) => cellsOf(session, now));
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    rows.reduce((most, row) => Math.max(most, stringWidth(row[column]?.text ?? "")), 0),
  );
  const fitted = width === undefined ? widths : fit(widths, width);
  return rows.map((row) => line(row, fitted, color, width)).join("");
}

/** A row as one line, its cells cut to the widths of the columns; a column of width 0 is left out. */
export function line(
  row: readonly Cell[],
  widths: readonly number[],
  color: boolean,
  width: number | undefined,
): string {
  const shown = row.filter((_, column) => (widths[column] ?? 0) > 0);
  const columns = widths.filter((each) => each > 0);
  let free = width ?? Infinity;
  const parts: string[] = [];
  shown.forEach(({ text, tone, dim }, index) => {
    const gap = index === 0 ? "" : GAP;
    const room = Math.min(columns[index] ?? 0, free - gap.length);
    if (room <= 0) return;
    const cut = cutWidth(text, room);
    const isLast = index === shown.length - 1;
    const padding = isLast ? "" : " ".repeat(Math.max(0, room - stringWidth(cut)));
    free -= gap.length + room;
    const styled = tone !== undefined ? toned(cut, tone, color) : dim === true ? toned(cut, "calm", color) : cut;
    parts.push(gap + styled + padding);
  });
  return `${parts.join("").trimEnd()}\n`;
}

/** Column widths that fit: first the last column gives way, then the title, then the agent goes. */
function fit(widths: readonly number[], width: number): number[] {
  const [sign = 0, state = 0, title = 0, agent = 0, age = 0, last = 0] = widths;
  const gaps = (columns: number[]) => GAP.length * (columns.filter((each) => each > 0).length - 1);
  const total = (columns: number[]) => columns.reduce((sum, each) => sum + each, 0) + gaps(columns);
  const all = [sign, state, title, agent, age, last];
  if (total(all) <= width) return all;
  const titleRoom = Math.min(title, Math.max(TITLE_MINIMUM, Math.floor(width * 0.42)));
  const rest = width - total([sign, state, titleRoom, agent, age, 1]) + 1;
  if (rest >= TITLE_MINIMUM) return [sign, state, titleRoom, agent, age, Math.min(last, rest)];
  const withAgent = width - total([sign, state, 1, agent, age, 0]) + 1;
  if (withAgent >= TITLE_MINIMUM) return [sign, state, Math.min(title, withAgent), agent, age, 0];
  return [sign, state, Math.max(1, Math.min(title, width - total([sign, state, 1, 0, age, 0]) + 1)), 0, age, 0];
}

/** A column has no more parts than this, marks upon a letter included. */
const PARTS = 32;

/** A text cut to a width in columns, wide characters counted as two, with an ellipsis where something is missing. */
export function cutWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = "";
  let used = 0;
  // The beginning is enough: looking for letters of several parts takes long over what is not shown.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, PARTS * width).toWellFormed())) {
    const next = stringWidth(segment);
    if (used + next > width - 1) break;
    cut += segment;
    used += next;
  }
  return width > 0 ? `${cut}…` : "";
}
