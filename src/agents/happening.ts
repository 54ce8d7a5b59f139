import type { Event, EventFacts } from "../session/event";

/** What happened, without the facts that every event has. */
export type Happening = Event extends infer E ? (E extends Event ? Omit<E, keyof EventFacts> : never) : never;
