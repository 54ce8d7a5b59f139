import type { Snapshot } from "../../observe/snapshot";
import { LOOKS, type Tone } from "../../session/looks";
import { cutText } from "../../session/text";
import { plainLine } from "./session-text";

/** What a one-line segment is asked for. */
export interface SegmentRequest {
  /** Show `0 need you` when nothing is up, instead of nothing. */
  always: boolean;
  /** Signs in place of words: `!2 ✓1 ▶3`. */
  short: boolean;
  /** Name the session that has waited longest. */
  title: boolean;
}

/** A part of a segment: a text, not yet escaped for any format, and how urgent it is. */
export interface Part {
  text: string;
  tone: Tone;
}

/** A one-line segment: counts, and the title of the session that has waited longest. */
export interface Segment {
  counts: Part[];
  /** Between the counts. */
  gap: string;
  title?: string;
}

/** Characters of a title in a segment; a bar has no room for more. */
const TITLE_LIMIT = 30;

/** The segment when the sessions could not be read: an empty one would say that nothing is up. */
export const UNREADABLE: Segment = { counts: [{ text: "sessions cannot be read", tone: "doubt" }], gap: "" };

/**
 * The segment of a snapshot, in the words of `agent-sessions status`; without counts when nothing is up. Files that
 * something is wrong with count too, since what they hold may be missing from the rest.
 */
export function segmentOf(snapshot: Snapshot, { always, short, title }: SegmentRequest): Segment {
  const up = countsOf(snapshot);
  const shown = up.length === 0 && always ? [needsYouCount(0)] : up;
  const first = title ? snapshot.sessions.find((session) => session.needsYou) : undefined;
  return {
    counts: shown.map((each) => ({ text: short ? each.short : each.long, tone: each.tone })),
    gap: short ? " " : ", ",
    ...(first === undefined ? {} : { title: cutText(plainLine(first.title), TITLE_LIMIT) }),
  };
}

interface Count {
  long: string;
  short: string;
  tone: Tone;
}

/** What is up, most urgent first. */
function countsOf({ aggregate, sessions, problems }: Snapshot): Count[] {
  const counts: Count[] = [];
  const add = (count: number, make: (count: number) => Count) => {
    if (count > 0) counts.push(make(count));
  };
  const inState = (wanted: "scheduled" | "unknown") => sessions.filter(({ state }) => state === wanted).length;
  if (aggregate.displayState === "paused") counts.push({ long: "paused", short: "paused", tone: "planned" });
  add(aggregate.needsYou, needsYouCount);
  add(aggregate.unread, (count) => ({ long: `${count} unread`, ...signed(count, "done") }));
  add(aggregate.working, (count) => ({ long: `${count} working`, ...signed(count, "working") }));
  add(inState("scheduled"), (count) => ({ long: `${count} scheduled`, ...signed(count, "scheduled") }));
  add(inState("unknown"), (count) => ({ long: `${count} unknown`, ...signed(count, "unknown") }));
  add(new Set(problems.map(({ file }) => file)).size, (count) => ({
    long: count === 1 ? "1 problem" : `${count} problems`,
    short: `⚠${count}`,
    tone: "doubt",
  }));
  return counts;
}

function needsYouCount(count: number): Count {
  return { long: `${count} ${count === 1 ? "needs" : "need"} you`, ...signed(count, "waiting") };
}

function signed(count: number, state: keyof typeof LOOKS): Pick<Count, "short" | "tone"> {
  const { sign, tone } = LOOKS[state];
  return { short: `${sign}${count}`, tone };
}
