import { deriveState, FAILED_BACKGROUND_SHOWN } from "../session/derive";
import { sessionKey } from "../session/identity";
import type { BackgroundCommand, Seconds } from "../session/report";
import { isUnread, type ReadMarks } from "../session/seen";
import type { Evidence, Session } from "../session/session";
import { needsYou } from "../session/state";
import { cutText, oneLine } from "../session/text";
import type { ProcessTable } from "../store/process-table";
import type { Merged } from "./merge";
import type { Sighting } from "./sighting";

/** What a row depends on beside its sightings. */
export interface RowCircumstances {
  now: Seconds;
  marks: ReadMarks;
  processes: ProcessTable;
}

/** The row of a session: its merged report, derived. */
export function sessionRow({ report, sightings }: Merged, { now, marks, processes }: RowCircumstances): Session {
  const { writer, ...known } = report;
  const id = sessionKey(report);
  const unread = isUnread({ ...report, writer }, marks.sessions[id], marks.baseline);
  const processGone =
    report.state !== "dormant" && report.process !== undefined && processes.look(report.process) === "gone";
  const state = deriveState(report, { now, unread, processGone });
  const project = folderName(report.cwd);
  const unreadableSince = sightings.every((each) => each.unreadableSince !== undefined)
    ? sightings[0]?.unreadableSince
    : undefined;
  const row: Session = {
    ...known,
    id,
    state,
    unread,
    needsYou: needsYou(state),
    title: titleOf(report.title, project, report.sessionId),
    ...(project === undefined ? {} : { project }),
    subagents: state === "dormant" ? 0 : (report.subagents ?? 0),
    background: shownBackground(report.background, state === "dormant", now),
    monitors: state === "dormant" ? {} : (report.monitors ?? {}),
    sources: sightings.map(({ source }) => source),
    evidence: sightings.map(evidenceOf),
    ...(unreadableSince === undefined ? {} : { unreadableSince }),
  };
  // A message is for the user's attention only; a tool runs only while the session does.
  if (!row.needsYou) {
    delete row.message;
    delete row.waitingFor;
  }
  if (state === "dormant" || state === "idle" || state === "done") {
    delete row.tool;
    delete row.activity;
  }
  return row;
}

function evidenceOf({ source, file, report, at, unreadableSince }: Sighting): Evidence {
  return {
    source,
    file,
    state: report.state,
    at,
    ...(report.event === undefined ? {} : { event: report.event }),
    ...(unreadableSince === undefined ? {} : { unreadableSince }),
  };
}

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
  if (background === undefined) return {};
  return Object.fromEntries(
    Object.entries(background).filter(([, { failedAt, exitCode, status }]) => {
      if (failedAt !== undefined) return now - failedAt <= FAILED_BACKGROUND_SHOWN;
      if ((exitCode !== undefined && exitCode !== 0) || status === "failed") return true;
      return !isDormant && exitCode === undefined;
    }),
  );
}
