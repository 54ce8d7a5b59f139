import fc from "fast-check";
import { sectionOf, type Section } from "../../src/session/section";
import { sortSessions } from "../../src/session/sort";
import { needsYou, STATES, type State } from "../../src/session/state";
import { propertyRuns } from "../property-runs";

function row(
  id: string,
  state: State,
  { since = 100, unread = false, wakeupAt }: { since?: number; unread?: boolean; wakeupAt?: number } = {},
) {
  return { id, state, unread, since, wakeupAt };
}

test.each<[State, boolean, Section]>([
  ["waiting", false, "needsYou"],
  ["waiting", true, "needsYou"],
  ["decision", false, "needsYou"],
  ["failed", false, "needsYou"],
  ["done", true, "unread"],
  ["waitingForSubagents", true, "unread"],
  ["scheduled", true, "unread"],
  ["dormant", true, "unread"],
  ["working", false, "working"],
  ["working", true, "working"],
  ["compacting", true, "working"],
  ["waitingForSubagents", false, "working"],
  ["scheduled", false, "scheduled"],
  ["idle", false, "idle"],
  ["dormant", false, "ended"],
  ["unknown", false, "unknown"],
  ["unknown", true, "unknown"],
])("%s, unread %s, stands in %s", (state, unread, section) => {
  expect(sectionOf({ state, unread })).toBe(section);
});

test("waiting, decision and failed need the user; nothing else does", () => {
  expect(STATES.filter(needsYou)).toEqual(["waiting", "decision", "failed"]);
});

test("the sections' order, and the states' within them", () => {
  const sorted = sortSessions([
    row("unknown", "unknown"),
    row("ended", "dormant"),
    row("idle", "idle"),
    row("scheduled", "scheduled"),
    row("subagents", "waitingForSubagents"),
    row("compacting", "compacting"),
    row("working", "working"),
    row("ended unread", "dormant", { unread: true }),
    row("done", "done", { unread: true }),
    row("failed", "failed"),
    row("waiting", "waiting"),
    row("decision", "decision"),
  ]);
  expect(sorted.map(({ id }) => id)).toEqual([
    "decision",
    "waiting",
    "failed",
    "done",
    "ended unread",
    "working",
    "compacting",
    "subagents",
    "scheduled",
    "idle",
    "ended",
    "unknown",
  ]);
});

test("who waits longest comes first; of the rest, the latest", () => {
  const waiting = [row("late", "waiting", { since: 300 }), row("early", "waiting", { since: 100 })];
  const working = [row("old", "working", { since: 100 }), row("new", "working", { since: 300 })];
  expect(sortSessions([...working, ...waiting]).map(({ id }) => id)).toEqual(["early", "late", "new", "old"]);
});

test("what wakes up next comes first", () => {
  const rows = [
    row("later", "scheduled", { wakeupAt: 900 }),
    row("sooner", "scheduled", { wakeupAt: 500 }),
    row("never", "scheduled"),
  ];
  expect(sortSessions(rows).map(({ id }) => id)).toEqual(["sooner", "later", "never"]);
});

test("the order of the input never matters, and nothing is lost", () => {
  const rows = fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 3 }),
      state: fc.constantFrom(...STATES),
      unread: fc.boolean(),
      since: fc.integer({ min: 0, max: 3 }),
      wakeupAt: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  );
  fc.assert(
    fc.property(
      rows.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        expect(sortSessions(shuffled)).toEqual(sortSessions(list));
        expect(new Set(sortSessions(list))).toEqual(new Set(list));
      },
    ),
    propertyRuns(2000),
  );
});
