import { promptRefusal, turnRefusal } from "../../src/control/at-prompt";
import type { Session } from "../../src/session/session";
import type { LiveStatus } from "../../src/session/live-entry";
import { STATES, type State } from "../../src/session/state";
import { NOW, sessionOf } from "./session-sample";

const RESTING: readonly State[] = ["idle", "done", "failed", "scheduled"];

const PROCESS = { pid: 42, knownAt: 1 };

const inState = (state: State, status?: LiveStatus): Session =>
  sessionOf({ state, process: PROCESS, ...(status === undefined ? {} : { live: { status } }) });

/** In which states a session is at its prompt for certain: what is typed anywhere else could answer or start anything. */
const AT_PROMPT: readonly [what: string, status: LiveStatus | undefined, states: readonly State[]][] = [
  ["there is no registry: at rest", undefined, ["idle", "done"]],
  ["the registry is idle, which knows better of a turn that failed or of what is planned", "idle", RESTING],
  ["the registry is busy: never", "busy", []],
  ["the registry waits: never", "waiting", []],
  ["a background command runs, and the prompt is there", "shell", ["idle", "done"]],
];

test.each(AT_PROMPT)("where %s", (_what, status, states) => {
  expect(STATES.filter((state) => promptRefusal(inState(state, status)) === undefined).sort()).toEqual(
    [...states].sort(),
  );
});

test.each([
  ["without a process", { process: undefined }],
  ["without a terminal", { headless: true }],
  ["in the background", { live: { kind: "background" } }],
  ["that cannot be read now", { unreadableSince: 1 }],
  ["whose process may have gone on with another", { sameProcess: ["claude:other"] }],
] satisfies [string, Partial<Session>][])("one %s is never typed into, and gets no Escape", (_what, changes) => {
  const session = { ...inState("idle"), ...changes };
  expect(promptRefusal(session)).toMatch(/./);
  expect(turnRefusal({ ...session, state: "working" })).toMatch(/./);
});

test("Escape goes to a turn that runs for certain, and never to a dialog", () => {
  const told = (agent: string, state: State): Session => ({
    ...inState(state),
    agent,
    evidence: [{ source: "events", file: "/x.json", state, verdict: "stands", at: NOW }],
  });
  expect(turnRefusal(inState("working", "busy"))).toBeUndefined();
  expect(turnRefusal(told("codex", "working"))).toBeUndefined();
  // Claude tells its hooks of no dialog that a tool opens.
  expect(turnRefusal(told("claude", "working"))).toMatch(/dialog/);
  expect(turnRefusal(inState("idle", "idle"))).toBe("no turn of it runs");
  for (const state of ["waiting", "decision"] as const)
    expect(turnRefusal(told("codex", state))).toMatch(/answer that/);
  expect(turnRefusal(inState("working", "waiting"))).toMatch(/answer that/);
});
