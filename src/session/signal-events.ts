import type { Seconds } from "./report";
import type { SignalEvent } from "./signal-document";

/** Two equal events this close are one event that was reported twice. */
const SAME_WITHIN: Seconds = 4;

/** An event that is about to be logged. */
export interface NewSignalEvent extends Omit<SignalEvent, "id" | "extra"> {
  /** The id of the history's entry, unique (a UUID in upper case). */
  eventId: string;
}

/**
 * The history with one more event, at most `limit` long, oldest first. An equal event of the last seconds is replaced
 * by the new one (Agent Signal's event history).
 */
export function appendEvent(events: readonly SignalEvent[], added: NewSignalEvent, limit: number): SignalEvent[] {
  const history = new History(events);
  history.replaceEqual(entryOf(added));
  return compactEvents(history.events(), limit);
}

function entryOf({ eventId, sessionId, agent, signal, event, updatedAt }: NewSignalEvent): SignalEvent {
  const entry: SignalEvent = { id: eventId, sessionId, signal, updatedAt, extra: {} };
  if (agent !== undefined) entry.agent = agent;
  if (event !== undefined) entry.event = event;
  return entry;
}

/** The history without repetitions, cut to its newest `limit` events. */
export function compactEvents(events: readonly SignalEvent[], limit: number): SignalEvent[] {
  const history = new History([]);
  for (const event of events) history.replaceEqual(event);
  return history.events().slice(-limit);
}

/** Events in order, found again by what makes them equal. */
class History {
  private readonly entries: (SignalEvent | undefined)[] = [];
  private readonly places = new Map<string, number[]>();

  constructor(events: readonly SignalEvent[]) {
    for (const event of events) this.push(event);
  }

  /** Adds an event at the end, in place of the last equal one nearby, if there is one. */
  replaceEqual(event: SignalEvent): void {
    const places = this.places.get(keyOf(event)) ?? [];
    const nearby = places.findLastIndex((place) => {
      const earlier = this.entries[place];
      return earlier !== undefined && Math.abs(earlier.updatedAt - event.updatedAt) <= SAME_WITHIN;
    });
    const [replaced] = nearby === -1 ? [] : places.splice(nearby, 1);
    if (replaced !== undefined) this.entries[replaced] = undefined;
    this.push(event);
  }

  events(): SignalEvent[] {
    return this.entries.filter((event) => event !== undefined);
  }

  private push(event: SignalEvent): void {
    const key = keyOf(event);
    const places = this.places.get(key);
    const place = this.entries.push(event) - 1;
    if (places === undefined) this.places.set(key, [place]);
    else places.push(place);
  }
}

/** Events with the same key are the same but for their time. Unlike the original's text, no id can imitate another. */
function keyOf({ sessionId, agent, signal, event }: SignalEvent): string {
  return JSON.stringify([
    sessionId,
    agent === undefined ? "" : plain(agent),
    signal,
    event === undefined ? signal : plain(event),
  ]);
}

function plain(name: string): string {
  return name.trim().toLowerCase().replace(/[_ ]/g, "-");
}
