import { appendEvent, compactEvents } from "../../src/session/signal-events";
import type { SignalEvent } from "../../src/session/signal-document";
import { T } from "./signal-sample";

function event(id: string, updatedAt: number, more: Partial<SignalEvent> = {}): SignalEvent {
  return { id, sessionId: "s", signal: "working", updatedAt, extra: {}, ...more };
}

function append(events: readonly SignalEvent[], added: SignalEvent, limit = 50): string[] {
  return appendEvent(events, { ...added, eventId: added.id }, limit).map(({ id }) => id);
}

test("an equal event of the last four seconds is replaced, an older one stays", () => {
  expect(append([event("first", T)], event("second", T + 4))).toEqual(["second"]);
  expect(append([event("first", T)], event("second", T + 4.1))).toEqual(["first", "second"]);
});

test("the replaced event leaves its place: the new one is the newest", () => {
  expect(append([event("first", T), event("other", T, { signal: "done" })], event("second", T + 1))).toEqual([
    "other",
    "second",
  ]);
});

test("a clock that went back does not make equal events different", () => {
  expect(append([event("first", T)], event("second", T - 4))).toEqual(["second"]);
  expect(append([event("first", T)], event("second", T - 4.1))).toEqual(["first", "second"]);
});

test.each<[string, Partial<SignalEvent>, Partial<SignalEvent>, boolean]>([
  ["another session", { sessionId: "a" }, { sessionId: "b" }, false],
  ["another signal", { signal: "working" }, { signal: "thinking" }, false],
  ["another agent", { agent: "codex" }, { agent: "claude" }, false],
  ["an agent and none", { agent: "codex" }, {}, false],
  ["an empty agent and none", { agent: " " }, {}, true],
  ["the agent in another spelling", { agent: "Codex_CLI " }, { agent: "codex cli" }, true],
  ["another event", { event: "PreToolUse" }, { event: "Stop" }, false],
  ["the event in another spelling", { event: "Pre_Tool use" }, { event: "pre-tool-use" }, true],
  ["the event in one word", { event: "PreToolUse" }, { event: "pre-tool-use" }, false],
  ["no event and the signal's name", { signal: "done" }, { signal: "done", event: "Done" }, true],
])("equal or not: %s", (_, one, other, isEqual) => {
  expect(append([event("first", T, one)], event("second", T + 1, other))).toHaveLength(isEqual ? 1 : 2);
});

test("compacting walks from the oldest to the newest and keeps the last of equals", () => {
  const events = [event("a", T), event("b", T + 3), event("c", T + 6), event("d", T + 11)];
  expect(compactEvents(events, 50).map(({ id }) => id)).toEqual(["c", "d"]);
});

test("of two that a new one equals, the later in the history goes", () => {
  const events = [event("a", T), event("b", T + 7), event("c", T + 4)];
  expect(compactEvents(events, 50).map(({ id }) => id)).toEqual(["a", "c"]);
});

test("adding compacts what somebody else left", () => {
  const left = [event("a", T), event("b", T + 1)];
  expect(append(left, event("c", T + 1, { signal: "done" }))).toEqual(["b", "c"]);
});

test("vector 23: with a limit of two, the two newest of three events are kept", () => {
  const first = appendEvent([], { ...event("1", T, { event: "A" }), eventId: "1" }, 2);
  const second = appendEvent(first, { ...event("2", T, { event: "B" }), eventId: "2" }, 2);
  expect(append(second, event("3", T, { event: "C" }), 2)).toEqual(["2", "3"]);
});
