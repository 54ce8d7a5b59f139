import type { Seconds, SessionReport } from "../session/report";
import type { Evidence, Source, Verdict } from "../session/session";

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

/** A sighting with what it counted for beside the others: the evidence of a row. */
export type Judged = Evidence;

/** A sighting as evidence. */
export function judged(
  { source, file, report, at, unreadableSince }: Sighting,
  verdict: Verdict,
  why?: string,
): Judged {
  return { source, file, state: report.state, verdict, why, at, event: report.event, unreadableSince };
}
