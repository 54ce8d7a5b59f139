import type { Event, EventFacts } from "../session/event";
import { given } from "../session/given";

/** What happened, without the facts that every event has. */
export type Happening = Event extends infer E ? (E extends Event ? Omit<E, keyof EventFacts> : never) : never;

/** The facts of an event, without what happened. */
export function factsOf(event: Event): EventFacts {
  const { at, name, agentId, cwd, permissionMode, title, pid, headless, surface } = event;
  return {
    at,
    name,
    ...given("agentId", agentId),
    ...given("cwd", cwd),
    ...given("permissionMode", permissionMode),
    ...given("title", title),
    ...given("pid", pid),
    ...given("headless", headless),
    ...given("surface", surface),
  };
}
