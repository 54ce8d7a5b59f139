import * as z from "zod";
import { sessionKey } from "../session/identity";
import type { Seconds } from "../session/report";
import { DELIVERY_WAYS, OUTCOMES, REQUEST_KINDS } from "../session/request";
import { SECTIONS, sectionOf, type Section } from "../session/section";
import type { Session } from "../session/session";
import { needsYou, STATES, WAIT_KINDS } from "../session/state";
import { isMoment } from "./timestamp";

/** Raised whenever the shape of what is kept changes: what another version kept is not read. */
const VERSION = 1;

/** So many rows are kept, in the order of the list: more than a window shows before the present ones are there. */
export const ROWS_KEPT = 100;

/** No more is kept than this, in characters of JSON: reading it has to cost less than looking at the sources. */
const CHARACTERS_KEPT = 256 * 1024;

/** There are some ten agents; a filter with more names than this is none. */
const AGENTS_KEPT = 64;

/** What a list showed last: its first rows, and what stands beside them. */
export interface LastList {
  /** When its snapshot was taken. */
  at: Seconds;
  /**
   * The first rows, without what only acts on a session or tells where it is known from: a process, a terminal, evidence.
   * So nothing that needs a process can be asked of such a row.
   */
  sessions: Session[];
  /** How many sessions each section had in all. */
  counts: Readonly<Partial<Record<Section, number>>>;
  /** The agents there were to filter by. */
  agents: readonly string[];
}

const moment = z.number().refine(isMoment, "is not a time in seconds since 1970");
// A window is made of it at once: half a character would end that.
const text = z.string().refine((each) => each.isWellFormed(), "is not well-formed text");
const agent = text.min(1);

const row = z.object({
  agent,
  sessionId: text.min(1),
  surface: text.optional(),
  state: z.enum(STATES),
  since: moment,
  unread: z.boolean(),
  title: text.min(1),
  project: text.optional(),
  cwd: text.optional(),
  message: text.optional(),
  waitingFor: z.enum(WAIT_KINDS).optional(),
  tool: text.optional(),
  activity: text.optional(),
  permissionMode: text.optional(),
  turnStartedAt: moment.optional(),
  doneAt: moment.optional(),
  wakeupAt: moment.optional(),
  subagents: z.int().nonnegative(),
  background: z
    .record(
      text,
      z.object({
        at: moment.optional(),
        command: text.optional(),
        status: text.optional(),
        exitCode: z.int().optional(),
        failedAt: moment.optional(),
      }),
    )
    .optional(),
  monitors: z.record(text, z.object({ text, at: moment.optional() })).optional(),
  headless: z.boolean().optional(),
  live: z
    .object({
      status: z.enum(["idle", "busy", "waiting", "shell"]).optional(),
      name: text.optional(),
      kind: z.enum(["interactive", "background"]).optional(),
      version: text.optional(),
    })
    .optional(),
  context: z
    .object({
      tokens: z.number().nonnegative().optional(),
      window: z.number().positive().optional(),
      model: text.optional(),
      lastAnswerAt: moment.optional(),
      isGone: z.boolean().optional(),
    })
    .optional(),
  cacheTtl: z.object({ ttl: z.number().positive(), ttlFrom: z.enum(["preference", "session", "assumed"]) }).optional(),
  configLabel: text.optional(),
  configDirectory: text.optional(),
  plugin: z.object({ pickup: text.optional(), file: text.optional() }).optional(),
  request: z
    .object({
      id: text,
      kind: z.enum(REQUEST_KINDS),
      by: z.enum(DELIVERY_WAYS).optional(),
      steps: z
        .array(
          z.object({
            outcome: z.enum(OUTCOMES),
            at: moment,
            reason: text.optional(),
            proof: z.object({ file: text, lines: z.int().nonnegative() }).optional(),
          }),
        )
        .min(1),
    })
    .optional(),
  sameProcess: z.array(text).optional(),
  unreadableSince: moment.optional(),
});

type Row = z.infer<typeof row>;

const schema = z.object({
  version: z.literal(VERSION),
  subject: text,
  at: moment,
  counts: z.partialRecord(z.enum(SECTIONS), z.int().nonnegative()),
  agents: z.array(agent),
  rows: z.array(row).max(ROWS_KEPT),
});

/**
 * Reads what was kept; undefined for anything else: damaged, of another version, or of other sources. Nothing in it is
 * believed unseen: it is a file like any other.
 *
 * @param subject what it has to be of
 */
export function decodeLastList(source: string, subject: string): LastList | undefined {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success || parsed.data.subject !== subject) return undefined;
  const { at, counts, agents, rows } = parsed.data;
  const sessions = rows.map(sessionOf);
  // Two rows of one id are none that a launcher could tell apart.
  if (new Set(sessions.map(({ id }) => id)).size < sessions.length) return undefined;
  return { at, sessions, counts, agents };
}

function sessionOf(kept: Row): Session {
  return { ...kept, id: sessionKey(kept), needsYou: needsYou(kept.state), sources: [], evidence: [] };
}

/**
 * What is kept of a list, as a text: the first rows, as many as there is room for. When it was taken stands before all else.
 *
 * @param subject what the list is of
 * @param agents further agents to filter by, beside those of the sessions, the most needed first
 */
export function encodeLastList(
  { at, sessions }: { at: Seconds; sessions: readonly Session[] },
  subject: string,
  agents: readonly string[] = [],
): string {
  const counts: Partial<Record<Section, number>> = {};
  for (const session of sessions) counts[sectionOf(session)] = (counts[sectionOf(session)] ?? 0) + 1;
  const known = Array.from(new Set([...sessions.map((session) => session.agent), ...agents])).slice(0, AGENTS_KEPT);
  const rows: Row[] = [];
  let room = CHARACTERS_KEPT;
  for (const session of sessions.slice(0, ROWS_KEPT)) {
    // With another id it would be another session.
    if (!session.id.isWellFormed()) continue;
    const kept = rowOf(session);
    room -= JSON.stringify(kept).length;
    // Not the next one in its place: it would stand where it is not.
    if (room < 0) break;
    rows.push(kept);
  }
  const list = { version: VERSION, at, subject, counts, agents: known.sort(), rows };
  return JSON.stringify(list, (_name, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
}

function rowOf(session: Session): Row {
  const { agent: name, sessionId, surface, state, since, unread, title, project, cwd, message, waitingFor } = session;
  const { tool, activity, permissionMode, turnStartedAt, doneAt, wakeupAt, subagents, background, monitors } = session;
  const { headless, configLabel, configDirectory, cacheTtl, plugin, unreadableSince } = session;
  const { live, context, request, sameProcess } = session;
  return {
    ...{ agent: name, sessionId, surface, state, since, unread, title, project, cwd, message, waitingFor },
    ...{ tool, activity, permissionMode, turnStartedAt, doneAt, wakeupAt, subagents },
    ...{ headless, configLabel, configDirectory, cacheTtl, plugin, unreadableSince },
    ...(background === undefined ? {} : { background: wellNamed(background) }),
    ...(monitors === undefined ? {} : { monitors: wellNamed(monitors) }),
    ...(live === undefined
      ? {}
      : { live: { status: live.status, name: live.name, kind: live.kind, version: live.version } }),
    ...(context === undefined ? {} : { context }),
    ...(request === undefined ? {} : { request: { ...request, steps: [...request.steps] } }),
    ...(sameProcess === undefined ? {} : { sameProcess: [...sameProcess] }),
  };
}

function wellNamed<T>(things: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(things).map(([name, thing]) => [name.toWellFormed(), thing]));
}
