import { ageOf } from "../session/age";
import { signalOf } from "../session/aggregate";
import { cacheOf } from "../session/cache";
import type { Seconds } from "../session/report";
import type { RequestOutcome } from "../session/request";
import type { Session } from "../session/session";
import { priorityOf } from "../session/signal";
import type { LabelLanguage } from "../session/signal-label";
import { signalStatusValue } from "../files/signal-status";
import { isoOf } from "../files/timestamp";
import type { Snapshot } from "../observe/snapshot";

/** The version of `list --json`: raised when a field changes its meaning or goes; new fields do not raise it. */
export const SNAPSHOT_VERSION = 1;

/** A snapshot as `list --json` prints it; docs/snapshot-v1.schema.json is its contract. */
export function snapshotJson(snapshot: Snapshot, sessions: readonly Session[], language: LabelLanguage) {
  return {
    schema_version: SNAPSHOT_VERSION,
    generated_at: isoOf(snapshot.at),
    aggregate: statusJson(snapshot, language),
    sessions: sessions.map((session) => sessionJson(session, snapshot.at)),
    problems: snapshot.problems.map(({ file, field, reason, outcome }) => ({
      file,
      field: field ?? null,
      reason,
      outcome,
    })),
  };
}

/** One session as `list --json` prints it: what is not known is null. */
export function sessionJson(session: Session, now: Seconds) {
  return {
    id: session.id,
    agent: session.agent,
    session_id: session.sessionId,
    surface: session.surface ?? null,
    state: session.state,
    since: moment(session.since),
    age_seconds: ageOf(session.since, now),
    unread: session.unread,
    needs_you: session.needsYou,
    title: session.title,
    project: session.project ?? null,
    cwd: session.cwd ?? null,
    message: session.message ?? null,
    waiting_for: session.waitingFor ?? null,
    activity: session.activity ?? null,
    tool: session.tool ?? null,
    event: session.event ?? null,
    event_at: moment(session.eventAt),
    permission_mode: session.permissionMode ?? null,
    turn_started_at: moment(session.turnStartedAt),
    done_at: moment(session.doneAt),
    wakeup_at: moment(session.wakeupAt),
    subagents: session.subagents,
    running_subagents: (session.runningSubagents ?? []).map(({ id, type }) => ({ id, type: type ?? null })),
    background: Object.entries(session.background ?? {}).map(([id, command]) => ({
      id,
      command: command.command ?? null,
      started_at: moment(command.at),
      status: command.status ?? null,
      exit_code: command.exitCode ?? null,
      failed_at: moment(command.failedAt),
    })),
    monitors: Object.entries(session.monitors ?? {}).map(([id, { text, at }]) => ({
      id,
      text,
      started_at: moment(at),
    })),
    name: session.live?.name ?? null,
    kind: session.live?.kind ?? null,
    version: session.live?.version ?? null,
    config: session.configLabel ?? null,
    pid: session.process?.pid ?? null,
    process: session.liveness ?? "unknown",
    model: session.context?.model ?? null,
    context_tokens: session.context?.tokens ?? null,
    context_window: session.context?.window ?? null,
    last_answer_at: moment(session.context?.lastAnswerAt),
    cache: cacheJson(session, now),
    plugin:
      session.plugin === undefined
        ? null
        : { pickup: session.plugin.pickup ?? null, file: session.plugin.file ?? null },
    request: session.request === undefined ? null : requestJson(session.request),
    same_process: session.sameProcess ?? [],
    sources: session.sources,
    unreadable_since: moment(session.unreadableSince),
  };
}

/** Whether waking a session finds its context still kept by the model's provider. */
function cacheJson(session: Session, now: Seconds) {
  const cache = cacheOf(session, now);
  const { ttl, ttlFrom } = session.cacheTtl ?? {};
  return {
    state: cache.temperature,
    until: cache.temperature === "warm" ? moment(cache.until) : null,
    cold_since: cache.temperature === "cold" ? moment(cache.since) : null,
    ttl_seconds: ttl ?? null,
    ttl_from: ttlFrom ?? null,
  };
}

/** How far a request to the session came. */
function requestJson({ id, kind, by, steps }: RequestOutcome) {
  return {
    id,
    kind,
    by: by ?? null,
    steps: steps.map(({ outcome, at, reason, proof }) => ({
      outcome,
      at: moment(at),
      reason: reason ?? null,
      proof: proof ?? null,
    })),
  };
}

/** One session as `show --json` prints it: with what each source says of it. */
export function sessionDetailJson(session: Session, now: Seconds) {
  return {
    ...sessionJson(session, now),
    evidence: session.evidence.map(({ source, file, state, verdict, why, at, event, unreadableSince }) => ({
      source,
      file,
      state,
      verdict,
      why: why ?? null,
      at: moment(at),
      event: event ?? null,
      unreadable_since: moment(unreadableSince),
    })),
  };
}

/**
 * The aggregate with the keys of Agent Signal's status output (seed "CLI Status Output"), over the sessions of every
 * source. Ended sessions are left out there, and sessions and events have the same keys as the original's.
 */
export function statusJson({ aggregate, sessions, signal }: Snapshot, language: LabelLanguage) {
  const live = sessions
    .filter(({ state }) => state !== "dormant")
    .map((session) => {
      const name = signalOf(session);
      return {
        sessionId: session.sessionId,
        agent: session.agent,
        signal: name,
        lastEvent: session.event,
        updatedAt: session.eventAt ?? session.since,
        priority: priorityOf(name),
      };
    })
    .sort((one, other) => other.priority - one.priority || other.updatedAt - one.updatedAt);
  const news = live.reduce<Seconds | undefined>(
    (latest, { updatedAt }) => Math.max(latest ?? updatedAt, updatedAt),
    signal.updatedAt,
  );
  const value = signalStatusValue(
    {
      aggregate: aggregate.signal,
      stateFile: signal.stateFile,
      updatedAt: news,
      sessions: live,
      recentEvents: signal.events.toReversed(),
    },
    language,
  );
  return { ...value, needs_you: aggregate.needsYou, unread: aggregate.unread };
}

/** Times of a session are often the same moment: the last one written is remembered. */
let lastMoment: Seconds | undefined;
let lastText = "";

function moment(seconds: Seconds): string;
function moment(seconds: Seconds | undefined): string | null;
function moment(seconds: Seconds | undefined): string | null {
  if (seconds === undefined) return null;
  if (seconds !== lastMoment) {
    lastMoment = seconds;
    lastText = isoOf(seconds);
  }
  return lastText;
}
