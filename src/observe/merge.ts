import { sessionKey, UNNAMED_AGENT } from "../session/identity";
import type { Seconds, SessionReport } from "../session/report";
import { SOURCES } from "../session/session";
import type { State } from "../session/state";
import { judged, type Judged, type Sighting } from "./sighting";

/** One session's sightings with the report they come to. */
export interface Merged {
  report: SessionReport;
  /** By source, in the fixed order of sources. */
  sightings: Judged[];
  /** When the source that gives the state last heard of the main agent. */
  told: Seconds;
}

/**
 * Joins what the sources say, one entry a session: by agent and id. A source that names no agent joins the one session
 * that has the id.
 */
export function mergeSightings(sightings: Iterable<Sighting>): Merged[] {
  const groups = new Map<string, Sighting[]>();
  const unnamed: Sighting[] = [];
  for (const sighting of sightings) {
    if (sighting.report.agent === UNNAMED_AGENT) unnamed.push(sighting);
    else push(groups, sessionKey(sighting.report), sighting);
  }
  const named = unnamed.length > 0 ? keysById(groups) : undefined;
  for (const sighting of unnamed) {
    const [key, ...others] = named?.get(sighting.report.sessionId) ?? [];
    push(groups, key !== undefined && others.length === 0 ? key : sessionKey(sighting.report), sighting);
  }
  return Array.from(groups.values(), merge);
}

/** The keys of the sessions that have an id, by that id. */
function keysById(groups: ReadonlyMap<string, readonly Sighting[]>): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const [key, [first]] of groups) {
    if (first === undefined) continue;
    const { sessionId } = first.report;
    keys.set(sessionId, [...(keys.get(sessionId) ?? []), key]);
  }
  return keys;
}

function push(groups: Map<string, Sighting[]>, key: string, sighting: Sighting): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [sighting]);
  else group.push(sighting);
}

/**
 * One report of several: the first source (the richest) stands where the others agree with it; where one disagrees, the
 * newer evidence gives the state, and the richer one still gives what the other cannot know (folder, title, answer).
 */
function merge(group: Sighting[]): Merged {
  const [only, second] = group;
  if (only !== undefined && second === undefined) return alone(only);
  const sightings = group.sort(
    (one, other) => SOURCES.indexOf(one.source) - SOURCES.indexOf(other.source) || other.at - one.at,
  );
  const [first, ...others] = sightings;
  if (first === undefined) throw new RangeError("a session has at least one sighting");
  let { report } = first;
  let telling: Sighting = first;
  let standing = judged(first, "stands");
  const all = [standing];
  for (const other of others) {
    if (agree(report.state, other.report.state)) {
      report = fill(report, other.report);
      all.push(judged(other, "agrees", "It agrees."));
    } else if (isNewer(other, telling)) {
      report = overrule(report, other.report);
      standing.verdict = "overruled";
      standing.why = "Another source is newer.";
      telling = other;
      standing = judged(other, "overrules", "It is newer.");
      all.push(standing);
    } else {
      report = fill(report, other.report);
      const why = other.unreadableSince === undefined ? "It is older." : "It cannot be read now.";
      all.push(judged(other, "overruled", why));
    }
  }
  return { report, sightings: all, told: toldBy(telling) };
}

/** What one source alone says. */
export function alone(sighting: Sighting): Merged {
  return { report: sighting.report, sightings: [judged(sighting, "stands")], told: toldBy(sighting) };
}

/** When a source last heard of the main agent; a subagent's events say nothing of its state. */
function toldBy({ report, at }: Sighting): Seconds {
  return report.toldAt === undefined ? at : Math.max(report.toldAt, report.since);
}

/** States that can stand for the same moment: each source sees it as coarsely as it can. */
const KINDS: Readonly<Record<State, "rest" | "work" | "wait" | "failed" | "unknown">> = {
  idle: "rest",
  done: "rest",
  scheduled: "rest",
  dormant: "rest",
  working: "work",
  waitingForSubagents: "work",
  compacting: "work",
  waiting: "wait",
  decision: "wait",
  failed: "failed",
  unknown: "unknown",
};

function agree(one: State, other: State): boolean {
  // A finished answer that the other source has not heard of is news, not agreement; see `overrule`.
  if (other === "done" && one !== "done" && one !== "dormant" && one !== "scheduled") return false;
  return KINDS[one] === KINDS[other];
}

/**
 * Newer evidence. Agent Signal counts whole seconds, cut off: within the same second, the source that counts fractions
 * is never the older one. A source that cannot be read now is never newer.
 */
function isNewer(one: Sighting, other: Sighting): boolean {
  if (one.unreadableSince !== undefined || one.report.state === "unknown") return false;
  if (other.unreadableSince !== undefined || other.report.state === "unknown") return true;
  return one.at > other.at;
}

/** Adds what only the other source knows. */
function fill(report: SessionReport, other: SessionReport): SessionReport {
  return {
    ...report,
    ...(report.surface === undefined && other.surface !== undefined ? { surface: other.surface } : {}),
    ...(report.waitingFor === undefined && report.state === "waiting" && other.waitingFor !== undefined
      ? { waitingFor: other.waitingFor }
      : {}),
    ...laterAnswer(report, other),
  };
}

/** The state of the newer source; what belonged to the old state goes with it. */
function overrule(report: SessionReport, newer: SessionReport): SessionReport {
  const kept = { ...report };
  delete kept.tool;
  delete kept.activity;
  delete kept.message;
  delete kept.waitingFor;
  delete kept.subagents;
  return {
    ...kept,
    state: newer.state,
    since: newer.since,
    ...(newer.eventAt === undefined ? {} : { eventAt: newer.eventAt }),
    ...(newer.event === undefined ? {} : { event: newer.event }),
    ...(newer.waitingFor === undefined ? {} : { waitingFor: newer.waitingFor }),
    ...(newer.message === undefined ? {} : { message: newer.message }),
    ...(newer.surface === undefined ? {} : { surface: newer.surface }),
    ...laterAnswer(report, newer),
  };
}

/** The same answer is told by both, in whole seconds by one: only one that is really later counts. */
function laterAnswer({ doneAt: known }: SessionReport, { doneAt: told }: SessionReport): Pick<SessionReport, "doneAt"> {
  if (told === undefined) return {};
  return known === undefined || Math.floor(told) > Math.floor(known) ? { doneAt: told } : {};
}
