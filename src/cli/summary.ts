import { LOOKS, type Tone } from "../session/looks";
import type { Snapshot } from "../observe/snapshot";
import { toned } from "./table";

/**
 * The aggregate on one line, short enough for a prompt or a status bar: `2 need you, 1 unread, 3 working`, or `paused`,
 * or `idle` when nothing is up.
 */
export function summaryLine({ aggregate, sessions }: Pick<Snapshot, "aggregate" | "sessions">, color: boolean): string {
  const parts: [text: string, tone: Tone][] = [];
  const add = (count: number, text: string, tone: Tone) => {
    if (count > 0) parts.push([`${count} ${text}`, tone]);
  };
  if (aggregate.displayState === "paused") parts.push(["paused", "planned"]);
  add(aggregate.needsYou, aggregate.needsYou === 1 ? "needs you" : "need you", "urgent");
  add(aggregate.unread, "unread", "answer");
  add(aggregate.working, "working", "active");
  add(sessions.filter(({ state }) => state === "scheduled").length, "scheduled", "planned");
  add(sessions.filter(({ state }) => state === "unknown").length, "unknown", "doubt");
  if (parts.length === 0)
    parts.push([aggregate.displayState === "stale" ? "not reliable" : LOOKS.idle.word.toLowerCase(), "calm"]);
  return parts.map(([text, tone]) => toned(text, tone, color)).join(", ");
}
