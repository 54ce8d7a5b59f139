import { SIGNALS, displayStateOf, type Signal } from "../../src/session/signal";
import { applySessionSignal, type SessionSignal } from "../../src/session/signal-apply";
import { EMPTY_SIGNAL_DOCUMENT, type SignalDocument } from "../../src/session/signal-document";
import { applyManualSignal } from "../../src/session/signal-manual";
import type { SignalRules } from "../../src/session/signal-rules";
import { snapshotOf } from "../../src/session/signal-snapshot";
import { documentOf, T } from "./signal-sample";

const RULES: SignalRules = { ttl: { session: 1800, completed: 30 }, eventLimit: 50 };

let events = 0;

/** A signal of session `s` unless said otherwise; its date is the moment it is applied. */
function send(
  document: SignalDocument,
  signal: Signal,
  at: number,
  more: Partial<SessionSignal> = {},
  now: number = at,
): ReturnType<typeof applySessionSignal> {
  events += 1;
  return applySessionSignal(document, { sessionId: "s", signal, date: at, eventId: `${events}`, ...more }, now, RULES);
}

/** The document after one signal after another, each with the seconds since `T`. */
function after(...sent: [signal: Signal, seconds: number, more?: Partial<SessionSignal>][]): SignalDocument {
  return sent.reduce(
    (document, [signal, seconds, more]) => send(document, signal, T + seconds, more).document,
    EMPTY_SIGNAL_DOCUMENT,
  );
}

function manual(document: SignalDocument, signal: Signal, now: number): SignalDocument {
  return applyManualSignal(document, { signal, eventId: "by hand" }, now, RULES);
}

function signalsOf({ sessions }: SignalDocument): Record<string, Signal> {
  return Object.fromEntries(Array.from(sessions, ([id, { signal }]) => [id, signal]));
}

const logged = ({ events }: SignalDocument) => events.map(({ signal }) => signal);

test("vector 6: permission, then turn_end leaves nothing but the log", () => {
  const document = after(["permission", 0], ["turn_end", 1]);
  expect(document.aggregate).toBe("idle");
  expect(signalsOf(document)).toEqual({});
  expect(snapshotOf(document).recentEvents[0]?.signal).toBe("turn_end");
});

test("vector 7: done settles a permission at once", () => {
  expect(after(["permission", 0], ["done", 0]).aggregate).toBe("done");
});

test("vector 8: done settles an older attention", () => {
  expect(after(["attention", 0], ["done", 30]).aggregate).toBe("done");
});

test("vector 9: done and blocked outlive session_end, permission does not; all are logged", () => {
  const done = after(["done", 0], ["session_end", 1]);
  const blocked = after(["blocked", 0], ["session_end", 1]);
  const permission = after(["permission", 0], ["session_end", 1]);
  expect([done.aggregate, signalsOf(done), logged(done)]).toEqual(["done", { s: "done" }, ["done", "session_end"]]);
  expect([blocked.aggregate, signalsOf(blocked), logged(blocked)]).toEqual([
    "blocked",
    { s: "blocked" },
    ["blocked", "session_end"],
  ]);
  expect([permission.aggregate, signalsOf(permission), logged(permission)]).toEqual([
    "idle",
    {},
    ["permission", "session_end"],
  ]);
});

test("vector 10: session_end leaves a pause as it is", () => {
  const document = after(["off", 0], ["session_end", 1]);
  expect(document.aggregate).toBe("off");
  expect(signalsOf(document)).toEqual({});
});

test("vector 11: the next signal ends a pause", () => {
  const document = after(["off", 0], ["working", 1]);
  expect(document.aggregate).toBe("working");
  expect(signalsOf(document)).toEqual({ s: "working" });
});

test("vector 12: a signal by hand stands among the sessions", () => {
  const document = manual(after(["permission", 0, { sessionId: "s1" }]), "working", T + 1);
  expect(document.aggregate).toBe("permission");
  expect(snapshotOf(document).sessions.map(({ sessionId }) => sessionId)).toEqual(["s1", "manual"]);
});

test("vector 13: idle by hand clears the sessions and is logged as ManualSet", () => {
  const document = manual(after(["working", 0]), "idle", T + 1);
  expect(document.aggregate).toBe("idle");
  expect(signalsOf(document)).toEqual({});
  expect(document.events.at(-1)).toMatchObject({
    sessionId: "manual",
    agent: "manual",
    signal: "idle",
    event: "ManualSet",
    updatedAt: T + 1,
  });
});

test("vector 14: a signal older than the record is ignored and not logged", () => {
  const before = after(["permission", 0]);
  const { outcome, document } = send(before, "working", T - 20, {}, T + 1);
  expect(outcome).toBe("ignored");
  expect(document).toBe(before);
});

test("the document's time is the signal's, not the moment it was applied", () => {
  expect(send(after(["working", 0]), "blocked", T + 1, {}, T + 3).document.updatedAt).toBe(T + 1);
});

test("a signal of the record's own date counts", () => {
  expect(send(after(["working", 0]), "blocked", T, {}, T + 1).outcome).toBe("changed");
});

test("vector 15: attention does not hide a fresh permission, and is logged", () => {
  const document = after(["permission_request", 0], ["attention", 1]);
  expect(document.sessions.get("s")).toMatchObject({ signal: "permission_request", updatedAt: T });
  expect(logged(document)).toEqual(["permission_request", "attention"]);
});

test("vector 16: after more than the hold, work goes on", () => {
  expect(after(["permission_request", 0], ["working", 10]).aggregate).toBe("working");
  expect(after(["permission_request", 0], ["tool_done", 10]).aggregate).toBe("tool_done");
});

test("the hold ends after five seconds, and counts from the alert, not from what it held", () => {
  expect(after(["permission", 0], ["working", 5]).aggregate).toBe("permission");
  expect(after(["permission", 0], ["working", 5.1]).aggregate).toBe("working");
  expect(after(["attention", 0], ["thinking", 4], ["working", 6]).aggregate).toBe("working");
});

test.each<[Signal, boolean]>([
  ["thinking", true],
  ["tool_done", true],
  ["subagent_stop", true],
  ["notification", true],
  ["permission", false],
  ["permission_request", false],
  ["blocked", false],
  ["max_tokens", false],
  ["stale", false],
  ["done", false],
  ["idle", false],
  ["session_start", false],
])("%s one second after an attention: held %s", (signal, isHeld) => {
  const document = after(["attention", 0], [signal, 1]);
  expect(document.sessions.get("s")?.signal).toBe(isHeld ? "attention" : signal === "session_start" ? "idle" : signal);
});

test("vector 17: a heartbeat of what is done wakes nothing and is not logged", () => {
  const before = after(["done", 0]);
  const { outcome, document } = send(before, "thinking", T + 1, { event: "DesktopActivityHeartbeat" });
  expect(outcome).toBe("ignored");
  expect(document.aggregate).toBe("done");
  expect(document.events).toEqual(before.events);
});

test.each<[string | undefined, Signal, boolean]>([
  ["DesktopThinking", "thinking", true],
  ["DesktopMessage", "working", true],
  ["DesktopToolDone", "tool_done", true],
  ["DesktopActivityHeartbeat", "working", true],
  ["desktopthinking", "thinking", false],
  ["DesktopToolCall:shell", "working", false],
  ["DesktopThinking", "permission", false],
  ["DesktopThinking", "done", false],
  [undefined, "working", false],
])("%s with %s after done is a replay: %s", (event, signal, isReplay) => {
  expect(send(after(["done", 0]), signal, T + 1, { event }).outcome).toBe(isReplay ? "ignored" : "changed");
});

test("vector 21: a replay after the finished session expired leaves idle and nothing else", () => {
  const { outcome, document } = send(after(["done", 0]), "thinking", T + 31, { event: "DesktopThinking" });
  expect(outcome).toBe("ignored");
  expect(document.aggregate).toBe("idle");
  expect(signalsOf(document)).toEqual({});
});

test("vector 22: what is repeated within four seconds is logged once", () => {
  const document = after(
    ["working", 0, { event: "PreToolUse" }],
    ["working", 1, { event: "PreToolUse" }],
    ["working", 2, { event: "PreToolUse" }],
    ["tool_done", 3, { event: "PostToolUse" }],
    ["done", 3, { event: "Stop" }],
  );
  expect(snapshotOf(document).recentEvents.map(({ signal }) => signal)).toEqual(["done", "tool_done", "working"]);
});

test("vector 38: a blocked session outranks a working one, and both stay", () => {
  const document = after(["blocked", 0, { sessionId: "s1" }], ["working", 1, { sessionId: "s2" }]);
  expect(document.aggregate).toBe("blocked");
  expect(signalsOf(document)).toEqual({ s1: "blocked", s2: "working" });
});

test("blocked is left by work, not by done or the end of the turn", () => {
  expect(after(["blocked", 0], ["done", 10]).aggregate).toBe("blocked");
  expect(after(["blocked", 0], ["turn_end", 10]).aggregate).toBe("blocked");
  expect(after(["blocked", 0], ["thinking", 0]).aggregate).toBe("thinking");
});

test.each(SIGNALS)("what session_end leaves of %s", (signal) => {
  const document = send(documentOf({ s: [signal, T] }), "session_end", T + 1).document;
  const stays = ["completed", "needs_review", "blocked", "stale", "paused"].includes(displayStateOf(signal));
  expect(signalsOf(document)).toEqual(stays ? { s: signal } : {});
});

test("a pause clears every session, not only its own, and is logged by its own name", () => {
  const document = send(documentOf({ a: ["working", T], b: ["permission", T] }), "pause", T + 1).document;
  expect(document.aggregate).toBe("off");
  expect(signalsOf(document)).toEqual({});
  expect(logged(document)).toEqual(["pause"]);
});

test("session_start is recorded as idle and logged as session_start", () => {
  const document = after(["session_start", 0]);
  expect(signalsOf(document)).toEqual({ s: "idle" });
  expect(logged(document)).toEqual(["session_start"]);
});

test("agent and event are the signal's own, never the record's before", () => {
  const document = after(["working", 0, { agent: "codex", event: "PreToolUse" }], ["thinking", 1]);
  expect(document.sessions.get("s")).toEqual({ signal: "thinking", updatedAt: T + 1, extra: {} });
});

const QUOTA = { remaining_percent: 40, updated_at: T };

test("a session keeps its quota and unknown keys, even when its record has just expired", () => {
  const kept = { quota: QUOTA, extra: { color: "red" } };
  const fresh = send(documentOf({ s: ["working", T, kept] }), "done", T + 1).document;
  expect(fresh.sessions.get("s")).toMatchObject(kept);
  const expired = send(documentOf({ s: ["working", T, kept] }), "done", T + 4000).document;
  expect(expired.sessions.get("s")).toMatchObject(kept);
  expect(
    send(fresh, "idle", T + 2, { quota: { ...QUOTA, remaining_percent: 39 } }).document.sessions.get("s"),
  ).toMatchObject({
    quota: { remaining_percent: 39 },
  });
});

test("a removed session loses its quota", () => {
  const removed = send(documentOf({ s: ["working", T, { quota: QUOTA }] }), "turn_end", T + 1).document;
  expect(send(removed, "working", T + 2).document.sessions.get("s")?.quota).toBeUndefined();
});

test("a record from the future does not shut its session out", () => {
  const { outcome, document } = send(documentOf({ s: ["working", T + 9000] }), "blocked", T);
  expect(outcome).toBe("changed");
  expect(document.sessions.get("s")).toMatchObject({ signal: "blocked", updatedAt: T });
});

test("an alert from the future is held for five seconds from now, not until then", () => {
  const first = send(documentOf({ s: ["permission", T + 9000] }), "working", T);
  expect(first.document.sessions.get("s")).toMatchObject({ signal: "permission", updatedAt: T });
  expect(send(first.document, "working", T + 5.5).document.aggregate).toBe("working");
});

test.each<[Signal, Signal]>([
  ["idle", "idle"],
  ["session_start", "idle"],
  ["session_end", "idle"],
  ["turn_end", "idle"],
  ["off", "off"],
  ["pause", "pause"],
  ["paused", "paused"],
])("%s by hand clears the sessions and is logged as %s", (signal, name) => {
  const document = manual(after(["working", 0]), signal, T + 1);
  expect(signalsOf(document)).toEqual({});
  expect(document.aggregate).toBe(displayStateOf(signal) === "paused" ? "off" : "idle");
  expect(document.events.at(-1)?.signal).toBe(name);
});

test("any other signal by hand replaces the one before it, without any hold", () => {
  const document = manual(manual(EMPTY_SIGNAL_DOCUMENT, "permission", T), "working", T + 1);
  expect(document.sessions.get("manual")).toEqual({
    agent: "manual",
    signal: "working",
    lastEvent: "ManualSet",
    updatedAt: T + 1,
    extra: {},
  });
  expect(document.aggregate).toBe("working");
});

test("what expired is gone with the next signal, without making the rest stale", () => {
  const document = send(documentOf({ old: ["working", T] }, { aggregate: "working" }), "turn_end", T + 4000).document;
  expect(signalsOf(document)).toEqual({});
  expect(document.aggregate).toBe("idle");
});
