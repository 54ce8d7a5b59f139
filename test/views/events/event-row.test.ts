import * as fc from "fast-check";
import type { TimelineEntry } from "../../../src/session/event-line";
import { copyText, dayTitle, keywordsOf, rowsOf, rowsAbout } from "../../../src/views/events/event-row";
import { requestOf, sessionFilter } from "../../../src/views/events/event-filter";
import { propertyRuns } from "../../property-runs";

/** A day at noon here, wherever that is. */
const NOON = new Date(2026, 5, 15, 12).getTime() / 1000;
const HOUR = 3600;

function event(at: number, more: Partial<Extract<TimelineEntry, { outcome: "event" }>> = {}): TimelineEntry {
  return {
    outcome: "event",
    agent: "claude",
    sessionId: "s1",
    at,
    event: "Stop",
    from: "hook",
    after: "done",
    ...more,
  };
}

describe("the day of a moment", () => {
  test.each([
    [NOON, "Today"],
    [NOON - 12 * HOUR, "Today"],
    [NOON + 11 * HOUR, "Today"],
    [NOON - 12 * HOUR - 1, "Yesterday"],
    [NOON - 36 * HOUR, "Yesterday"],
    [NOON - 36 * HOUR - 1, "Saturday, June 13"],
    [NOON - 365 * 24 * HOUR, "Sunday, June 15, 2025"],
  ])("%d is %s", (at, title) => {
    expect(dayTitle(at, NOON)).toBe(title);
  });

  test("the first of a year has a yesterday", () => {
    const first = new Date(2026, 0, 1, 8).getTime() / 1000;
    expect(dayTitle(first - 10 * HOUR, first)).toBe("Yesterday");
  });
});

describe("rows", () => {
  test("come newest first, each with an id of its own that stays when others come", () => {
    const entries = [event(1), event(2), event(2), event(3)];
    const before = rowsOf(entries, new Map());
    expect(before.map(({ entry }) => entry.at)).toEqual([3, 2, 2, 1]);
    expect(new Set(before.map(({ id }) => id)).size).toBe(4);
    const after = rowsOf([...entries, event(4)], new Map());
    expect(after.slice(1).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test("have well-formed ids and words, whatever an entry holds", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, (sessionId, name, title) => {
        const titles = new Map([[`claude:${sessionId}`, title]]);
        for (const row of rowsOf([event(1, { sessionId, event: name, tool: name, subagent: name })], titles)) {
          for (const each of [row.id, copyText(row), ...keywordsOf(row)]) expect(each.isWellFormed()).toBe(true);
          expect(copyText(row)).not.toContain("\n");
        }
      }),
      propertyRuns(200),
    );
  });

  test("are found by words in the title or a keyword, all of which have to be there", () => {
    const entries = Array.from({ length: 50 }, (_, index) =>
      event(index, { event: index === 3 ? "PreCompact" : "Stop" }),
    );
    const rows = rowsOf(entries, new Map([["claude:s1", "Fix the build"]]));
    expect(rowsAbout(rows, [])).toBe(rows);
    expect(rowsAbout(rows, ["compact"]).map(({ entry }) => entry.at)).toEqual([3]);
    expect(rowsAbout(rows, ["build", "fix"])).toHaveLength(50);
    expect(rowsAbout(rows, ["compact", "nowhere"])).toEqual([]);
  });
});

test("an event is copied with everything it says, on one line", () => {
  const [row] = rowsOf(
    [event(NOON, { before: "working", unread: "set", tool: "Bash", subagent: "a1" })],
    new Map([["claude:s1", "Fix\nthe build"]]),
  );
  expect(row === undefined ? "" : copyText(row)).toMatch(
    / · claude · s1 · Fix the build · Stop \(Bash\) \(hook, subagent a1\) · Working → Done · Answer unread$/,
  );
});

test("a session's id across agents is its filter; another text filters nothing", () => {
  expect(requestOf(sessionFilter("codex:a:b"))).toEqual({ session: { agent: "codex", sessionId: "a:b" } });
  expect(requestOf(sessionFilter("nonsense"))).toEqual({});
});
