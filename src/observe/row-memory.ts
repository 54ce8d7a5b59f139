import { FAILED_BACKGROUND_SHOWN, WAKEUP_GRACE } from "../session/derive";
import { sessionKey, UNNAMED_AGENT } from "../session/identity";
import type { AgentProcess, Seconds, SessionReport } from "../session/report";
import type { ReadMark } from "../session/seen";
import type { Session, Source } from "../session/session";
import { compareSessions, sortSessions } from "../session/sort";
import type { Liveness } from "../store/process-table";
import type { ReportRow } from "../store/report-directory";
import { aloneInRegistry, completed, type TranscriptSighting } from "./completed";
import { reportOfLive, SETTLING, type LiveSighting } from "./live-evidence";
import { alone, mergeSightings, type Merged } from "./merge";
import { sessionRow, type RowCircumstances } from "./session-row";
import type { Sighting } from "./sighting";

/** A source with a file a session. */
export interface Table {
  source: Source;
  files: readonly ReportRow[];
}

/** What the machine tells beside what was reported. */
export interface MachineEvidence {
  /** What the agents' registries have, by session. */
  live: ReadonlyMap<string, LiveSighting>;
  /** What a session's transcript tells, the same object as long as it does not change; of one that is over, what is at hand. */
  transcriptOf(report: SessionReport, isOver: boolean): TranscriptSighting | undefined;
  /** Whether an entry is no session of its own: a subagent, or a thread in which nothing was said yet. */
  isNoSession(live: LiveSighting): boolean;
  /** Whether an agent whose open sessions are all in its registry has none of this session any more. */
  hasLeft(report: SessionReport, now: Seconds): boolean;
}

/** What a row was made of; as long as it is the same, so is the row. */
interface Remembered {
  unreadableSince: Seconds | undefined;
  mark: ReadMark | undefined;
  baseline: Seconds;
  liveness: Liveness;
  live: LiveSighting["entry"] | undefined;
  liveUnreadableSince: Seconds | undefined;
  transcript: TranscriptSighting | undefined;
  /** Until when time alone changes nothing. */
  until: Seconds;
  row: Session;
}

/**
 * The rows of the last snapshot. After one change among thousands of sessions only that row is built anew and put in
 * its place; the others are the same objects as before.
 */
export class RowMemory {
  private readonly remembered = new WeakMap<object, Remembered>();
  private order: Session[] = [];

  /**
   * The rows of what the sources say now, in the order of a list.
   *
   * @param tables the sources with a file a session; within one, each file is a session of its own
   * @param others what every other source says
   * @param machine what registries and transcripts add
   */
  rows(
    tables: readonly Table[],
    others: readonly Sighting[],
    machine: MachineEvidence,
    circumstances: RowCircumstances,
  ): Session[] {
    const shared = sharedIds(tables, others);
    const together: Sighting[] = [...others];
    const rows = new Set<Session>();
    const met = new Set<string>();
    for (const { source, files } of tables) {
      for (const file of files) {
        const { report } = file;
        if (report === undefined) continue;
        if (shared.has(report.sessionId)) together.push(sightingOf(source, file, report));
        else rows.add(this.recall(source, file, report, machine, met, circumstances));
      }
    }
    for (const merged of mergeSightings(together)) rows.add(this.build(merged, machine, met, circumstances).row);
    for (const [key, live] of machine.live) {
      if (met.has(key) || isBeginning(live, circumstances.now) || machine.isNoSession(live)) continue;
      rows.add(this.recallLive(key, live, machine, circumstances));
    }
    this.order = ordered(this.order, rows);
    return this.order;
  }

  /** The row of a session that one table alone reports. */
  private recall(
    source: Source,
    file: ReportRow,
    report: SessionReport,
    machine: MachineEvidence,
    met: Set<string>,
    circumstances: RowCircumstances,
  ): Session {
    const key = sessionKey(report);
    met.add(key);
    const known = this.knownRow(
      report,
      key,
      machine.live.get(key),
      report,
      file.unreadableSince,
      machine,
      circumstances,
    );
    if ("row" in known) return known.row;
    const built = this.build(alone(sightingOf(source, file, report)), machine, met, circumstances, known.made);
    this.remembered.set(report, { ...known.made, until: built.until, row: built.row });
    return built.row;
  }

  /** The row of a session that only its registry knows. */
  private recallLive(
    key: string,
    live: LiveSighting,
    machine: MachineEvidence,
    circumstances: RowCircumstances,
  ): Session {
    const report = reportOfLive(live);
    const known = this.knownRow(live.entry, key, live, report, undefined, machine, circumstances);
    if ("row" in known) return known.row;
    const built = this.build(aloneInRegistry(live), machine, new Set(), circumstances, known.made);
    this.remembered.set(live.entry, { ...known.made, until: built.until, row: built.row });
    return built.row;
  }

  /** The remembered row, when nothing it was made of changed; else what it would be made of now. */
  private knownRow(
    subject: object,
    key: string,
    live: LiveSighting | undefined,
    report: SessionReport,
    unreadableSince: Seconds | undefined,
    machine: MachineEvidence,
    { now, marks, processes }: RowCircumstances,
  ): { row: Session } | { made: Omit<Remembered, "until" | "row"> } {
    const liveness = livenessOf(report, live, machine, processes, now);
    const made = {
      unreadableSince,
      mark: marks.sessions[key],
      baseline: marks.baseline,
      liveness,
      live: live?.entry,
      liveUnreadableSince: live?.unreadableSince,
      transcript: machine.transcriptOf(report, isOver(report, live, liveness)),
    };
    const before = this.remembered.get(subject);
    const isSame =
      before !== undefined &&
      before.unreadableSince === made.unreadableSince &&
      before.mark === made.mark &&
      before.baseline === made.baseline &&
      before.liveness === made.liveness &&
      before.live === made.live &&
      before.liveUnreadableSince === made.liveUnreadableSince &&
      before.transcript === made.transcript &&
      now < before.until;
    return isSame ? { row: before.row } : { made };
  }

  private build(
    merged: Merged,
    machine: MachineEvidence,
    met: Set<string>,
    { processes, ...circumstances }: RowCircumstances,
    made?: Pick<Remembered, "liveness" | "transcript">,
  ): { row: Session; until: Seconds } {
    const key = keyOf(merged.report, machine.live);
    met.add(key);
    const live = machine.live.get(key);
    if (live !== undefined && merged.report.agent === UNNAMED_AGENT) {
      merged = { ...merged, report: { ...merged.report, agent: live.entry.agent } };
    }
    const liveness = made?.liveness ?? livenessOf(merged.report, live, machine, processes, circumstances.now);
    const transcript =
      made === undefined ? machine.transcriptOf(merged.report, isOver(merged.report, live, liveness)) : made.transcript;
    const whole = completed(merged, { live, transcript }, circumstances.now);
    const row = sessionRow(whole, { ...circumstances, liveness });
    return { row, until: untilOf(whole, circumstances.now) };
  }
}

/** The session a report is of. One that names no agent may be a session whose registry has its id. */
function keyOf(report: SessionReport, live: ReadonlyMap<string, LiveSighting>): string {
  const key = sessionKey(report);
  if (report.agent !== UNNAMED_AGENT || live.has(key)) return key;
  const named = sessionKey({ agent: "claude", sessionId: report.sessionId });
  return live.has(named) ? named : key;
}

/** An entry that says nothing yet, as in the first moments of a process, whose session may still be exchanged for another. */
function isBeginning({ entry: { status, startedAt } }: LiveSighting, now: Seconds): boolean {
  return status === undefined && startedAt !== undefined && now - startedAt <= SETTLING;
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

/**
 * Whether a session's process runs. The registry's process counts before one an event told: the agent itself wrote it.
 * Where they are two, and the registry's is gone, the session may go on in the other.
 */
function livenessOf(
  report: SessionReport,
  live: LiveSighting | undefined,
  machine: MachineEvidence,
  processes: RowCircumstances["processes"],
  now: Seconds,
): Liveness {
  const { process, state } = report;
  const told = (of: AgentProcess | undefined) => (of === undefined ? "unknown" : processes.look(of));
  if (live === undefined) {
    if (state === "dormant") return "unknown";
    return machine.hasLeft(report, now) ? "gone" : told(process);
  }
  if (live.liveness !== "gone" || process === undefined || process.pid === live.entry.pid) return live.liveness;
  return state === "dormant" ? "gone" : told(process);
}

function isOver({ state }: SessionReport, live: LiveSighting | undefined, liveness: Liveness): boolean {
  return liveness === "gone" || (state === "dormant" && live === undefined);
}

/** When time alone changes a row next: a wake-up is overdue, a failed command was shown long enough, a registry settled. */
function untilOf({ report: { wakeupAt, background }, told }: Merged, now: Seconds): Seconds {
  let until = Infinity;
  const consider = (moment: Seconds) => {
    if (moment >= now) until = Math.min(until, moment);
  };
  if (wakeupAt !== undefined) consider(wakeupAt + WAKEUP_GRACE);
  for (const id in background) {
    const failedAt = background[id]?.failedAt;
    if (failedAt !== undefined) consider(failedAt + FAILED_BACKGROUND_SHOWN);
  }
  // Also what a registry does not have any more is only known then.
  consider(told + SETTLING);
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
