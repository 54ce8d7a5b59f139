import type { Seconds } from "./report";

/** How long a session's record counts after it was set. */
export interface SignalTtl {
  session: Seconds;
  /** The shorter one, of `done`, `tool_done` and `subagent_stop`. */
  completed: Seconds;
}

/** The user's settings that decide how a signal document changes. */
export interface SignalRules {
  ttl: SignalTtl;
  /** How many events the history keeps, at least 1. */
  eventLimit: number;
}
