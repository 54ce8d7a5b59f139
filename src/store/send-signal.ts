import { applySessionSignal, type SessionSignal } from "../session/signal-apply";
import type { SignalDocument } from "../session/signal-document";
import { applyManualSignal, type ManualSignal } from "../session/signal-manual";
import { changeSignals, type SignalPlace } from "./signal-store";

/**
 * Sets a signal by hand.
 *
 * @returns the document to show
 * @throws SessionsError when the document cannot be locked or written
 */
export function sendManualSignal(place: SignalPlace, sent: ManualSignal): SignalDocument {
  return changeSignals(place, (document, now) => ({
    outcome: "changed",
    document: applyManualSignal(document, sent, now, place.rules),
  }));
}

/**
 * Sends a session's signal. Its date is taken before the lock is asked for, so that of two that wait the later one
 * counts, whichever is first at the lock.
 *
 * @returns the document to show
 * @throws SessionsError when the document cannot be locked or written
 */
export function sendSessionSignal(place: SignalPlace, sent: Omit<SessionSignal, "date">): SignalDocument {
  const dated = { ...sent, date: place.now() };
  return changeSignals(place, (document, now) => applySessionSignal(document, dated, now, place.rules));
}
