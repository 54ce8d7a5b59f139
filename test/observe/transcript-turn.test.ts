import type { SessionReport } from "../../src/session/report";
import type { State } from "../../src/session/state";
import type { TranscriptFacts, TurnFacts } from "../../src/session/transcript-facts";
import { weighTranscript } from "../../src/observe/transcript-evidence";

/** When the session was last heard of, and when the turn that this was about began. */
const TOLD = 100;
const BEGAN = 95;

const reported = (state: State, more: Partial<SessionReport> = {}): SessionReport => ({
  agent: "codex",
  sessionId: "s",
  state,
  since: TOLD,
  ...more,
});

const turnAt = (moment: number, startedAt = BEGAN): Readonly<Record<string, TurnFacts>> => ({
  began: { startedAt: moment, byUser: true },
  answered: { startedAt, end: { how: "answered", at: moment } },
  failed: { startedAt, end: { how: "failed", at: moment, reason: "Overloaded" } },
  over: { startedAt, end: { how: "over", at: moment } },
});

const weigh = (report: SessionReport, turn: TurnFacts | undefined, facts: TranscriptFacts = {}) =>
  weighTranscript(report, TOLD, turn === undefined ? facts : { ...facts, turn });

/** What a newer turn makes of each state; empty where it only agrees. */
const NEWER: readonly [state: State, began: State | "", answered: State | "", failed: State | "", over: State | ""][] =
  [
    ["idle", "working", "done", "failed", ""],
    ["working", "", "done", "failed", "idle"],
    ["compacting", "", "done", "failed", "idle"],
    // What asked is over with its turn, and so it is where the next one begins.
    ["waiting", "working", "done", "failed", "idle"],
    ["decision", "working", "done", "failed", "idle"],
    ["waitingForSubagents", "", "", "failed", ""],
    ["done", "working", "", "failed", ""],
    ["scheduled", "working", "", "failed", ""],
    ["failed", "working", "done", "", ""],
    // Whoever ends a session stops its turn; a turn that comes later is of one that was opened again.
    ["dormant", "working", "done", "failed", ""],
    ["unknown", "working", "done", "failed", "idle"],
  ];

const CASES = NEWER.flatMap(([state, ...states]) =>
  Object.keys(turnAt(0)).map((stage, index) => [state, stage, states[index] ?? ""] as const),
);

test.each(CASES)("told %s, and later a turn %s: %s", (state, stage, expected) => {
  const { report, verdict, at } = weigh(reported(state), turnAt(TOLD + 1)[stage]);
  if (expected === "") expect({ report, verdict }).toEqual({ report: reported(state), verdict: "adds" });
  else {
    expect(report).toMatchObject({ state: expected, since: TOLD + 1 });
    expect({ verdict, at }).toEqual({ verdict: "overrules", at: TOLD + 1 });
  }
});

test.each(CASES)("told %s after a turn %s: it stays, unless nothing was known", (state, stage, expected) => {
  for (const moment of [TOLD, TOLD - 1]) {
    const { report, verdict } = weigh(reported(state), turnAt(moment)[stage]);
    if (state === "unknown") expect(report).toMatchObject({ state: expected, since: moment });
    else expect({ report, verdict }).toEqual({ report: reported(state), verdict: "adds" });
  }
});

test.each<[state: State, stage: string, expected: Partial<SessionReport>]>([
  ["done", "answered", { state: "done", since: 130, doneAt: 130 }],
  ["failed", "failed", { state: "failed", since: 130, message: "Overloaded" }],
])("told %s, and a turn that began since is %s: it is another one's end", (state, stage, expected) => {
  const old = reported(state, { doneAt: 100, message: "Old" });
  expect(weigh(old, turnAt(130, 120)[stage]).report).toMatchObject(expected);
  // Of the turn that was told of, the event told more.
  expect(weigh(old, turnAt(130)[stage]).report).toEqual(old);
});

describe("a wait of a subagent", () => {
  const waiting = reported("waiting", { subagents: 1, waitingFor: "permission", message: "Bash: rm x" });

  test.each(["answered", "failed", "over"])("goes on when the main turn is %s", (stage) => {
    expect(weigh(waiting, turnAt(TOLD + 1)[stage]).report).toEqual(waiting);
  });

  test("is over when the user interrupts, and when the next turn begins", () => {
    const { over, began } = turnAt(TOLD + 1);
    expect(weigh(waiting, over, { interruptedAt: TOLD + 1 }).report.state).toBe("idle");
    expect(weigh(waiting, began).report.state).toBe("working");
  });
});

test("what belonged to the turn before goes with it; what belongs to the session stays", () => {
  const old = reported("waiting", {
    tool: "Bash",
    activity: "Runs",
    message: "Bash: npm test",
    waitingFor: "permission",
    turnStartedAt: 90,
    doneAt: 50,
    cwd: "/w",
  });
  const { report } = weigh(old, turnAt(TOLD + 1).over);
  expect(report).toEqual({ ...reported("idle"), since: TOLD + 1, doneAt: 50, cwd: "/w" });
});

test("a turn the user began: what was answered before is read", () => {
  const done = reported("done", { doneAt: 60, userPromptAt: 50 });
  const began = { turnStartedAt: TOLD + 1, doneAt: 60 };
  expect(weigh(done, { startedAt: TOLD + 1, byUser: true }).report).toMatchObject({ ...began, userPromptAt: TOLD + 1 });
  // From a queue, a timer: the user may not have seen it.
  expect(weigh(done, { startedAt: TOLD + 1 }).report).toMatchObject({ ...began, userPromptAt: 50 });
});

test("why, in words", () => {
  const whyOf = (stage: string, facts: TranscriptFacts = {}) =>
    weigh(reported("working"), turnAt(TOLD + 1)[stage], facts).why;
  expect(whyOf("over")).toBe("No turn goes on.");
  expect(whyOf("over", { interruptedAt: TOLD + 1 })).toBe("The user interrupted it.");
  expect(whyOf("over", { interruptedAt: TOLD - 50 })).toBe("No turn goes on.");
  expect(whyOf("began")).toBe("It gives title and context.");
});

describe("a session that only its lock tells of", () => {
  const opened = (more: Partial<SessionReport>) => reported("unknown", more);
  const terminal: Partial<SessionReport> = { live: { kind: "interactive" }, process: { pid: 21, knownAt: TOLD } };

  test.each<[what: string, more: Partial<SessionReport>, at: number, state: State]>([
    ["an answer from before its user opened it is seen", terminal, TOLD - 50, "idle"],
    ["one that came since is not", terminal, TOLD + 50, "done"],
    ["whoever opened it in the shared daemon is not known", { live: {} }, TOLD - 50, "done"],
    ["nobody looks at a run without a terminal", { ...terminal, live: {} }, TOLD - 50, "done"],
  ])("%s", (_what, more, at, state) => {
    const { report } = weigh(opened(more), turnAt(at).answered);
    expect(report).toMatchObject({ state, since: at });
    expect(report.doneAt).toBe(state === "done" ? at : undefined);
  });

  test.each([terminal, { live: {} }])("a turn from before it was opened does not go on: %j", (more) => {
    const { began } = turnAt(TOLD - 50);
    expect(weigh(opened(more), began).report).toEqual({ ...opened(more), state: "idle" });
    // Of what is unknown for another reason it is not known when it was opened.
    expect(weigh(opened({}), began).report).toMatchObject({ state: "working", since: TOLD - 50 });
  });

  test("without a turn it stays unknown", () => {
    expect(weigh(opened(terminal), undefined, { model: "m" })).toMatchObject({
      report: { state: "unknown" },
      verdict: "adds",
    });
  });
});
