import type { Seconds } from "./report";
import type { SignalDocument } from "./signal-document";
import { compactEvents } from "./signal-events";
import { prune } from "./signal-prune";
import type { SignalRules } from "./signal-rules";

/**
 * What reading makes of a document (Agent Signal's `status`): pruned, its history compacted, its aggregate concluded.
 *
 * @returns the document to show; `changed` when the file should follow, then `updatedAt` is now
 */
export function settle(
  document: SignalDocument,
  now: Seconds,
  { ttl, eventLimit }: SignalRules,
): { changed: boolean; document: SignalDocument } {
  const pruned = prune(document, now, ttl);
  const events = compactEvents(document.events, eventLimit);
  const changed =
    pruned.sessions !== document.sessions ||
    pruned.aggregate !== document.aggregate ||
    // Compacting only ever removes.
    events.length !== document.events.length;
  return changed ? { changed, document: { ...pruned, events, updatedAt: now } } : { changed, document };
}
