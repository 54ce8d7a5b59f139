import type { Problem } from "../files/problem";
import type { SignalEvent } from "../files/signal-document";
import type { Aggregate } from "../session/aggregate";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";

/** Everything there is to show at one moment: the sessions in the order of a list, their aggregate, and what is wrong. */
export interface Snapshot {
  /** When it was taken. */
  at: Seconds;
  sessions: Session[];
  aggregate: Aggregate;
  problems: Problem[];
  /** Agent Signal's document beside its sessions. */
  signal: { stateFile: string; updatedAt?: Seconds; events: readonly SignalEvent[] };
  /** Which sources are there at all: none means that nothing reports yet. */
  found: { events: boolean; statusDirectory: boolean; signalStateFile: boolean; registry: boolean };
}

/** Whether sessions are known by their agents' registries alone: what they want and answered is not told. */
export function isUnreported({ sessions, found }: Pick<Snapshot, "sessions" | "found">): boolean {
  return sessions.length > 0 && !found.events && !found.statusDirectory && !found.signalStateFile;
}
