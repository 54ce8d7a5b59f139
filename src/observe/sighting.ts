import type { Seconds, SessionReport } from "../session/report";
import type { Source } from "../session/session";

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
