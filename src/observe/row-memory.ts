import { FAILED_BACKGROUND_SHOWN, WAKEUP_GRACE } from "../session/derive";
import { sessionKey } from "../session/identity";
import type { Seconds, SessionReport } from "../session/report";
import type { ReadMark } from "../session/seen";
import type { Session, Source } from "../session/session";
import { compareSessions, sortSessions } from "../session/sort";
import type { Liveness } from "../store/process-table";
import type { ReportRow } from "../store/report-directory";
import { mergeSightings } from "./merge";
import { sessionRow, type RowCircumstances } from "./session-row";
import type { Sighting } from "./sighting";

/** A source with a file a session. */
export interface Table {
  source: Source;
  files: readonly ReportRow[];
}

interface Remembered {
  unreadableSince: Seconds | undefined;
  mark: ReadMark | undefined;
  baseline: Seconds;
  liveness: Liveness;
  /** Until when time alone changes nothing. */
  until: Seconds;
  row: Session;
}

/**
 * The rows of the last snapshot. After one change among thousands of sessions only that row is built anew and put in
 * its place; the others are the same objects as before.
 */
export class RowMemory {
  private readonly remembered = new WeakMap<SessionReport, Remembered>();
  private order: Session[] = [];

  /**
   * The rows of what the sources say now, in the order of a list.
   *
   * @param tables the sources with a file a session; within one, each file is a session of its own
   * @param others what every other source says
   */
  rows(tables: readonly Table[], others: readonly Sighting[], circumstances: RowCircumstances): Session[] {
    const shared = sharedIds(tables, others);
    const together: Sighting[] = [...others];
    const rows = new Set<Session>();
    for (const { source, files } of tables) {
      for (const file of files) {
        const { report } = file;
        if (report === undefined) continue;
        if (shared.has(report.sessionId)) together.push(sightingOf(source, file, report));
        else rows.add(this.recall(source, file, report, circumstances));
      }
    }
    for (const merged of mergeSightings(together)) {
      const { now, marks, processes } = circumstances;
      rows.add(sessionRow(merged, { now, marks, gone: livenessOf(merged.report, processes) === "gone" }));
    }
    this.order = ordered(this.order, rows);
    return this.order;
  }

  private recall(
    source: Source,
    file: ReportRow,
    report: SessionReport,
    { now, marks, processes }: RowCircumstances,
  ): Session {
    const mark = marks.sessions[sessionKey(report)];
    const liveness = livenessOf(report, processes);
    const before = this.remembered.get(report);
    if (
      before !== undefined &&
      before.unreadableSince === file.unreadableSince &&
      before.mark === mark &&
      before.baseline === marks.baseline &&
      before.liveness === liveness &&
      now < before.until
    ) {
      return before.row;
    }
    const row = sessionRow(
      { report, sightings: [sightingOf(source, file, report)] },
      { now, marks, gone: liveness === "gone" },
    );
    const { baseline } = marks;
    const { unreadableSince } = file;
    this.remembered.set(report, { unreadableSince, mark, baseline, liveness, until: untilOf(report, now), row });
    return row;
  }
}

/** Ids that more than one source knows: those sessions are merged. */
function sharedIds(tables: readonly Table[], others: readonly Sighting[]): Set<string> {
  const shared = new Set(others.map(({ report }) => report.sessionId));
  const [first, ...rest] = tables.filter(({ files }) => files.length > 0);
  if (first === undefined || rest.length === 0) return shared;
  const ids = new Set<string>();
  for (const { report } of first.files) if (report !== undefined) ids.add(report.sessionId);
  for (const { files } of rest) {
    for (const { report } of files) {
      if (report === undefined) continue;
      if (ids.has(report.sessionId)) shared.add(report.sessionId);
      else ids.add(report.sessionId);
    }
  }
  return shared;
}

function sightingOf(source: Source, { file, unreadableSince }: ReportRow, report: SessionReport): Sighting {
  return { source, file, report, at: report.eventAt ?? report.since, unreadableSince };
}

function livenessOf({ process, state }: SessionReport, processes: RowCircumstances["processes"]): Liveness {
  return process === undefined || state === "dormant" ? "unknown" : processes.look(process);
}

/** When time alone changes a row next: its wake-up is overdue, or a failed command was shown long enough. */
function untilOf({ wakeupAt, background }: SessionReport, now: Seconds): Seconds {
  let until = Infinity;
  const consider = (moment: Seconds) => {
    if (moment >= now) until = Math.min(until, moment);
  };
  if (wakeupAt !== undefined) consider(wakeupAt + WAKEUP_GRACE);
  for (const id in background) {
    const failedAt = background[id]?.failedAt;
    if (failedAt !== undefined) consider(failedAt + FAILED_BACKGROUND_SHOWN);
  }
  return until;
}

/** The rows in order, from the order there was: what is new is inserted, unless that is much. */
function ordered(before: Session[], rows: ReadonlySet<Session>): Session[] {
  const kept = before.filter((row) => rows.has(row));
  if (kept.length === rows.size) return kept.length === before.length ? before : kept;
  const known = new Set(kept);
  const added = Array.from(rows).filter((row) => !known.has(row));
  if (added.length > 1 + rows.size / 20) return sortSessions(Array.from(rows));
  for (const row of added) kept.splice(placeOf(row, kept), 0, row);
  return kept;
}

function placeOf(row: Session, sorted: readonly Session[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && compareSessions(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
