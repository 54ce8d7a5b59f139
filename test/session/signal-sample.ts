import type { Signal } from "../../src/session/signal";
import type { SignalDocument, SignalSession } from "../../src/session/signal-document";

/** A moment to count from, in whole seconds. */
export const T = 1_780_000_000;

/** A document with these sessions: id to signal and date. */
export function documentOf(
  sessions: Record<string, readonly [signal: Signal, updatedAt: number, more?: Partial<SignalSession>]>,
  more: Partial<SignalDocument> = {},
): SignalDocument {
  const records = Object.entries(sessions).map(([id, [signal, updatedAt, extra]]): [string, SignalSession] => [
    id,
    { signal, updatedAt, extra: {}, ...extra },
  ]);
  return { events: [], extra: {}, ...more, sessions: new Map(records) };
}
