import type { CacheTtl } from "./cache";
import type { Identity } from "./identity";
import type { Seconds, SessionReport } from "./report";
import type { RequestOutcome } from "./request";
import type { State } from "./state";

/**
 * Where evidence of a session comes from, the richest first: the events agents report to us, AItention's status
 * directory as others write it, Agent Signal's document as others write it, the agent's own registry of what runs, and
 * the transcript the agent writes.
 */
export const SOURCES = ["events", "status", "signal", "registry", "transcript"] as const;

export type Source = (typeof SOURCES)[number];

/**
 * What a source's word counts for: it gives the state (`stands`, or `overrules` where it took the place of another's), it
 * agrees with it, it was overruled, or it adds what no state is.
 */
export type Verdict = "stands" | "agrees" | "overrules" | "overruled" | "adds";

/** What one source says of a session, and how fresh that is. */
export interface Evidence {
  source: Source;
  /** The file it stands in. */
  file: string;
  /** The state it tells; `unknown` where it tells none. */
  state: State;
  verdict: Verdict;
  /** Why, in a sentence; absent where it simply stands. */
  why?: string;
  /** When the source last heard of the session. */
  at: Seconds;
  /** The event it heard last. */
  event?: string;
  /** Since when the file could not be read; then this is the last good row, not the present one. */
  unreadableSince?: Seconds;
}

/** One row: a session as it is shown, merged from every source that knows it. */
export interface Session extends Identity, Omit<SessionReport, "state" | "agent" | "sessionId" | "surface" | "writer"> {
  /** `agent:session_id`, unique in a snapshot. */
  id: string;
  /** The derived state. */
  state: State;
  unread: boolean;
  needsYou: boolean;
  title: string;
  /** The name of the folder it works in. */
  project?: string;
  subagents: number;
  /** Whether its process runs, as far as one is known for certain. */
  liveness?: "running" | "gone" | "unknown";
  /** How long its context is kept after an answer, and who says so. */
  cacheTtl?: CacheTtl;
  /** What to call the configuration folder it runs with, else the status directory that tells of it; absent for usual ones. */
  configLabel?: string;
  /** Our plugin runs in it, with the pickup phrase and the memory file of the session where they are known. */
  plugin?: { pickup?: string; file?: string };
  /** The last request to it, while its outcome is news. */
  request?: RequestOutcome;
  /** Other rows of the same process, by id: a conversation before /clear, one that was left for another. */
  sameProcess?: readonly string[];
  /** The sources that know it, in a fixed order. */
  sources: Source[];
  evidence: Evidence[];
  /** Since when its file could not be read: the row is the last good one. */
  unreadableSince?: Seconds;
}
