import type { LiveEntry, LiveStatus } from "../session/live-entry";
import type { AgentProcess, LiveFacts, Seconds, SessionReport } from "../session/report";
import type { Verdict } from "../session/session";
import type { State, WaitKind } from "../session/state";
import type { Liveness } from "../store/process-table";

/** An entry of an agent's own registry, with whether its process runs. */
export interface LiveSighting {
  entry: LiveEntry;
  file: string;
  liveness: Liveness;
  unreadableSince?: Seconds;
  /** Its process runs, but went on with another session: it counts as gone. */
  isLeft?: true;
}

/** What a registry's word does to a report. */
export interface Weighed {
  report: SessionReport;
  verdict: Verdict;
  why: string;
}

/** Why a registry without a status only adds. */
export const NO_STATE = "It does not say what the session does.";

/**
 * Hooks and registry tell of the same change up to some 400 ms apart, at times more than a second: of two that are no
 * further apart than this, the registry has settled when it is looked at this much later.
 */
export const SETTLING: Seconds = 2;

/** What each status agrees with: it sees the same moment, more coarsely (design: rules of truth, 1). */
const AGREES: Readonly<Record<LiveStatus, ReadonlySet<State>>> = {
  idle: new Set<State>(["idle", "done", "failed", "scheduled"]),
  busy: new Set<State>(["working", "compacting", "waitingForSubagents"]),
  waiting: new Set<State>(["waiting", "decision"]),
  // A background command runs; the turn is over. Never working.
  shell: new Set<State>(["idle", "done", "failed", "scheduled"]),
};

/** The state a registry's status stands for by itself; without a status it is not known. */
export function stateOfLive({ status, waitingFor }: Pick<LiveEntry, "status" | "waitingFor">): State {
  switch (status) {
    case "idle":
    case "shell":
      return "idle";
    case "busy":
      return "working";
    case "waiting":
      return isQuestion(waitingFor) ? "decision" : "waiting";
    case undefined:
      return "unknown";
    default:
      return status satisfies never;
  }
}

/** A session that only its registry knows. Without a process it is over. */
export function reportOfLive(sighting: LiveSighting): SessionReport {
  const { entry, liveness } = sighting;
  // An entry is also written for a new name: without a time of its status, the start is all that never moves.
  const at = entry.statusAt ?? entry.startedAt ?? entry.updatedAt ?? 0;
  const state = liveness === "gone" ? "dormant" : stateOfLive(entry);
  const report: SessionReport = {
    agent: entry.agent,
    sessionId: entry.sessionId,
    state,
    since: at,
    eventAt: entry.updatedAt ?? at,
    headless: entry.headless,
    ...wait(state, entry),
  };
  return withEntry(report, sighting);
}

/**
 * What the registry says of a session that other sources know: first whether they agree; where they do not, the newer
 * evidence gives the state.
 *
 * @param told when the other sources last heard of the main agent
 */
export function weighLive(report: SessionReport, told: Seconds, sighting: LiveSighting, now: Seconds): Weighed {
  const { entry, liveness } = sighting;
  const known = withEntry(report, sighting);
  if (liveness === "gone") {
    const why = sighting.isLeft ? "Its process went on with another session." : "Its process is gone.";
    return { report: known, verdict: "adds", why };
  }
  const { status } = entry;
  if (status === undefined) return reopened(known, told, sighting) ?? { report: known, verdict: "adds", why: NO_STATE };
  const at = entry.statusAt ?? entry.updatedAt;
  if (AGREES[status].has(report.state) || (status === "busy" && waitsForSubagents(report))) {
    const isAlone = status === "idle" && (report.subagents ?? 0) > 0 && isLater(at, report.eventAt ?? told, now);
    // While subagents run the registry says busy: at its idle none does, whatever end was not told.
    return {
      report: isAlone ? { ...known, subagents: 0 } : known,
      verdict: "agrees",
      why: isAlone ? "It agrees, and no subagent runs any more." : "It agrees.",
    };
  }
  if (report.state === "dormant") {
    // A registry removes its entry when the session ends: one that is still there after a while was not left.
    if (liveness !== "running" || now - told <= SETTLING)
      return { report: known, verdict: "overruled", why: "The session has ended." };
    return overruled(known, entry, at ?? told, "The session's process still runs it, so its end was not this one's.");
  }
  // A wait that is lost is the worst error: only a registry that went on after it ends it.
  const isWait = report.state === "waiting" || report.state === "decision";
  const later = status === "busy" && isWait ? at !== undefined && at > told : isLater(at, told, now);
  if (!later) return { report: known, verdict: "overruled", why: "What the agent reported is newer." };
  return overruled(known, entry, at ?? told, "It is newer than what the agent reported.");
}

/** What a session does only as long as the process runs that does it, and what it is without one. */
const OF_A_PROCESS: ReadonlySet<State> = new Set<State>([
  "working",
  "compacting",
  "waiting",
  "decision",
  "waitingForSubagents",
  "dormant",
]);

/**
 * A session that had ended, or was killed, and which a later process has open again: nothing was asked there yet. One
 * that ended was opened again, whoever has it now; of one that works that has to be certain.
 */
function reopened(report: SessionReport, told: Seconds, { entry, liveness }: LiveSighting): Weighed | undefined {
  const { startedAt: since } = entry;
  const isCertain = liveness === "running" || report.state === "dormant";
  if (!OF_A_PROCESS.has(report.state) || !isCertain || since === undefined || since <= told) return undefined;
  const kept = { ...report, since, subagents: 0 };
  delete kept.tool;
  delete kept.activity;
  delete kept.message;
  delete kept.waitingFor;
  delete kept.turnStartedAt;
  const state = report.doneAt === undefined ? "idle" : "done";
  return { report: { ...kept, state }, verdict: "overrules", why: "It was opened again." };
}

/** Whether a turn is over while subagents run: what is shown then is that it waits for them. */
function waitsForSubagents({ state, subagents }: SessionReport): boolean {
  return (subagents ?? 0) > 0 && (state === "done" || state === "idle" || state === "scheduled");
}

/** Whether the registry's word counts as the later one. */
function isLater(at: Seconds | undefined, told: Seconds, now: Seconds): boolean {
  if (at === undefined) return false;
  return at > told || (told - at <= SETTLING && now - told > SETTLING);
}

/** The registry's state in place of the one told; what belonged to the old one goes with it. */
function overruled(report: SessionReport, entry: LiveEntry, since: Seconds, why: string): Weighed {
  const kept = { ...report };
  delete kept.tool;
  delete kept.activity;
  delete kept.message;
  delete kept.waitingFor;
  const state = stateOfLive(entry);
  if (state === "idle") {
    delete kept.subagents;
    delete kept.turnStartedAt;
  }
  return { report: { ...kept, state, since, ...wait(state, entry) }, verdict: "overrules", why };
}

/** What a wait is for, in our words, as far as the registry's tell. */
function wait(state: State, { waitingFor }: LiveEntry): Pick<SessionReport, "waitingFor" | "message"> {
  if (state !== "waiting" && state !== "decision") return {};
  const kind: WaitKind =
    state === "decision" ? "question" : /permission|sandbox|worker/i.test(waitingFor ?? "") ? "permission" : "input";
  return { waitingFor: kind, ...(waitingFor === undefined ? {} : { message: sentence(waitingFor) }) };
}

/** The registry says `input needed` of a question with choices (seen in recordings of 2.1.332). */
function isQuestion(waitingFor: string | undefined): boolean {
  return waitingFor === "input needed";
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The report with what only the registry knows; its process is certain, since it wrote the entry itself. */
function withEntry(report: SessionReport, { entry, liveness }: LiveSighting): SessionReport {
  // A process that is gone is not the session's any more where an event told of another one.
  const isElsewhere = liveness === "gone" && report.process !== undefined && report.process.pid !== entry.pid;
  return {
    ...report,
    live: liveFacts(entry),
    cwd: report.cwd ?? entry.cwd,
    transcript: report.transcript ?? entry.transcript,
    configDirectory: report.configDirectory ?? entry.configDirectory,
    process: isElsewhere ? report.process : (processOf(entry) ?? report.process),
  };
}

function liveFacts({ status, name, isNamedByUser, kind, jobId, version, entrypoint, tmux }: LiveEntry): LiveFacts {
  return { status, name, isNamedByUser, kind, jobId, version, entrypoint, tmux };
}

function processOf(entry: LiveEntry): AgentProcess | undefined {
  const { pid, processStart, processDomain, startedAt, statusAt, updatedAt } = entry;
  const knownAt = startedAt ?? statusAt ?? updatedAt;
  if (pid === undefined || knownAt === undefined) return undefined;
  return { pid, knownAt, start: processStart, domain: processDomain };
}
