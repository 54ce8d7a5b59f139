import { dirname } from "node:path";
import { cacheTtlOf } from "../session/cache";
import { deriveState, FAILED_BACKGROUND_SHOWN } from "../session/derive";
import { sessionKey } from "../session/identity";
import type { BackgroundCommand, Seconds } from "../session/report";
import { isUnread, type ReadMarks } from "../session/seen";
import type { Session } from "../session/session";
import { needsYou } from "../session/state";
import { cutText, oneLine } from "../session/text";
import type { Liveness, ProcessTable } from "../store/process-table";
import type { Merged } from "./merge";
import type { Judged } from "./sighting";

/** What rows depend on beside their sightings. */
export interface RowCircumstances {
  now: Seconds;
  marks: ReadMarks;
  processes: ProcessTable;
  /** The time to live of caches that the user set. */
  cacheTtl?: Seconds | undefined;
  /** What to call a configuration folder, or a status directory. */
  labelOf?: (folder: string) => string | undefined;
}

/** The row of a session: its merged report, derived. */
export function sessionRow(
  { report, sightings }: Merged,
  {
    now,
    marks,
    cacheTtl,
    labelOf,
    liveness,
  }: Omit<RowCircumstances, "processes"> & { /** Whether its process runs. */ liveness: Liveness },
): Session {
  const id = sessionKey(report);
  const unread = isUnread(report, marks.sessions[id], marks.baseline);
  const state = deriveState(report, { now, unread, processGone: liveness === "gone" });
  const isOver = state === "dormant";
  const isAtRest = isOver || state === "idle" || state === "done";
  const wantsUser = needsYou(state);
  const project = folderName(report.cwd);
  // One literal with every field: a list of thousands is built on each look, and spreading reports is most of its cost.
  return {
    id,
    agent: report.agent,
    sessionId: report.sessionId,
    surface: report.surface,
    state,
    since: report.since,
    unread,
    needsYou: wantsUser,
    title: titleOf(report.title ?? report.live?.name, project, report.sessionId),
    project,
    cwd: report.cwd,
    // A message is for the user's attention only; a tool runs only while the session does.
    message: wantsUser ? report.message : undefined,
    waitingFor: wantsUser ? report.waitingFor : undefined,
    activity: isAtRest ? undefined : report.activity,
    tool: isAtRest ? undefined : report.tool,
    event: report.event,
    eventAt: report.eventAt,
    permissionMode: report.permissionMode,
    turnStartedAt: report.turnStartedAt,
    doneAt: report.doneAt,
    wakeupAt: report.wakeupAt,
    userPromptAt: report.userPromptAt,
    subagents: isOver ? 0 : (report.subagents ?? 0),
    runningSubagents: isOver || (report.subagents ?? 0) === 0 ? undefined : report.runningSubagents,
    background: shownBackground(report.background, isOver, now),
    monitors: isOver ? NONE : (report.monitors ?? NONE),
    process: report.process,
    terminal: report.terminal,
    headless: report.headless,
    live: report.live,
    context: report.context,
    transcript: report.transcript,
    configDirectory: report.configDirectory,
    configLabel: labelOf === undefined ? undefined : configLabelOf(report, sightings, labelOf),
    liveness,
    cacheTtl: cacheTtlOf(report, cacheTtl),
    sources: sourcesOf(sightings),
    evidence: sightings,
    unreadableSince: staleSince(sightings),
  };
}

/** What to call its configuration folder, else the status directory whose word counts. */
function configLabelOf(
  { configDirectory }: Merged["report"],
  sightings: readonly Judged[],
  labelOf: (folder: string) => string | undefined,
): string | undefined {
  const own = configDirectory === undefined ? undefined : labelOf(configDirectory);
  if (own !== undefined) return own;
  const told = sightings.filter(({ source }) => source === "status");
  const status = told.find(({ verdict }) => verdict !== "overruled") ?? told[0];
  return status === undefined ? undefined : labelOf(dirname(status.file));
}

/** Each source once: two status directories are one source. */
function sourcesOf(sightings: readonly Judged[]): Session["sources"] {
  const sources = sightings.map(({ source }) => source);
  return sources.length < 2 ? sources : Array.from(new Set(sources));
}

/** Since when nothing that tells a state could be read. */
function staleSince(sightings: readonly Judged[]): Seconds | undefined {
  const telling = sightings.filter(({ verdict }) => verdict !== "adds");
  return telling.every((each) => each.unreadableSince !== undefined) ? telling[0]?.unreadableSince : undefined;
}

const NONE: Record<string, never> = {};

/** Its own title, else its folder, else its id. */
function titleOf(title: string | undefined, project: string | undefined, sessionId: string): string {
  const own = title === undefined ? "" : oneLine(title);
  return own !== "" ? own : (project ?? cutText(sessionId, 60));
}

/** The last name of a path, of either kind of separator; the root has none. */
function folderName(path: string | undefined): string | undefined {
  const name = path?.split(/[\\/]/).findLast((part) => part !== "");
  return name === undefined ? undefined : cutText(name, 100);
}

/** What runs, and what failed in the last 15 minutes. With its session, a running command ends. */
function shownBackground(
  background: Record<string, BackgroundCommand> | undefined,
  isDormant: boolean,
  now: Seconds,
): Record<string, BackgroundCommand> {
  if (background === undefined || Object.keys(background).length === 0) return NONE;
  return Object.fromEntries(
    Object.entries(background).filter(([, { failedAt, exitCode, status }]) => {
      if (failedAt !== undefined) return now - failedAt <= FAILED_BACKGROUND_SHOWN;
      if ((exitCode !== undefined && exitCode !== 0) || status === "failed") return true;
      return !isDormant && exitCode === undefined;
    }),
  );
}
