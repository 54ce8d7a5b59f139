import type { Signal } from "../../src/session/signal";
import type { SignalDocument } from "../../src/session/signal-document";
import { prune } from "../../src/session/signal-prune";
import { settle } from "../../src/session/signal-read";
import { snapshotOf } from "../../src/session/signal-snapshot";
import { documentOf, T } from "./signal-sample";

const TTL = { session: 1800, completed: 30 };
const RULES = { ttl: TTL, eventLimit: 50 };

function aggregateOf(sessions: Parameters<typeof documentOf>[0], aggregate?: Signal): Signal {
  return snapshotOf(documentOf(sessions, { aggregate })).aggregate;
}

test("vector 3: working, done and permission make permission", () => {
  expect(aggregateOf({ a: ["working", T], b: ["done", T], c: ["permission", T] })).toBe("permission");
});

test("vector 4: the more urgent of two wins", () => {
  expect(aggregateOf({ a: ["permission", T], b: ["blocked", T] })).toBe("blocked");
  expect(aggregateOf({ a: ["stale", T], b: ["working", T] })).toBe("stale");
  expect(aggregateOf({ a: ["stale", T], b: ["attention", T] })).toBe("attention");
  expect(aggregateOf({ a: ["done", T], b: ["idle", T] })).toBe("done");
  expect(aggregateOf({ a: ["off", T], b: ["working", T] })).toBe("off");
});

test("vector 5: a stored aggregate never outranks a session", () => {
  expect(aggregateOf({ a: ["working", T] }, "off")).toBe("working");
  expect(aggregateOf({ a: ["working", T] }, "stale")).toBe("working");
});

test("without sessions the stored aggregate counts, in its form; without either it is idle", () => {
  expect(aggregateOf({}, "pause")).toBe("off");
  expect(aggregateOf({}, "failure")).toBe("blocked");
  expect(aggregateOf({})).toBe("idle");
});

test("of two active sessions the newer one speaks, whatever the order", () => {
  expect(aggregateOf({ a: ["thinking", T], b: ["tool_done", T + 1] })).toBe("tool_done");
  expect(aggregateOf({ b: ["tool_done", T + 1], a: ["thinking", T] })).toBe("tool_done");
});

test("a session counts to the very end of its time", () => {
  const document = documentOf({ a: ["working", T], b: ["done", T + 1770], c: ["subagent_stop", T + 1769] });
  expect([...prune(document, T + 1800, TTL).sessions.keys()]).toEqual(["a", "b"]);
  expect([...prune(document, T + 1800.1, TTL).sessions.keys()]).toEqual([]);
});

test.each<[Signal, number]>([
  ["done", 30],
  ["tool_done", 30],
  ["subagent_stop", 30],
  ["working", 1800],
  ["idle", 1800],
  ["stale", 1800],
  ["subagent_start", 1800],
])("%s lives %i seconds", (signal, ttl) => {
  const document = documentOf({ a: [signal, T] });
  expect(prune(document, T + ttl, TTL).sessions.size).toBe(1);
  expect(prune(document, T + ttl + 1, TTL).sessions.size).toBe(0);
});

test.each<[Signal, Signal]>([
  ["working", "stale"],
  ["permission", "stale"],
  ["blocked", "stale"],
  ["stale", "stale"],
  ["subagent_start", "stale"],
  ["done", "idle"],
  ["tool_done", "idle"],
  ["subagent_stop", "idle"],
  ["idle", "idle"],
  ["session_start", "idle"],
  ["turn_end", "idle"],
])("when the last session was %s, its silence leaves %s", (signal, verdict) => {
  expect(prune(documentOf({ a: [signal, T] }), T + 5000, TTL).aggregate).toBe(verdict);
});

test("one lost session among finished ones is enough for stale; one that is left speaks for itself", () => {
  expect(prune(documentOf({ a: ["done", T], b: ["working", T] }), T + 5000, TTL).aggregate).toBe("stale");
  expect(prune(documentOf({ a: ["done", T], b: ["working", T] }), T + 40, TTL).aggregate).toBe("working");
});

test("a pause outlives the sessions; without sessions nothing is concluded", () => {
  expect(prune(documentOf({ a: ["working", T] }, { aggregate: "off" }), T + 5000, TTL).aggregate).toBe("off");
  expect(prune(documentOf({}, { aggregate: "permission" }), T + 5000, TTL).aggregate).toBe("permission");
});

test("a record from the future counts as set now", () => {
  const document = documentOf({ a: ["working", T + 900] });
  expect(prune(document, T, TTL).sessions.get("a")).toMatchObject({ signal: "working", updatedAt: T });
  expect(document.sessions.get("a")?.updatedAt).toBe(T + 900);
});

test("reading changes nothing where nothing is to change", () => {
  const document = documentOf({ a: ["working", T] }, { aggregate: "working", updatedAt: T });
  expect(settle(document, T + 10, RULES)).toEqual({ changed: false, document });
});

test.each<[string, SignalDocument, number]>([
  ["a session expired", documentOf({ a: ["done", T] }, { aggregate: "done" }), T + 31],
  ["a date lies in the future", documentOf({ a: ["done", T + 31] }, { aggregate: "done" }), T],
  ["the aggregate does not fit", documentOf({ a: ["done", T] }, { aggregate: "working" }), T],
])("reading brings the file along when %s", (_, document, now) => {
  const settled = settle(document, now, RULES);
  expect(settled.changed).toBe(true);
  expect(settled.document.updatedAt).toBe(now);
});

test("sessions are shown by urgency, then the newest first; events the newest first", () => {
  const document = documentOf({
    old: ["working", T],
    calm: ["idle", T + 9],
    late: ["thinking", T + 5],
    alarm: ["error", T],
  });
  const events = [1, 2, 3].map((number) => ({
    id: `e${number}`,
    sessionId: "old",
    signal: "working" as const,
    updatedAt: T + number,
    extra: { unknown: true },
  }));
  const snapshot = snapshotOf({ ...document, events });
  expect(snapshot.sessions.map(({ sessionId }) => sessionId)).toEqual(["alarm", "late", "old", "calm"]);
  expect(snapshot.recentEvents).toEqual(
    [3, 2, 1].map((number) => ({ id: `e${number}`, sessionId: "old", signal: "working", updatedAt: T + number })),
  );
});
