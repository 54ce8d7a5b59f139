import type { Seconds } from "../session/report";
import type { DeliveryWay, OutcomeStep } from "../session/request";
import type { Session } from "../session/session";
import { isBusy } from "./at-prompt";
import { isOver, isSave, lastStep, SILENT_AFTER } from "../session/request-progress";
import type { FiledRequest } from "./request-files";

/** A receiver looks every two seconds: one that took a request at the last moment has noted it by then. */
const EXPIRY_GRACE: Seconds = 10;

/** An end is believed after this long: after /clear the old row ends before the plugin has noted that it did that. */
const END_GRACE: Seconds = 60;

/** At rest for this long, a session has done what it was asked, or will not: nothing tells the turn from the one before. */
const REST: Seconds = 60;

/** A sender writes what came of it within this time. */
const SENDER_TIME: Seconds = 60;

/** What is looked at only when a step depends on it. */
export interface Looked {
  /** The session's row; undefined when it is not known (any more). */
  session?: Session;
  /** Whether the stop answer still waits. */
  waitsForStop(): boolean;
  /** Lines that came into the session's memory since the request. */
  added(): { file: string; lines: number } | undefined;
}

/**
 * The next step of an open request, for whoever looks: a session without a receiver notes nothing itself, and one whose
 * process is gone never will. Undefined when there is nothing new.
 */
export function nextStep(filed: FiledRequest, looked: Looked, now: Seconds): OutcomeStep | undefined {
  if (isOver(filed.outcome)) return undefined;
  const by = filed.outcome.by ?? "plugin";
  switch (by) {
    case "plugin":
      return receivedNext(filed, looked, now);
    case "stop-hook":
    case "codex-queue":
    case "opencode":
    case "terminal":
      return sentNext(filed, by, looked, now);
    default:
      return by satisfies never;
  }
}

/** A request that a receiver carries out: only its silence is told here. */
function receivedNext(
  { request, outcome, isNoted }: FiledRequest,
  looked: Looked,
  now: Seconds,
): OutcomeStep | undefined {
  const { at, outcome: last } = lastStep(outcome);
  if (!isNoted || last === "queued") {
    if (hasEnded(looked, at, now)) return failed(now, "the session ended before it took the request");
    const expiresAt = request?.expiresAt ?? at;
    if (now < expiresAt + EXPIRY_GRACE) return undefined;
    return { outcome: "expired", at: now, reason: "the session did not take it in time" };
  }
  if (hasEnded(looked, at, now)) {
    return failed(now, last === "saved" ? "the session ended before it was started fresh" : "the session ended");
  }
  return isSilent(at, now) ? failed(now, "nothing more was heard of it") : undefined;
}

/** A request that was sent to a session without a receiver. */
function sentNext(filed: FiledRequest, by: DeliveryWay, looked: Looked, now: Seconds): OutcomeStep | undefined {
  const { outcome, sent } = filed;
  const { at, outcome: last } = lastStep(outcome);
  if (last === "queued") {
    return by === "stop-hook" ? answeredNext(filed, looked, now) : unnotedNext(at, now);
  }
  if (!isSave(outcome.kind)) return undefined;
  const { session } = looked;
  if (hasEnded(looked, at, now)) return savedOr(looked, now, "the session ended, and nothing was written");
  if (session !== undefined && isBusy(session) && last === "delivered") return { outcome: "saving", at: now };
  if (session !== undefined && isDone(session, by, at, now)) return savedOr(looked, now, unwritten(sent?.files.length));
  return isSilent(at, now) ? savedOr(looked, now, "nothing more was heard of it, and nothing was written") : undefined;
}

/** What the recorder is to print: taken, or too late. */
function answeredNext(filed: FiledRequest, looked: Looked, now: Seconds): OutcomeStep | undefined {
  const { outcome, sent } = filed;
  const { at } = lastStep(outcome);
  const isLate = now >= (sent?.request.expiresAt ?? at);
  if (looked.waitsForStop()) {
    if (hasEnded(looked, at, now)) return failed(now, "the session ended before it took the request");
    return isLate ? { outcome: "expired", at: now, reason: "its turn did not end in time" } : undefined;
  }
  if (!isLate) return { outcome: "delivered", at: now };
  // Nobody looked while it could be taken: the recorder may have thrown it away as too old.
  const proof = isSave(outcome.kind) ? looked.added() : undefined;
  if (proof !== undefined) return { outcome: "saved", at: now, proof };
  return { outcome: "expired", at: now, reason: "whether its turn ended in time is not known" };
}

function unnotedNext(at: Seconds, now: Seconds): OutcomeStep | undefined {
  if (now - at < SENDER_TIME) return undefined;
  return failed(now, "whoever sent it stopped before it was certain to have arrived");
}

/**
 * Whether a session is done with what it was given at a time: it rests, and its turn ended after that, or it rests for a
 * while. What a queue took may wait for the end of the turn before, so there only the rest counts.
 */
function isDone({ state, since, eventAt, doneAt }: Session, by: DeliveryWay, at: Seconds, now: Seconds): boolean {
  switch (state) {
    case "idle":
    case "done":
    case "failed":
    case "scheduled": {
      const isQueued = by === "codex-queue" || by === "opencode";
      if (!isQueued && doneAt !== undefined && doneAt > at) return true;
      return now - Math.max(at, since, eventAt ?? -Infinity) >= REST;
    }
    case "working":
    case "compacting":
    case "waitingForSubagents":
    case "waiting":
    case "decision":
    case "dormant":
    case "unknown":
      return false;
    default:
      return state satisfies never;
  }
}

function savedOr(looked: Looked, now: Seconds, otherwise: string): OutcomeStep {
  const proof = looked.added();
  return proof === undefined ? failed(now, otherwise) : { outcome: "saved", at: now, proof };
}

function unwritten(files: number | undefined): string {
  if (files !== undefined && files > 0) return "nothing was written";
  return "it answered, but where it saves is not known: look whether it did";
}

/** Whether the session is over: its row ended, and no other conversation of the same process goes on just now. */
function hasEnded({ session }: Looked, at: Seconds, now: Seconds): boolean {
  return session?.state === "dormant" && now - Math.max(session.since, at) >= END_GRACE;
}

function isSilent(at: Seconds, now: Seconds): boolean {
  return now - at >= SILENT_AFTER;
}

function failed(at: Seconds, reason: string): OutcomeStep {
  return { outcome: "failed", at, reason };
}
