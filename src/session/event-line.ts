import type { Event } from "./event";
import { LOOKS } from "./looks";
import { WRITER, type SessionRecord, type Wait } from "./record";
import { isToldByPlugin } from "./reduce";
import type { Seconds } from "./report";
import { isUnread } from "./seen";
import type { State, WaitKind } from "./state";
import { cutText, oneLine, printable } from "./text";

/** How an event came: from a hook, from a plugin inside the agent, or from the program Codex notifies. */
export const CHANNELS = ["hook", "plugin", "notify"] as const;

export type Channel = (typeof CHANNELS)[number];

/** Why an event of a session changed nothing in it. */
export const UNHEARD = ["side-run", "told-by-plugin"] as const;

export type Unheard = (typeof UNHEARD)[number];

/** A wait that began or ended, as the session's row shows it. */
export interface WaitLine {
  kind: WaitKind;
  message?: string;
  /** The subagent that waits; absent for the main agent. */
  subagent?: string;
}

/** What one event did to a session. It holds of the payload only what the session's row shows, cut. */
export interface EventLine {
  at: Seconds;
  /** The agent's own name of the event. */
  event: string;
  from: Channel;
  /** Set when it happened inside a subagent, or is about one. */
  subagent?: string;
  tool?: string;
  /** The state before it; absent for the first event of a session. */
  before?: State;
  after: State;
  /** Set: an answer finished that is new. Cleared: the user was there, or the conversation began anew. Without read marks. */
  unread?: "set" | "cleared";
  began?: WaitLine[];
  ended?: WaitLine[];
  /** Why the turn failed. */
  failure?: string;
  unheard?: Unheard;
}

/** An event that meant nothing to us; its mapping does not tell whose it was. */
export interface IgnoredLine {
  at: Seconds;
  agent: string;
  event: string;
  from: Channel;
}

/** An entry that could not be read as an event. */
export interface RejectedLine {
  at: Seconds;
  reason: string;
  /** What the head of the entry says, where it has one. */
  agent?: string;
  event?: string;
}

/** One line of a timeline: what came in, from whom, and what it did. */
export type TimelineEntry =
  | ({ outcome: "event"; agent: string; sessionId: string } & EventLine)
  | ({ outcome: "ignored" } & IgnoredLine)
  | ({ outcome: "rejected" } & RejectedLine);

const NAME_LIMIT = 64;
const MESSAGE_LIMIT = 120;

/** A line names at most this many waits; more at once no agent has. */
const WAITS_NAMED = 3;

/** Agents of which our only reporter is a plugin that runs inside them. */
const REPORTED_BY_PLUGIN: ReadonlySet<string> = new Set(["opencode", "amp"]);

/**
 * How an entry came.
 *
 * @param registered the event the entry's reporter was registered for; Codex's `notify` is no hook
 * @param byPlugin the mapping knows that the agent's plugin told it
 */
export function channelOf(agent: string, registered: string | undefined, byPlugin?: boolean): Channel {
  if (byPlugin === true || REPORTED_BY_PLUGIN.has(agent)) return "plugin";
  return agent === "codex" && registered === "notify" ? "notify" : "hook";
}

/** What an event did, from the record before it and the one `reduce` made of it. */
export function eventLine(
  before: SessionRecord | undefined,
  after: SessionRecord,
  event: Event,
  from: Channel,
): EventLine {
  const subagent = event.agentId ?? ("subagent" in event ? event.subagent : undefined);
  const tool = "tool" in event ? event.tool : undefined;
  const line: EventLine = { at: event.at, event: nameOf(event.name), from, after: after.state };
  if (subagent !== undefined) line.subagent = nameOf(subagent);
  if (tool !== undefined) line.tool = nameOf(tool);
  if (before !== undefined) line.before = before.state;
  const unheard = unheardBecause(before, after, event);
  if (unheard !== undefined) return { ...line, unheard };
  const unread = unreadChange(before, after);
  if (unread !== undefined) line.unread = unread;
  const began = missingIn(before?.waits ?? [], after.waits);
  const ended = missingIn(after.waits, before?.waits ?? []);
  if (began.length > 0) line.began = began;
  if (ended.length > 0) line.ended = ended;
  if (event.kind === "turn-failed" && after.message !== undefined) line.failure = lineOf(after.message);
  return line;
}

/** An event that is no session's. */
export function ignoredLine(at: Seconds, agent: string, event: string, from: Channel): IgnoredLine {
  return { at, agent, event: nameOf(event), from };
}

/** What `reduce` left out stays the record it was, but for the terminal that a hook knows and the plugin does not. */
function unheardBecause(before: SessionRecord | undefined, after: SessionRecord, event: Event): Unheard | undefined {
  if (before === undefined) return undefined;
  if (isToldByPlugin(before, event)) return "told-by-plugin";
  return after === before ? "side-run" : undefined;
}

/** By the session's own course: what the user marked as read is not known here. */
function unreadChange(before: SessionRecord | undefined, after: SessionRecord): EventLine["unread"] {
  if (before?.doneAt === after.doneAt && before?.userPromptAt === after.userPromptAt) return undefined;
  if (isUnanswered(after)) return before?.doneAt === after.doneAt ? undefined : "set";
  return before !== undefined && isUnanswered(before) ? "cleared" : undefined;
}

function isUnanswered(record: SessionRecord): boolean {
  return isUnread({ ...record, writer: WRITER }, undefined, -Infinity);
}

/** The waits that are not among others. */
function missingIn(others: readonly Wait[], waits: readonly Wait[]): WaitLine[] {
  if (waits.length === 0) return [];
  return waits
    .filter((wait) => !others.some((other) => isSameWait(wait, other)))
    .slice(0, WAITS_NAMED)
    .map(({ kind, message, agentId }) => ({
      kind,
      ...(message === undefined ? {} : { message: lineOf(message) }),
      ...(agentId === undefined ? {} : { subagent: nameOf(agentId) }),
    }));
}

function isSameWait(one: Wait, other: Wait): boolean {
  if (one === other) return true;
  if (one.agentId !== other.agentId || one.source !== other.source || one.call !== other.call) return false;
  return one.call !== undefined || (one.kind === other.kind && one.message === other.message);
}

/** What nearly every name is made of: there is nothing to take out of it. */
const PLAIN_NAME = /^[\w.:-]{1,64}$/;

function nameOf(text: string): string {
  return PLAIN_NAME.test(text) ? text : cutText(printable(oneLine(text)), NAME_LIMIT);
}

function lineOf(text: string): string {
  return cutText(printable(oneLine(text)), MESSAGE_LIMIT);
}

/** The event's name with what it is about: `PreToolUse (Bash)`. */
export function eventText(entry: TimelineEntry): string {
  const name = printable(entry.event ?? "") || "Unnamed event";
  return entry.outcome === "event" && entry.tool !== undefined ? `${name} (${printable(entry.tool)})` : name;
}

/** From whom an event came: `hook`, `plugin, subagent a1`. */
export function senderText(entry: TimelineEntry): string {
  if (entry.outcome === "rejected") return "inbox";
  const subagent = entry.outcome === "event" ? entry.subagent : undefined;
  return subagent === undefined ? entry.from : `${entry.from}, subagent ${printable(subagent)}`;
}

/** The state an entry left its session in; undefined for what no session got. */
export function stateAfter(entry: TimelineEntry): State | undefined {
  return entry.outcome === "event" ? entry.after : undefined;
}

/** What an entry did to the state: `Working → Waiting`, `Working` when it stayed, `New: Idle` for the first. */
export function changeText(entry: TimelineEntry): string {
  switch (entry.outcome) {
    case "event": {
      const { before, after } = entry;
      if (before === undefined) return `New: ${LOOKS[after].word}`;
      return before === after ? LOOKS[after].word : `${LOOKS[before].word} → ${LOOKS[after].word}`;
    }
    case "ignored":
      return "Ignored";
    case "rejected":
      return "Rejected";
    default:
      return entry satisfies never;
  }
}

/** What else an entry did, or why it did nothing, a sentence each. */
export function effectTexts(entry: TimelineEntry): string[] {
  switch (entry.outcome) {
    case "event":
      return [
        ...(entry.began ?? []).map((wait) => `Began waiting: ${waitText(wait)}`),
        ...(entry.ended ?? []).map((wait) => `No longer waiting: ${waitText(wait)}`),
        ...(entry.failure === undefined ? [] : [`Failed: ${printable(entry.failure)}`]),
        ...(entry.unread === undefined ? [] : [entry.unread === "set" ? "Answer unread" : "Answer seen"]),
        ...(entry.unheard === undefined ? [] : [UNHEARD_TEXTS[entry.unheard]]),
      ];
    case "ignored":
      return ["Says nothing that is kept"];
    case "rejected":
      return [printable(entry.reason)];
    default:
      return entry satisfies never;
  }
}

const UNHEARD_TEXTS: Readonly<Record<Unheard, string>> = {
  "side-run": "Left out: a run beside the open session",
  "told-by-plugin": "Left out: the plugin tells it",
};

const WAIT_TEXTS: Readonly<Record<WaitKind, string>> = {
  permission: "permission",
  question: "question",
  plan: "plan",
  input: "input",
};

function waitText({ kind, message, subagent }: WaitLine): string {
  const what = message === undefined ? WAIT_TEXTS[kind] : printable(message);
  return subagent === undefined ? what : `${what} (subagent ${printable(subagent)})`;
}
