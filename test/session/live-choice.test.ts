import { chooseLive, chooseLiveOfEach, type LiveCandidate } from "../../src/session/live-choice";
import type { LiveEntry } from "../../src/session/live-entry";

function candidate(liveness: LiveCandidate["liveness"], fields: Partial<LiveEntry> = {}): LiveCandidate {
  return { entry: { agent: "claude", sessionId: "s", ...fields }, liveness };
}

const open = candidate("running", { pid: 1, kind: "interactive", startedAt: 100, updatedAt: 200 });
const sideRun = { pid: 2, kind: "interactive", headless: true, startedAt: 300, updatedAt: 400 } as const;

test.each<[what: string, wins: LiveCandidate, loses: LiveCandidate]>([
  ["the open one, not its newer side run", open, candidate("running", sideRun)],
  ["one that may be open, not a side run that runs", candidate("unknown", { pid: 1 }), candidate("running", sideRun)],
  ["a side run that runs, not one that was killed", candidate("running", sideRun), candidate("gone", { pid: 1 })],
  ["one that runs, not a newer one that is gone", open, candidate("gone", { pid: 3, updatedAt: 900 })],
  ["one that runs, not a newer one of which nothing is known", open, candidate("unknown", { pid: 3, updatedAt: 900 })],
  ["one of which nothing is known, not one that is gone", candidate("unknown"), candidate("gone", { updatedAt: 900 })],
  [
    "the one in a terminal, not a newer one in the background",
    open,
    candidate("running", { kind: "background", updatedAt: 900 }),
  ],
  [
    "one that runs in the background, not one of which nothing is known",
    candidate("running", { kind: "background" }),
    candidate("unknown", { kind: "interactive", updatedAt: 900 }),
  ],
  ["of two terminals the one used last", candidate("running", { pid: 9, startedAt: 50, updatedAt: 201 }), open],
  ["of two terminals the one whose status is newest", candidate("running", { pid: 9, statusAt: 201 }), open],
  ["one that has a time, not one without", open, candidate("running", { pid: 9 })],
  ["of two used at once the one started last", candidate("running", { pid: 1, startedAt: 101, updatedAt: 200 }), open],
  ["of two alike always the same", candidate("running", { pid: 8 }), candidate("running", { pid: 7 })],
  ["of two that are gone the terminal's", candidate("gone", { pid: 1 }), candidate("gone", sideRun)],
])("%s, in whatever order they come", (_what, wins, loses) => {
  expect(chooseLive([wins, loses])).toBe(wins);
  expect(chooseLive([loses, wins])).toBe(wins);
});

test("of none there is none", () => {
  expect(chooseLive([])).toBeUndefined();
});

test("each session has its own", () => {
  const other = candidate("gone", { sessionId: "t" });
  const chosen = chooseLiveOfEach([candidate("running", sideRun), other, open], ({ sessionId }) => sessionId);
  expect(chosen).toEqual(
    new Map([
      ["s", open],
      ["t", other],
    ]),
  );
});
