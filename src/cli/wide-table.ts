import stringWidth from "string-width";
import { reachOf, type Reach } from "../control/ways";
import { cacheOf, isWarm } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import { LOOKS, type Tone } from "../session/looks";
import type { Seconds } from "../session/report";
import { requestText } from "../session/request-text";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { line, toned, type Cell, type TableStyle } from "./table";

/** The column that gives way when there is little room, and how far. */
const TOPIC = 2;
const TOPIC_MINIMUM = 12;

/** What a session can be asked. */
const REACHES: Readonly<Record<Reach, string>> = { restart: "restart", save: "save", none: "–" };

const HEADINGS = ["", "NAME", "TOPIC", "CONTEXT", "VERSION", "CACHE", "PAUSE", "REQUEST"];

/**
 * The overview of seed 002: for each session its name, topic, context, version, whether its cache is warm and for how
 * long, whether it can be asked to pause, and whether it saves or has saved. A line a session under one of headings.
 */
export function wideTable(sessions: readonly Session[], now: Seconds, { color, width }: TableStyle): string {
  const rows = [HEADINGS.map((text): Cell => ({ text, dim: true })), ...sessions.map((each) => cellsOf(each, now))];
  const widths = HEADINGS.map((_, column) =>
    rows.reduce((most, row) => Math.max(most, stringWidth(row[column]?.text ?? "")), 0),
  );
  return rows.map((row) => line(row, fitted(widths, width), color, width)).join("");
}

/** A line that sums it up: how many sessions there are, how many are warm, and what would go cold next. */
export function wideSummary(sessions: readonly Session[], now: Seconds, color: boolean): string {
  const alive = sessions.filter(({ state }) => state !== "dormant");
  const caches = alive.map((session) => cacheOf(session, now));
  const next = caches.reduce(
    (least, cache) => (cache.temperature === "warm" ? Math.min(least, cache.coldIn) : least),
    Infinity,
  );
  const parts = [
    `${alive.length} ${alive.length === 1 ? "session" : "sessions"}`,
    `${caches.filter(isWarm).length} warm`,
    ...(next < Infinity ? [`the next goes cold in ${Math.max(1, Math.round(next / 60))}m`] : []),
  ];
  return toned(parts.join(", "), "calm", color);
}

function cellsOf(session: Session, now: Seconds): Cell[] {
  const look = LOOKS[session.state];
  const tone: Tone = session.unread && !session.needsYou ? "answer" : look.tone;
  const cache = cacheOf(session, now);
  const { live, context } = session;
  const name = live?.name ?? session.project ?? session.sessionId.slice(0, 8);
  const label = session.configLabel === undefined ? "" : ` [${session.configLabel}]`;
  return [
    { text: look.sign, tone },
    { text: printable(name + label) },
    { text: printable(session.title) },
    { text: tokensText(context?.tokens), dim: true },
    { text: printable(live?.version ?? "–"), dim: true },
    { text: session.state === "dormant" ? "–" : cacheText(cache, now), tone: isWarm(cache) ? "active" : "calm" },
    { text: REACHES[reachOf(session)], dim: true },
    { text: printable(session.request === undefined ? "" : requestText(session.request)) },
  ];
}

function fitted(widths: readonly number[], width: number | undefined): number[] {
  if (width === undefined) return [...widths];
  const gaps = 2 * (widths.filter((each) => each > 0).length - 1);
  const surplus = widths.reduce((sum, each) => sum + each, 0) + gaps - width;
  return widths.map((each, column) =>
    column === TOPIC && surplus > 0 ? Math.max(Math.min(each, TOPIC_MINIMUM), each - surplus) : each,
  );
}
