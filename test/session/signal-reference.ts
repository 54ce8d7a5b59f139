/**
 * A second, plain model of Agent Signal's document, against which the real one is held. It shares no code with it: its
 * own table, mutable records, one step after the other as the original's behavior is described. Slow and naive on
 * purpose.
 */

export interface ReferenceRecord {
  agent: string | null;
  signal: string;
  event: string | null;
  at: number;
  quota: unknown;
}

export interface ReferenceEvent {
  id: string;
  session: string;
  agent: string | null;
  signal: string;
  event: string | null;
  at: number;
}

export interface ReferenceDocument {
  aggregate: string | null;
  at: number | null;
  sessions: Map<string, ReferenceRecord>;
  events: ReferenceEvent[];
}

export interface ReferenceSettings {
  sessionTtl: number;
  completedTtl: number;
  limit: number;
}

const DISPLAYS: [display: string, priority: number, form: string | null, signals: string[]][] = [
  ["paused", 100, "off", ["off", "pause", "paused"]],
  ["blocked", 90, "blocked", ["blocked", "failure", "error", "exception", "max_tokens"]],
  ["permission", 80, "permission", ["permission", "permission_request"]],
  ["needs_review", 70, "attention", ["attention", "notification"]],
  ["stale", 60, "stale", ["stale"]],
  ["active", 50, null, ["thinking", "working", "tool_done", "subagent_start", "subagent_stop"]],
  ["completed", 40, "done", ["done"]],
  ["ready", 0, "idle", ["idle", "session_start", "session_end", "turn_end"]],
];

/** The order in which the original lists the active signals; it settles a tie of equal dates. */
const ACTIVE_ORDER = ["thinking", "working", "tool_done", "subagent_start", "subagent_stop"];

function rowOf(signal: string) {
  for (const row of DISPLAYS) if (row[3].includes(signal)) return row;
  throw new Error(`The reference knows no signal ${signal}`);
}

const display = (signal: string) => rowOf(signal)[0];
const priority = (signal: string) => rowOf(signal)[1];
const form = (signal: string) => rowOf(signal)[2] ?? signal;

export function emptyReference(): ReferenceDocument {
  return { aggregate: null, at: null, sessions: new Map(), events: [] };
}

export function referenceAggregate(document: ReferenceDocument): string {
  const records = [...document.sessions.values()];
  if (records.length === 0) return document.aggregate === null ? "idle" : form(document.aggregate);
  let highest = -1;
  for (const record of records) highest = Math.max(highest, priority(record.signal));
  const candidates = records.filter((record) => priority(record.signal) === highest);
  if (highest !== 50) return form(candidates[0]?.signal ?? "idle");
  const newest = Math.max(...candidates.map((record) => record.at));
  const tied = candidates.filter((record) => record.at === newest).map((record) => record.signal);
  return ACTIVE_ORDER.find((signal) => tied.includes(signal)) ?? "idle";
}

/** What expires, in place. Says what a reader would conclude: null when there was no session or one is left. */
function pruneReference(document: ReferenceDocument, now: number, settings: ReferenceSettings): string | null {
  const had = document.sessions.size > 0;
  let lost = false;
  for (const [id, record] of [...document.sessions]) {
    const short = ["done", "tool_done", "subagent_stop"].includes(record.signal);
    if (now - record.at <= (short ? settings.completedTtl : settings.sessionTtl)) continue;
    document.sessions.delete(id);
    if (!short && !["idle", "session_start", "session_end", "turn_end"].includes(record.signal)) lost = true;
  }
  if (!had || document.sessions.size > 0) return null;
  return lost ? "stale" : "idle";
}

function concludeReference(document: ReferenceDocument, verdict: string | null): void {
  if (document.sessions.size > 0) document.aggregate = referenceAggregate(document);
  else if (verdict !== null && !(document.aggregate !== null && display(document.aggregate) === "paused")) {
    document.aggregate = verdict;
  }
}

function clampReference(document: ReferenceDocument, now: number): boolean {
  let clamped = false;
  for (const [id, record] of document.sessions) {
    if (record.at <= now) continue;
    document.sessions.set(id, { ...record, at: now });
    clamped = true;
  }
  return clamped;
}

function sameEvent(one: ReferenceEvent, other: ReferenceEvent): boolean {
  const plain = (name: string) => name.trim().toLowerCase().split("_").join("-").split(" ").join("-");
  const agent = (event: ReferenceEvent) => (event.agent === null ? "" : plain(event.agent));
  const name = (event: ReferenceEvent) => (event.event === null ? event.signal : plain(event.event));
  return (
    one.session === other.session &&
    agent(one) === agent(other) &&
    one.signal === other.signal &&
    name(one) === name(other) &&
    Math.abs(one.at - other.at) <= 4
  );
}

function pushEvent(events: ReferenceEvent[], event: ReferenceEvent): void {
  for (let place = events.length - 1; place >= 0; place -= 1) {
    const earlier = events[place];
    if (earlier !== undefined && sameEvent(earlier, event)) {
      events.splice(place, 1);
      break;
    }
  }
  events.push(event);
}

function compactReference(document: ReferenceDocument, limit: number): void {
  const events: ReferenceEvent[] = [];
  for (const event of document.events) pushEvent(events, event);
  while (events.length > limit) events.shift();
  document.events = events;
}

function logReference(document: ReferenceDocument, event: ReferenceEvent, limit: number): void {
  pushEvent(document.events, event);
  compactReference(document, limit);
}

/** A signal set by hand; changes the document in place. */
export function referenceManual(
  document: ReferenceDocument,
  given: string,
  id: string,
  now: number,
  settings: ReferenceSettings,
): void {
  const signal = ["session_start", "session_end", "turn_end"].includes(given) ? "idle" : given;
  clampReference(document, now);
  pruneReference(document, now, settings);
  if (display(signal) === "ready") {
    document.sessions.clear();
    document.aggregate = "idle";
  } else if (display(signal) === "paused") {
    document.sessions.clear();
    document.aggregate = "off";
  } else {
    document.sessions.set("manual", { agent: "manual", signal, event: "ManualSet", at: now, quota: undefined });
    document.aggregate = referenceAggregate(document);
  }
  logReference(
    document,
    { id, session: "manual", agent: "manual", signal, event: "ManualSet", at: now },
    settings.limit,
  );
  document.at = now;
}

/** A session's signal; changes the document in place and says whether it is to be written. */
export function referenceSession(
  document: ReferenceDocument,
  given: { session: string; signal: string; agent: string | null; event: string | null; date: number; id: string },
  now: number,
  settings: ReferenceSettings,
): boolean {
  const { session, signal, agent, event, date, id } = given;
  const found = document.sessions.get(session);
  // Late, unless the record itself is from the future: ours then counts it as set just now.
  if (found !== undefined && found.at > date && found.at <= now) return false;
  clampReference(document, now);
  const before = document.sessions.get(session);
  const verdict = pruneReference(document, now, settings);
  const current = document.sessions.get(session) ?? before;
  const replayed = ["DesktopActivityHeartbeat", "DesktopThinking", "DesktopMessage", "DesktopToolDone"];
  if (
    current !== undefined &&
    display(current.signal) === "completed" &&
    display(signal) === "active" &&
    event !== null &&
    replayed.includes(event)
  ) {
    concludeReference(document, verdict);
    return false;
  }
  const hold =
    current !== undefined &&
    ["permission", "needs_review"].includes(display(current.signal)) &&
    ["active", "completed", "needs_review"].includes(display(signal)) &&
    date - current.at <= 5;
  const standing = document.sessions.get(session);
  const stands = (displays: string[]) => standing !== undefined && displays.includes(display(standing.signal));
  const put = (put: string) =>
    document.sessions.set(session, { agent, signal: put, event, at: date, quota: before?.quota });
  const restIfEmpty = () => {
    const paused = document.aggregate !== null && display(document.aggregate) === "paused";
    if (document.sessions.size === 0 && !paused) document.aggregate = "idle";
  };
  if (display(signal) === "paused") {
    document.sessions.clear();
    document.aggregate = "off";
  } else if (signal === "session_end") {
    if (!stands(["completed", "needs_review", "blocked", "stale", "paused"])) document.sessions.delete(session);
    restIfEmpty();
  } else if (signal === "turn_end") {
    if (!stands(["blocked"])) document.sessions.delete(session);
    restIfEmpty();
  } else if (signal === "idle" || signal === "session_start") {
    put("idle");
  } else if (signal === "done") {
    if (!stands(["blocked", "stale", "paused"])) put("done");
  } else if (!hold) {
    put(signal);
  }
  if (display(signal) !== "paused") document.aggregate = referenceAggregate(document);
  logReference(document, { id, session, agent, signal, event, at: date }, settings.limit);
  document.at = date;
  return true;
}

/** What reading does; changes the document in place and says whether it is to be written. */
export function referenceRead(document: ReferenceDocument, now: number, settings: ReferenceSettings): boolean {
  const before = { sessions: document.sessions.size, events: document.events.length, aggregate: document.aggregate };
  const clamped = clampReference(document, now);
  const verdict = pruneReference(document, now, settings);
  compactReference(document, settings.limit);
  concludeReference(document, verdict);
  const changed =
    clamped ||
    document.sessions.size !== before.sessions ||
    document.events.length !== before.events ||
    document.aggregate !== before.aggregate;
  if (changed) document.at = now;
  return changed;
}

/** The document as a file would give it back: whole seconds, the fraction dropped. */
export function throughFile(document: ReferenceDocument): ReferenceDocument {
  return {
    aggregate: document.aggregate,
    at: document.at === null ? null : Math.floor(document.at),
    sessions: new Map([...document.sessions].map(([id, record]) => [id, { ...record, at: Math.floor(record.at) }])),
    events: document.events.map((event) => ({ ...event, at: Math.floor(event.at) })),
  };
}
