import { summaryLine } from "../../../src/cli/summary";
import { segmentOf, UNREADABLE } from "../../../src/cli/bars/segment";
import { STATES } from "../../../src/session/state";
import { PROBLEM, session, sessionsOf, SIZES, snapshotOf } from "./snapshots";

const PLAIN = { always: false, short: false, title: false };

function text(...[snapshot, request = PLAIN]: [Parameters<typeof segmentOf>[0], Parameters<typeof segmentOf>[1]?]) {
  const { counts, gap } = segmentOf(snapshot, request);
  return counts.map((each) => each.text).join(gap);
}

test("counts what is up, most urgent first", () => {
  const snapshot = snapshotOf(
    [
      session("decision", "a"),
      session("failed", "b"),
      session("done", "c", { unread: true }),
      session("working", "d"),
      session("waitingForSubagents", "e"),
      session("scheduled", "f"),
      session("unknown", "g"),
      session("idle", "h"),
    ],
    { problems: [PROBLEM, PROBLEM, { ...PROBLEM, file: "/other" }] },
  );
  expect(text(snapshot)).toBe("2 need you, 1 unread, 2 working, 1 scheduled, 1 unknown, 2 problems");
  expect(text(snapshot, { ...PLAIN, short: true })).toBe("!2 ✓1 ▶2 ◷1 ~1 ⚠2");
});

test("is empty when nothing is up, and zero when that is wanted", () => {
  for (const snapshot of [snapshotOf([]), snapshotOf([session("idle", "a"), session("dormant", "b")])]) {
    expect(text(snapshot)).toBe("");
    expect(text(snapshot, { ...PLAIN, always: true })).toBe("0 need you");
    expect(text(snapshot, { always: true, short: true, title: true })).toBe("!0");
  }
  expect(text(snapshotOf([session("working", "a")]), { ...PLAIN, always: true })).toBe("1 working");
});

test("a pause leads", () => {
  expect(text(snapshotOf([session("waiting", "a")], { paused: true }))).toBe("paused, 1 needs you");
});

test("names the session that has waited longest, cut to what a bar has room for", () => {
  const snapshot = snapshotOf([
    session("waiting", "new", { since: 5 }),
    session("waiting", "old", { since: 2, title: "Long\n".repeat(20) }),
    session("working", "b", { since: 1 }),
  ]);
  const { title } = segmentOf(snapshot, { ...PLAIN, title: true });
  expect(title).toBe("Long Long Long Long Long Long…".slice(0, 30));
  expect(segmentOf(snapshot, PLAIN).title).toBeUndefined();
  expect(segmentOf(snapshotOf([session("working", "b")]), { ...PLAIN, title: true }).title).toBeUndefined();
});

test.each(SIZES)("has the words of agent-sessions status with %i sessions", (count) => {
  const snapshot = snapshotOf(sessionsOf(count));
  expect(text(snapshot) || "idle").toBe(summaryLine(snapshot, false));
});

test.each(STATES)("has the words of agent-sessions status for %s", (state) => {
  const snapshot = snapshotOf([session(state, "a")]);
  expect(text(snapshot) || "idle").toBe(summaryLine(snapshot, false));
});

test("what could not be read is not shown as nothing", () => {
  expect(UNREADABLE.counts.map((each) => each.text)).toEqual(["sessions cannot be read"]);
});
