import * as z from "zod";
import { CHANNELS, UNHEARD, type EventLine, type IgnoredLine, type RejectedLine } from "../session/event-line";
import { agentNamed } from "../session/identity";
import { STATES, WAIT_KINDS } from "../session/state";
import { cutText, oneLine, printable } from "../session/text";
import { decodeInboxEntry } from "./inbox-entry";
import { sessionFileName } from "./session-name";
import { isMoment } from "./timestamp";

/** The ending of a log's name. */
const ENDING = ".jsonl";

/** The longest text in a line; whatever is longer, we did not write. */
const TEXT_LIMIT = 1_000;

const REASON_LIMIT = 300;

const moment = z.number().refine(isMoment, "is not a time in seconds since 1970");
const text = z.string().max(TEXT_LIMIT);
const channel = z.enum(CHANNELS);

const wait = z.object({ kind: z.enum(WAIT_KINDS), message: text.optional(), subagent: text.optional() });

const eventSchema = z.object({
  at: moment,
  event: text,
  from: channel,
  subagent: text.optional(),
  tool: text.optional(),
  before: z.enum(STATES).optional(),
  after: z.enum(STATES),
  unread: z.enum(["set", "cleared"]).optional(),
  began: z.array(wait).max(10).optional(),
  ended: z.array(wait).max(10).optional(),
  failure: text.optional(),
  unheard: z.enum(UNHEARD).optional(),
});

const ignoredSchema = z.object({ at: moment, agent: text.min(1), event: text, from: channel });

/** The text of a line, with its line break. */
export function encodeEventLine(line: EventLine | IgnoredLine): string {
  // Milliseconds are as exact as anybody reads, and shorter.
  return `${JSON.stringify({ ...line, at: Math.round(line.at * 1000) / 1000 })}\n`;
}

/** A line of a session's log; undefined for what is none. */
export function decodeEventLine(value: unknown): EventLine | undefined {
  const parsed = eventSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** A line of the log of what was ignored; undefined for what is none. */
export function decodeIgnoredLine(value: unknown): IgnoredLine | undefined {
  const parsed = ignoredSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The name of a session's log; undefined for an id too long to be a name. */
export function eventLogName(sessionId: string): string | undefined {
  const name = sessionFileName(sessionId);
  return name === undefined ? undefined : `${name.slice(0, -".json".length)}${ENDING}`;
}

/** The session whose log has this name; undefined for a file that is no log. */
export function sessionOfLog(name: string): string | undefined {
  if (!name.endsWith(ENDING)) return undefined;
  try {
    const sessionId = decodeURIComponent(name.slice(0, -ENDING.length));
    return eventLogName(sessionId) === name ? sessionId : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A rejected entry as the inbox keeps it: named by its time, the reason, an empty line, and how it begins. Of that only
 * what the head says is read. Undefined for a file that is none.
 */
export function decodeRejected(name: string, content: string): RejectedLine | undefined {
  const milliseconds = /^(\d{1,15})-.*\.txt$/s.exec(name)?.[1];
  const at = Number(milliseconds) / 1000;
  if (milliseconds === undefined || !isMoment(at)) return undefined;
  const end = content.indexOf("\n\n");
  const said = cutText(printable(oneLine(end < 0 ? content : content.slice(0, end))), REASON_LIMIT);
  const head = end < 0 ? undefined : decodeInboxEntry(content.slice(end + 2));
  const entry = head?.outcome === "entry" ? head.entry : undefined;
  return {
    at,
    reason: said === "" ? "It could not be read." : said,
    ...(entry === undefined ? {} : { agent: agentNamed(entry.agent).agent }),
    ...(entry?.event === undefined ? {} : { event: cutText(printable(oneLine(entry.event)), REASON_LIMIT) }),
  };
}
