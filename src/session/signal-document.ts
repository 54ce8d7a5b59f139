import type { Seconds } from "./report";
import type { Signal } from "./signal";

/** Keys of a record that we do not know; they are kept for the next write. */
export type UnknownKeys = Readonly<Record<string, unknown>>;

/** What the document says of one session. `quota` is the Codex desktop reader's, passed on as it is. */
export interface SignalSession {
  agent?: string;
  signal: Signal;
  lastEvent?: string;
  updatedAt: Seconds;
  quota?: unknown;
  extra: UnknownKeys;
}

/** One entry of the document's history. */
export interface SignalEvent {
  id: string;
  sessionId: string;
  agent?: string;
  signal: Signal;
  event?: string;
  updatedAt: Seconds;
  extra: UnknownKeys;
}

/** Agent Signal's state document (seed "State Schema", version 1). Events stand oldest first. */
export interface SignalDocument {
  /** The version the file carried; absent means the one we write. */
  schemaVersion?: number;
  /** The stored verdict: counts only while there is no session. */
  aggregate?: Signal;
  updatedAt?: Seconds;
  sessions: ReadonlyMap<string, SignalSession>;
  events: readonly SignalEvent[];
  extra: UnknownKeys;
}

/** The document that counts when there is no file: no session, no aggregate. */
export const EMPTY_SIGNAL_DOCUMENT: SignalDocument = { sessions: new Map(), events: [], extra: {} };

/** The document that counts when the file is damaged or cannot be read: nothing in it is trusted. */
export function untrustedSignalDocument(now: Seconds): SignalDocument {
  return { ...EMPTY_SIGNAL_DOCUMENT, aggregate: "stale", updatedAt: now };
}
