import type { Seconds } from "./report";
import { displayStateOf, type Signal } from "./signal";
import type { SignalDocument, SignalSession } from "./signal-document";
import type { SignalTtl } from "./signal-rules";
import { documentAggregate } from "./signal-snapshot";

/** A document without its expired sessions, and what a reader concludes when none is left. */
export interface Expired {
  document: SignalDocument;
  /** Set when the last session expired: `stale` when work or a wait was lost from sight, else `idle`. */
  verdict?: "stale" | "idle";
}

/**
 * What a reader sees of a document at a moment: future dates clamped, expired sessions gone, and the aggregate that
 * follows (Agent Signal's pruning on read). A pure view: nothing is written, and `updatedAt` stays.
 */
export function prune(document: SignalDocument, now: Seconds, ttl: SignalTtl): SignalDocument {
  return concluded(expire(clampFuture(document, now), now, ttl));
}

/**
 * Dates no session later than now. The original lets a record from the future (a clock set back, a foreign writer)
 * shut its session out until that moment comes; ours counts as set just now.
 */
export function clampFuture(document: SignalDocument, now: Seconds): SignalDocument {
  if (!Array.from(document.sessions.values()).some(({ updatedAt }) => updatedAt > now)) return document;
  const clamped = Array.from(document.sessions, ([id, session]): [string, SignalSession] => [
    id,
    session.updatedAt > now ? { ...session, updatedAt: now } : session,
  ]);
  return { ...document, sessions: new Map(clamped) };
}

/** Removes the sessions whose time is over; the stored aggregate stays as it is. */
export function expire(document: SignalDocument, now: Seconds, ttl: SignalTtl): Expired {
  const expired = Array.from(document.sessions).filter(
    ([, { signal, updatedAt }]) => now - updatedAt > ttlOf(signal, ttl),
  );
  if (expired.length === 0) return { document };
  const sessions = new Map(document.sessions);
  for (const [id] of expired) sessions.delete(id);
  if (sessions.size > 0) return { document: { ...document, sessions } };
  const isLost = expired.some(([, { signal }]) => wasAtSomething(signal));
  return { document: { ...document, sessions }, verdict: isLost ? "stale" : "idle" };
}

/** The document with the aggregate a reader concludes from what expired. A pause outlives its sessions. */
export function concluded({ document, verdict }: Expired): SignalDocument {
  if (document.sessions.size > 0) return { ...document, aggregate: documentAggregate(document) };
  return verdict === undefined || isPaused(document.aggregate) ? document : { ...document, aggregate: verdict };
}

/** Whether a stored aggregate says that monitoring is paused. */
export function isPaused(aggregate: Signal | undefined): boolean {
  return aggregate !== undefined && displayStateOf(aggregate) === "paused";
}

function ttlOf(signal: Signal, { session, completed }: SignalTtl): Seconds {
  return signal === "done" || signal === "tool_done" || signal === "subagent_stop" ? completed : session;
}

/** Whether a session with this signal was still at something, so that its silence is not to be trusted. */
function wasAtSomething(signal: Signal): boolean {
  if (signal === "tool_done" || signal === "subagent_stop") return false;
  const display = displayStateOf(signal);
  return display !== "ready" && display !== "completed";
}
