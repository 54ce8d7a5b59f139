import fc from "fast-check";
import type { Problem } from "../../../src/files/problem";
import type { Snapshot } from "../../../src/observe/snapshot";
import { aggregateSessions } from "../../../src/session/aggregate";
import type { Session } from "../../../src/session/session";
import { sortSessions } from "../../../src/session/sort";
import { needsYou, STATES, type State } from "../../../src/session/state";

/** When every snapshot here is taken. */
export const NOW = 1_800_000_000;

/** A session of a state, five minutes in it. */
export function session(state: State, id: string, more: Partial<Session> = {}): Session {
  return {
    agent: "claude",
    sessionId: id,
    id: `claude:${id}`,
    state,
    since: NOW - 300,
    unread: false,
    needsYou: needsYou(state),
    title: `Title ${id}`,
    subagents: 0,
    sources: ["events"],
    evidence: [],
    ...more,
  };
}

/** A snapshot of sessions, in the order of a list. */
export function snapshotOf(
  sessions: readonly Session[],
  { paused = false, problems = [] }: { paused?: boolean; problems?: Problem[] } = {},
): Snapshot {
  return {
    at: NOW,
    sessions: sortSessions(sessions),
    aggregate: aggregateSessions(sessions, { paused, unreliable: false, now: NOW }),
    problems,
    signal: { stateFile: "/tmp/agent-signal/status.json", events: [] },
    found: { events: true, statusDirectory: true, signalStateFile: false, registry: false },
  };
}

/** As many sessions, of every state in turn, every third with an unread answer. */
export function sessionsOf(count: number): Session[] {
  return Array.from({ length: count }, (_, index) => {
    const state = STATES[index % STATES.length] ?? "idle";
    return session(state, `s${index}`, { unread: state === "done" || index % 3 === 0, cwd: `/w/p${index}` });
  });
}

/** How many sessions a bar may meet: none, one, a day's, a year's. */
export const SIZES = [0, 1, 30, 1000];

/** A file something is wrong with. */
export const PROBLEM: Problem = { file: "/s/a|b.json", reason: 'is not JSON: "<|>"', outcome: "refused" };

/** What ends, begins or escapes something in one of the formats. */
const FRAGMENTS = [
  "|",
  "\n",
  "\r\n",
  "---",
  "--",
  "#[fg=red]",
  "#(touch X)",
  "#{pid}",
  "#",
  "%{",
  "%F{red}",
  "%(?.a.b)",
  "%",
  "&<>\"'",
  "&amp;",
  "<b>",
  "\u001b[31m",
  "\u001b]0;x\u0007",
  "\u0001",
  "\u0002",
  "\u009b1m",
  "\u202e",
  "\u2066",
  "שלום",
  "$(touch X)",
  "`touch X`",
  "${X}",
  "\\",
  "\\n",
  "\\[",
  "\\u0007",
  "'",
  '"',
  " | bash=/bin/sh param1=-c",
  ":mushroom:",
  "=",
  "\ud800",
  "👍",
  "🇩🇪",
];

/** Titles of people and of enemies. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: "binary", maxLength: 6 }), fc.string()), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));

/** Snapshots whose texts are anybody's. */
export const hostileSnapshot: fc.Arbitrary<Snapshot> = fc
  .record({
    rows: fc.array(
      fc.record({
        state: fc.constantFrom(...STATES),
        unread: fc.boolean(),
        title: hostileText,
        message: fc.option(hostileText, { nil: undefined }),
        project: fc.option(hostileText, { nil: undefined }),
        cwd: fc.option(hostileText, { nil: undefined }),
        id: hostileText,
        activity: hostileText,
        since: fc.integer({ min: NOW - 100_000, max: NOW }),
      }),
      { maxLength: 8 },
    ),
    reasons: fc.array(hostileText, { maxLength: 2 }),
    paused: fc.boolean(),
  })
  .map(({ rows, reasons, paused }) =>
    snapshotOf(
      rows.map(({ state, id, ...more }, index) => session(state, `${index}${id}`, more)),
      { paused, problems: reasons.map((reason) => ({ file: reason, reason, outcome: "refused" })) },
    ),
  );

// eslint-disable-next-line no-control-regex
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

/** Whether a text has nothing that steers a terminal or a line's direction; line breaks aside. */
export function isCalm(text: string): boolean {
  return !STEERING.test(text) && text.isWellFormed();
}
