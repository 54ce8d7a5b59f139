import type { Seconds, SessionReport } from "./report";

/** What the reader has noted of one session. */
export interface ReadMark {
  /** The user saw every answer finished by then. */
  readUntil?: Seconds;
  /** The user asked to keep the answer that was finished then as unread. */
  keptUnread?: Seconds;
}

/** The reader's notes: one baseline, the time of first use (nothing older is unread), and a mark a session. */
export interface ReadMarks {
  baseline: Seconds;
  sessions: Readonly<Record<string, ReadMark>>;
}

/**
 * Until when the user has seen the session's answers: the later of its mark and the baseline, and a prompt the user
 * wrote into it. A report that is not ours tells only that a turn began; then that counts as the user's
 * (facts of the status directory: a later UserPromptSubmit counts as read).
 */
export function seenUntil(
  report: Pick<SessionReport, "userPromptAt" | "turnStartedAt" | "writer">,
  mark: ReadMark | undefined,
  baseline: Seconds,
): Seconds {
  const wrote = report.userPromptAt ?? (report.writer === undefined ? report.turnStartedAt : undefined);
  return Math.max(baseline, mark?.readUntil ?? -Infinity, wrote ?? -Infinity);
}

/** Whether the last finished answer is still unread: `done_at` after what was seen. It outlives the session. */
export function isUnread(
  report: Pick<SessionReport, "doneAt" | "userPromptAt" | "turnStartedAt" | "writer">,
  mark: ReadMark | undefined,
  baseline: Seconds,
): boolean {
  if (report.doneAt === undefined) return false;
  if (mark?.keptUnread === report.doneAt) return seenUntil(report, undefined, -Infinity) < report.doneAt;
  return report.doneAt > seenUntil(report, mark, baseline);
}
