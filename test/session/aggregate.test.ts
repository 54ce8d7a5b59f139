import fc from "fast-check";
import { aggregateSessions, signalOf } from "../../src/session/aggregate";
import { displayStateOf, PRIORITY, priorityOf, SIGNALS, type DisplayState } from "../../src/session/signal";
import { needsYou, STATES, WAIT_KINDS, type State, type WaitKind } from "../../src/session/state";
import { propertyRuns } from "../property-runs";

const NOW = 1_800_000_000;

interface Given {
  unread?: boolean;
  waitingFor?: WaitKind;
  since?: number;
}

function session(state: State, { unread = false, waitingFor, since = NOW - 10 }: Given = {}) {
  return { state, unread, needsYou: needsYou(state), waitingFor, since };
}

function aggregate(
  sessions: ReturnType<typeof session>[],
  around: { paused?: boolean; unreliable?: boolean; stored?: "off" | "done" } = {},
) {
  return aggregateSessions(sessions, { paused: false, unreliable: false, now: NOW, ...around });
}

test.each<[State, Given, DisplayState]>([
  ["idle", {}, "ready"],
  ["dormant", {}, "ready"],
  ["dormant", { unread: true }, "ready"],
  ["scheduled", {}, "ready"],
  ["working", {}, "active"],
  ["waitingForSubagents", {}, "active"],
  ["compacting", {}, "active"],
  ["done", { unread: true }, "completed"],
  ["done", {}, "ready"],
  ["waiting", {}, "permission"],
  ["waiting", { waitingFor: "permission" }, "permission"],
  ["waiting", { waitingFor: "input" }, "needs_review"],
  ["decision", {}, "permission"],
  ["failed", {}, "blocked"],
  ["unknown", {}, "stale"],
])("%s %j shows as %s", (state, given, display) => {
  expect(displayStateOf(signalOf(session(state, given)))).toBe(display);
});

test("the display states' priorities are the original's", () => {
  expect(PRIORITY).toEqual({
    paused: 100,
    blocked: 90,
    permission: 80,
    needs_review: 70,
    stale: 60,
    active: 50,
    completed: 40,
    ready: 0,
  });
});

test("the aggregate counts who needs the user, what is unread and what works", () => {
  const sessions = [
    session("waiting"),
    session("failed"),
    session("done", { unread: true }),
    session("dormant", { unread: true }),
    session("working"),
    session("waitingForSubagents"),
    session("idle"),
  ];
  expect(aggregate(sessions)).toEqual({
    signal: "blocked",
    displayState: "blocked",
    priority: 90,
    needsYou: 2,
    unread: 2,
    working: 2,
    total: 7,
  });
});

test("done never hides work: two work, one is done", () => {
  expect(aggregate([session("done", { unread: true }), session("working"), session("working")]).displayState).toBe(
    "active",
  );
});

test("paused outranks everything", () => {
  expect(aggregate([session("failed")], { paused: true }).displayState).toBe("paused");
});

test("a source that cannot be trusted makes it at least stale, and hides no one who waits", () => {
  expect(aggregate([session("working")], { unreliable: true }).displayState).toBe("stale");
  expect(aggregate([session("waiting")], { unreliable: true }).displayState).toBe("permission");
});

test("a stored aggregate counts only when there is no session", () => {
  expect(aggregate([], { stored: "done" }).displayState).toBe("completed");
  expect(aggregate([session("idle")], { stored: "done" }).displayState).toBe("ready");
});

test("nothing at all is idle", () => {
  expect(aggregate([])).toMatchObject({ signal: "idle", displayState: "ready", priority: 0, total: 0 });
});

const anySession = fc
  .record({
    state: fc.constantFrom(...STATES),
    unread: fc.boolean(),
    waitingFor: fc.option(fc.constantFrom(...WAIT_KINDS), { nil: undefined }),
    since: fc.integer({ min: NOW - 5, max: NOW }),
  })
  .map((given) => ({ ...given, needsYou: needsYou(given.state) }));

test("the aggregate is the maximum of its sessions' priorities", () => {
  fc.assert(
    fc.property(fc.array(anySession, { minLength: 1, maxLength: 10 }), (sessions) => {
      expect(aggregate(sessions).priority).toBe(Math.max(...sessions.map((each) => priorityOf(signalOf(each)))));
    }),
    propertyRuns(3000),
  );
});

test("the order of the sessions never matters", () => {
  fc.assert(
    fc.property(
      fc
        .array(anySession, { maxLength: 8 })
        .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([sessions, shuffled]) => {
        expect(aggregate(shuffled)).toEqual(aggregate(sessions));
      },
    ),
    propertyRuns(3000),
  );
});

test("one more session never lowers the aggregate", () => {
  fc.assert(
    fc.property(fc.array(anySession, { minLength: 1, maxLength: 8 }), anySession, (sessions, more) => {
      expect(aggregate([...sessions, more]).priority).toBeGreaterThanOrEqual(aggregate(sessions).priority);
    }),
    propertyRuns(2000),
  );
});

test("every signal has a display state with a priority", () => {
  expect(SIGNALS).toHaveLength(23);
  for (const signal of SIGNALS) expect(PRIORITY[displayStateOf(signal)]).toBeGreaterThanOrEqual(0);
});
