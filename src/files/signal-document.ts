import * as z from "zod";
import { isSignal, type Signal } from "../session/signal";
import { isMoment, secondsOfIso, wholeSecondIsoOf } from "./timestamp";

/** The document version Agent Signal writes. */
export const SIGNAL_DOCUMENT_VERSION = 1;

/** The document holds at most some 50 events; anything larger than this is not one. */
export const SIGNAL_DOCUMENT_LIMIT = 16 * 1024 * 1024;

/** What we do not know of a record, kept for the next write. */
type Extra = Readonly<Record<string, unknown>>;

/** One session's record. `quota` is the Codex desktop reader's, passed on as it is. */
export interface SignalSession {
  agent?: string;
  signal: Signal;
  lastEvent?: string;
  /** Seconds since 1970. */
  updatedAt: number;
  quota?: unknown;
  extra: Extra;
}

export interface SignalEvent {
  id: string;
  sessionId: string;
  agent?: string;
  signal: Signal;
  event?: string;
  updatedAt: number;
  extra: Extra;
}

/** Agent Signal's state document (seed "State Schema", version 1). Events stand oldest first. */
export interface SignalDocument {
  aggregate?: Signal;
  updatedAt?: number;
  sessions: ReadonlyMap<string, SignalSession>;
  events: readonly SignalEvent[];
  extra: Extra;
}

/** What the document's text gave. Any error in any record makes the whole of it stale, as in the original. */
export type DecodedSignalDocument =
  { outcome: "document"; document: SignalDocument } | { outcome: "stale"; field?: string; reason: string };

/** The document that counts when there is no file: no session, no aggregate. */
export const EMPTY_SIGNAL_DOCUMENT: SignalDocument = { sessions: new Map(), events: [], extra: {} };

const moment = z.union([z.string(), z.number()], "is not a date").transform((value, context) => {
  const seconds = typeof value === "number" ? value : secondsOfIso(value);
  if (seconds !== undefined && isMoment(seconds)) return seconds;
  context.addIssue({ code: "custom", message: "is not an ISO 8601 date or a number of seconds" });
  return z.NEVER;
});

const signal = z.string().refine(isSignal, "is not a signal");

/** Swift decodes an absent optional and a null alike. */
function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const sessionRecord = z.looseObject({
  agent: optional(z.string()),
  signal,
  last_event: optional(z.string()),
  updated_at: moment,
});

const eventRecord = z.looseObject({
  id: z.string(),
  session_id: z.string(),
  agent: optional(z.string()),
  signal,
  event: optional(z.string()),
  updated_at: moment,
});

const document = z.looseObject({
  schema_version: optional(z.int()),
  aggregate: optional(signal),
  updated_at: optional(moment),
  sessions: optional(z.record(z.string(), sessionRecord)),
  events: optional(z.array(eventRecord)),
});

/** Reads the document's text. Missing `schema_version`, `sessions` and `events` are filled in; dates are ISO or seconds. */
export function decodeSignalDocument(text: string): DecodedSignalDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { outcome: "stale", reason: `is not JSON (${error instanceof Error ? error.message : error})` };
  }
  const parsed = document.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join(".") ?? "";
    const reason =
      issue?.code === "invalid_type" ? `is missing or not a ${issue.expected}` : (issue?.message ?? "is not valid");
    return field === "" ? { outcome: "stale", reason: "is not a JSON object" } : { outcome: "stale", field, reason };
  }
  const { aggregate, updated_at, sessions, events, ...extra } = parsed.data;
  delete extra.schema_version;
  return {
    outcome: "document",
    document: {
      ...(aggregate === undefined ? {} : { aggregate }),
      ...(updated_at === undefined ? {} : { updatedAt: updated_at }),
      sessions: new Map(Object.entries(sessions ?? {}).map(([id, record]) => [id, sessionOf(record)])),
      events: (events ?? []).map(eventOf),
      extra,
    },
  };
}

function sessionOf({ agent, signal, last_event, updated_at, quota, ...extra }: z.infer<typeof sessionRecord>) {
  const session: SignalSession = { signal, updatedAt: updated_at, extra };
  if (agent !== undefined) session.agent = agent;
  if (last_event !== undefined) session.lastEvent = last_event;
  if (quota !== undefined && quota !== null) session.quota = quota;
  return session;
}

function eventOf({ id, session_id, agent, signal, event, updated_at, ...extra }: z.infer<typeof eventRecord>) {
  const record: SignalEvent = { id, sessionId: session_id, signal, updatedAt: updated_at, extra };
  if (agent !== undefined) record.agent = agent;
  if (event !== undefined) record.event = event;
  return record;
}

/** The document's text: sorted keys, two spaces, dates in whole seconds, absent fields left out, extra ones kept. */
export function encodeSignalDocument(document: SignalDocument): string {
  const value = {
    ...document.extra,
    schema_version: SIGNAL_DOCUMENT_VERSION,
    aggregate: document.aggregate,
    updated_at: document.updatedAt === undefined ? undefined : wholeSecondIsoOf(document.updatedAt),
    sessions: Object.fromEntries(
      Array.from(document.sessions, ([id, session]) => [
        id,
        {
          ...session.extra,
          agent: session.agent,
          signal: session.signal,
          last_event: session.lastEvent,
          updated_at: wholeSecondIsoOf(session.updatedAt),
          quota: session.quota,
        },
      ]),
    ),
    events: document.events.map((event) => ({
      ...event.extra,
      id: event.id,
      session_id: event.sessionId,
      agent: event.agent,
      signal: event.signal,
      event: event.event,
      updated_at: wholeSecondIsoOf(event.updatedAt),
    })),
  };
  return `${JSON.stringify(sortKeys(value), null, 2)}\n`;
}

/** The same value with the keys of every object in it sorted, for a stable text. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}
