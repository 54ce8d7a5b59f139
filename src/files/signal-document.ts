import * as z from "zod";
import type { SignalDocument, SignalEvent, SignalSession } from "../session/signal-document";
import { isDeeper } from "./nesting";
import { byId, moment, optional, reasonOf, record, signal } from "./signal-field";
import { quota } from "./signal-quota";
import { sortKeys } from "./sorted-keys";
import { wholeSecondIsoOf } from "./timestamp";

export {
  EMPTY_SIGNAL_DOCUMENT,
  type SignalDocument,
  type SignalEvent,
  type SignalSession,
} from "../session/signal-document";

/** No document is nested deeper. */
const DEPTH = 500;

/** The document version Agent Signal writes. */
export const SIGNAL_DOCUMENT_VERSION = 1;

/** What the document's text gave. Any error in any record makes the whole of it stale, as in the original. */
export type DecodedSignalDocument =
  { outcome: "document"; document: SignalDocument } | { outcome: "stale"; field?: string; reason: string };

const sessionRecord = record({
  agent: optional(z.string()),
  signal,
  last_event: optional(z.string()),
  updated_at: moment,
  quota: z
    .unknown()
    .optional()
    .superRefine((value, context) => {
      const issue = optional(quota).safeParse(value).error?.issues[0];
      if (issue !== undefined) context.addIssue({ code: "custom", message: reasonOf(issue), path: [...issue.path] });
    }),
}).transform(({ fields: { agent, signal, last_event, updated_at, quota }, extra }) => {
  const session: SignalSession = { signal, updatedAt: updated_at, extra };
  if (agent !== undefined) session.agent = agent;
  if (last_event !== undefined) session.lastEvent = last_event;
  if (quota !== undefined && quota !== null) session.quota = quota;
  return session;
});

const eventRecord = record({
  id: z.string(),
  session_id: z.string(),
  agent: optional(z.string()),
  signal,
  event: optional(z.string()),
  updated_at: moment,
}).transform(({ fields: { id, session_id, agent, signal, event, updated_at }, extra }) => {
  const entry: SignalEvent = { id, sessionId: session_id, signal, updatedAt: updated_at, extra };
  if (agent !== undefined) entry.agent = agent;
  if (event !== undefined) entry.event = event;
  return entry;
});

const documentRecord = record({
  schema_version: optional(z.int()),
  aggregate: optional(signal),
  updated_at: optional(moment),
  sessions: optional(byId(sessionRecord)),
  events: optional(z.array(eventRecord)),
}).transform(({ fields: { schema_version, aggregate, updated_at, sessions, events }, extra }) => {
  const document: SignalDocument = { sessions: sessions ?? new Map(), events: events ?? [], extra };
  if (schema_version !== undefined) document.schemaVersion = schema_version;
  if (aggregate !== undefined) document.aggregate = aggregate;
  if (updated_at !== undefined) document.updatedAt = updated_at;
  return document;
});

/** Reads the document's text. Missing `schema_version`, `sessions` and `events` are filled in; dates are ISO or seconds. */
export function decodeSignalDocument(text: string): DecodedSignalDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { outcome: "stale", reason: `is not JSON (${error instanceof Error ? error.message : error})` };
  }
  // What is kept of others' keys is written again, with its keys in order.
  if (isDeeper(value, DEPTH)) return { outcome: "stale", reason: "is nested too deeply" };
  const parsed = documentRecord.safeParse(value);
  if (parsed.success) return { outcome: "document", document: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  if (issue === undefined || field === "") return { outcome: "stale", reason: "is not a JSON object" };
  return { outcome: "stale", field, reason: reasonOf(issue) };
}

/**
 * The document's text: sorted keys, two spaces, dates in whole seconds (a fraction is dropped, as in the original),
 * absent fields left out, extra ones kept.
 */
export function encodeSignalDocument(document: SignalDocument): string {
  const value = {
    ...document.extra,
    schema_version: document.schemaVersion ?? SIGNAL_DOCUMENT_VERSION,
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
