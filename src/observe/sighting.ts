import type { Seconds, SessionReport } from "../session/report";
import type { Source, Verdict } from "../session/session";

/** What one source says of one session right now. */
export interface Sighting {
  source: Source;
  /** The file it stands in. */
  file: string;
  report: SessionReport;
  /** When the source last heard of the session. */
  at: Seconds;
  /** Since when the file could not be read: an earlier version speaks. */
  unreadableSince?: Seconds;
}

/** A sighting with what it counted for beside the others. */
export interface Judged extends Sighting {
  verdict: Verdict;
  /** Why, in a sentence. */
  why?: string;
}
