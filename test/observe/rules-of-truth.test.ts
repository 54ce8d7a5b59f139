import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ReadMarksFile } from "../../src/store/read-marks";
import { answerLine, ID, MachineState, NOW, PID, shownOf, userLine, type Fields } from "./machine-state";

/** Until when a planned wake-up of these tests is away. */
const LATER = NOW + 3000;

const USES_BASH = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };
const ASKS = {
  tool_name: "AskUserQuestion",
  tool_use_id: "q1",
  tool_input: { questions: [{ question: "Which one?", header: "One", options: [{ label: "A" }, { label: "B" }] }] },
};

/** Brings a session into a state by hooks alone, the last of them at `NOW`. */
const BY_HOOKS: Readonly<Record<string, (machine: MachineState) => MachineState>> = {
  idle: (machine) => machine.hook("SessionStart", NOW, { source: "startup" }),
  working: (machine) => machine.hook("UserPromptSubmit", NOW, { prompt: "Go" }),
  waiting: (machine) =>
    machine
      .hook("UserPromptSubmit", NOW - 20, { prompt: "Go" })
      .hook("PreToolUse", NOW - 0.1, USES_BASH)
      .hook("PermissionRequest", NOW, USES_BASH),
  decision: (machine) => machine.hook("UserPromptSubmit", NOW - 20, { prompt: "Go" }).hook("PreToolUse", NOW, ASKS),
  done: (machine) => machine.hook("UserPromptSubmit", NOW - 20, { prompt: "Go" }).hook("Stop", NOW),
  failed: (machine) =>
    machine.hook("UserPromptSubmit", NOW - 20, { prompt: "Go" }).hook("StopFailure", NOW, { error: "overloaded" }),
  scheduled: (machine) =>
    machine
      .hook("UserPromptSubmit", NOW - 20, { prompt: "Go" })
      .hook("PostToolUse", NOW - 10, {
        tool_name: "ScheduleWakeup",
        tool_use_id: "w1",
        tool_response: { scheduledFor: LATER * 1000 },
      })
      .hook("Stop", NOW),
  waitingForSubagents: (machine) =>
    machine
      .hook("UserPromptSubmit", NOW - 20, { prompt: "Go" })
      .hook("SubagentStart", NOW - 10, { agent_id: "a1", agent_type: "Explore" })
      .hook("Stop", NOW, { background_tasks: [{ id: "a1", type: "subagent", status: "running" }] }),
  compacting: (machine) => machine.hook("PreCompact", NOW, { trigger: "manual" }),
  dormant: (machine) =>
    machine.hook("UserPromptSubmit", NOW - 20, { prompt: "Go" }).hook("SessionEnd", NOW, { reason: "other" }),
};

/** What hooks alone show; `*` is an unread answer. */
const HOOKS_SAY: Readonly<Record<string, string>> = {
  idle: "idle",
  working: "working",
  waiting: "waiting",
  decision: "decision",
  done: "done*",
  failed: "failed",
  scheduled: "scheduled*",
  waitingForSubagents: "waitingForSubagents*",
  compacting: "compacting",
  dormant: "dormant",
};

function inState(state: string, machine = new MachineState()): MachineState {
  machine.processes.tell(PID, "running");
  const prepare = BY_HOOKS[state];
  if (prepare === undefined) throw new Error(`no hooks lead to ${state}`);
  return prepare(machine);
}

describe("5.1 hooks tell what happened, the registry what is", () => {
  const REGISTRY: Readonly<Record<string, Fields>> = {
    idle: { status: "idle" },
    busy: { status: "busy" },
    waiting: { status: "waiting", waitingFor: "permission prompt" },
    shell: { status: "shell" },
  };

  /** What shows where the registry's word is the later one. Where they agree, that is what the hooks say. */
  const REGISTRY_LATER: readonly [state: string, shown: Readonly<Record<string, string>>][] = [
    ["idle", { idle: "idle", busy: "working", waiting: "waiting", shell: "idle" }],
    // Esc: no hook tells. No answer, so nothing is unread.
    ["working", { idle: "idle", busy: "working", waiting: "waiting", shell: "idle" }],
    // A denial: no hook tells. An approval whose tool runs long: none either.
    ["waiting", { idle: "idle", busy: "working", waiting: "waiting", shell: "idle" }],
    ["decision", { idle: "idle", busy: "working", waiting: "decision", shell: "idle" }],
    // A done stays done, also with a command in the background; its answer stays unread whatever comes.
    ["done", { idle: "done*", busy: "working*", waiting: "waiting*", shell: "done*" }],
    ["failed", { idle: "failed", busy: "working", waiting: "waiting", shell: "failed" }],
    ["scheduled", { idle: "scheduled*", busy: "working*", waiting: "waiting*", shell: "scheduled*" }],
    // The registry is busy while subagents run; idle, none does. A shell beside them does not end them.
    [
      "waitingForSubagents",
      { idle: "done*", busy: "waitingForSubagents*", waiting: "waiting*", shell: "waitingForSubagents*" },
    ],
    ["compacting", { idle: "idle", busy: "compacting", waiting: "waiting", shell: "idle" }],
    // Its entry is still there: the end was a side run's.
    ["dormant", { idle: "idle", busy: "working", waiting: "waiting", shell: "idle" }],
  ];

  const PAIRS = REGISTRY_LATER.flatMap(([state, shown]) =>
    Object.entries(shown).map(([status, later]): [string, string, string] => [state, status, later]),
  );

  test.each(Object.entries(HOOKS_SAY))("without a registry, hooks that say %s show %s", (state, shown) => {
    expect(inState(state).shown(NOW + 1)).toBe(shown);
  });

  /** The registry's file at a moment, and what it says beside the state. */
  const withRegistry = (state: string, status: string, statusAt: number) =>
    inState(state).registry({ ...REGISTRY[status], statusAt, startedAt: NOW - 500 });

  describe.each(PAIRS)("hooks %s, registry %s", (state, status, later) => {
    const hooks = HOOKS_SAY[state];
    // Right after the end nothing tells a left entry from one that stays; later it is known.
    const soon = state === "dormant" ? "dormant" : later;
    const settled = state === "dormant" ? later : hooks;
    // A wait that is hidden is the worst error: a registry that was busy before it does not end it, however close.
    const close = status === "busy" && (state === "waiting" || state === "decision") ? hooks : later;

    test(`the registry changed 10 s later: ${later}`, () => {
      expect(withRegistry(state, status, NOW + 10).shown(NOW + 11)).toBe(later);
    });

    test(`the registry changed 0.3 s later, looked at at once: ${soon}`, () => {
      expect(withRegistry(state, status, NOW + 0.3).shown(NOW + 0.4)).toBe(soon);
    });

    test(`the registry changed 1 s before, looked at while they settle: ${hooks}`, () => {
      expect(withRegistry(state, status, NOW - 1).shown(NOW + 1)).toBe(hooks);
    });

    test(`the registry changed 1 s before, and has settled: ${close}, though nothing but time went by`, () => {
      const machine = withRegistry(state, status, NOW - 1);
      expect(machine.shown(NOW + 1)).toBe(hooks);
      expect(machine.shown(NOW + 2.5)).toBe(close);
    });

    test(`the registry changed 3 s before: ${settled} for good`, () => {
      const machine = withRegistry(state, status, NOW - 3);
      expect(machine.shown(NOW + 2.5)).toBe(settled);
      expect(machine.shown(NOW + 600)).toBe(settled);
    });
  });

  test.each<[what: string, statusAt: number, now: number, shown: string]>([
    ["2 s before counts as the same change", NOW - 2, NOW + 2.1, "idle"],
    ["more than 2 s before is older", NOW - 2.01, NOW + 2.1, "working"],
    ["2 s after the event they may still settle", NOW - 1, NOW + 2, "working"],
    ["the same moment is settled only then", NOW, NOW + 1, "working"],
  ])("the borders of settling: %s", (_what, statusAt, now, shown) => {
    expect(withRegistry("working", "idle", statusAt).shown(now)).toBe(shown);
  });

  test.each(["working", "waiting", "decision"])(
    "idle newer than %s: the turn is over, and all that belonged to it",
    (state) => {
      const row = withRegistry(state, "idle", NOW + 5).row(NOW + 6);
      expect(row).toMatchObject({ state: "idle", since: NOW + 5, unread: false, needsYou: false, liveness: "running" });
      for (const gone of ["message", "waitingFor", "tool", "activity", "turnStartedAt", "doneAt"] as const)
        expect([gone, row[gone]]).toEqual([gone, undefined]);
      expect(row.evidence).toMatchObject([
        { source: "events", verdict: "overruled" },
        { source: "registry", verdict: "overrules" },
      ]);
    },
  );

  test("an answer from before the stopped turn stays unread, if it was not the user who began that turn", () => {
    const machine = inState("done").hook("UserPromptSubmit", NOW + 10, { prompt: "<task-notification>" });
    machine.registry({ status: "idle", statusAt: NOW + 15, startedAt: NOW - 500 });
    expect(machine.row(NOW + 16)).toMatchObject({ state: "idle", unread: true, doneAt: NOW });
  });

  test.each<[waitingFor: string | undefined, state: string, kind: string]>([
    ["permission prompt", "waiting", "permission"],
    ["sandbox request", "waiting", "permission"],
    ["worker request", "waiting", "permission"],
    ["dialog open", "waiting", "input"],
    [undefined, "waiting", "input"],
    ["input needed", "decision", "question"],
  ])("a wait that only the registry knows, for %s, is %s", (waitingFor, state, kind) => {
    const machine = inState("working").registry({ status: "waiting", waitingFor, statusAt: NOW + 5 });
    expect(machine.row(NOW + 6)).toMatchObject({ state, waitingFor: kind, since: NOW + 5, needsYou: true });
  });

  test("what the state before wanted to say goes with it", () => {
    const machine = inState("failed").registry({ status: "waiting", statusAt: NOW + 5, startedAt: NOW - 500 });
    const { state, message } = machine.row(NOW + 6);
    expect([state, message]).toEqual(["waiting", undefined]);
  });

  test.each<[what: string, fields: Fields]>([
    ["no status yet", {}],
    ["a status nobody knows", { status: "dreaming" }],
    ["a status of another type", { status: 7 }],
  ])("a registry with %s adds, and changes no state", (_what, fields) => {
    const machine = inState("waiting").registry({ ...fields, statusAt: NOW + 5, name: "shop" });
    const row = machine.row(NOW + 60);
    expect(row).toMatchObject({ state: "waiting", message: "Bash: npm test", live: { name: "shop" } });
    expect(row.evidence.at(-1)).toMatchObject({ source: "registry", verdict: "adds" });
  });

  test("a registry without any time is never the newer one", () => {
    expect(
      inState("working")
        .registry({ status: "idle" })
        .shown(NOW + 600),
    ).toBe("working");
  });

  test("a subagent's event after the registry's idle does not hold it off: it says nothing of the main agent", () => {
    const machine = withRegistry("working", "idle", NOW + 5).hook("PreToolUse", NOW + 8, {
      ...USES_BASH,
      agent_id: "a1",
    });
    expect(machine.shown(NOW + 9)).toBe("idle");
  });

  test("the turn that follows an Esc works again at once", () => {
    const machine = withRegistry("working", "idle", NOW + 5);
    expect(machine.shown(NOW + 6)).toBe("idle");
    expect(machine.hook("UserPromptSubmit", NOW + 20, { prompt: "Again" }).shown(NOW + 20.1)).toBe("working");
  });
});

describe("5.2 a dead process beats both, if it is certain", () => {
  const gone = (machine: MachineState) => {
    machine.processes.tell(PID, "gone");
    return machine;
  };

  test.each(Object.entries(HOOKS_SAY))("its process is gone: %s ended, an unread answer stays", (state, hooks) => {
    const isUnread = hooks.endsWith("*");
    const machine = gone(inState(state).registry({ status: "busy", statusAt: NOW + 5, startedAt: NOW - 500 }));
    const row = machine.row(NOW + 10);
    expect(row).toMatchObject({ state: "dormant", unread: isUnread, needsYou: false, subagents: 0 });
    // By the hooks' own number, too, when the entry is gone with it.
    expect(gone(inState(state)).shown(NOW + 10)).toBe(isUnread ? "dormant*" : "dormant");
  });

  test.each<[what: string, agent: string, env: Record<string, string>, payload: Fields, shown: string]>([
    [
      "Claude's own number",
      "claude",
      { CLAUDE_PID: "99" },
      { hook_event_name: "UserPromptSubmit", prompt: "Go" },
      "dormant",
    ],
    ["opencode's own number", "opencode", { OPENCODE_PID: "99" }, { type: "chat.message" }, "dormant"],
    ["the hook's parent alone", "claude", {}, { hook_event_name: "UserPromptSubmit", prompt: "Go" }, "working"],
    [
      "what Codex's daemon passes on",
      "codex",
      { CLAUDE_PID: "99" },
      { hook_event_name: "UserPromptSubmit", prompt: "Go" },
      "working",
    ],
    [
      "what Gemini inherited",
      "gemini",
      { CLAUDE_PID: "99" },
      { hook_event_name: "BeforeAgent", prompt: "Go" },
      "working",
    ],
    [
      "a number that is none",
      "claude",
      { CLAUDE_PID: "99; rm" },
      { hook_event_name: "UserPromptSubmit", prompt: "Go" },
      "working",
    ],
  ])("%s, gone: %s %j", (_what, agent, env, payload, shown) => {
    // Every process but none is gone: only what is certain may be asked for.
    const machine = new MachineState({ otherwise: "gone" });
    const fields =
      agent === "opencode"
        ? { type: "chat.message", properties: { sessionID: "s", parts: [{ type: "text", text: "Go" }] } }
        : { session_id: "s", cwd: "/w/shop", ...payload };
    machine.told({ agent, event: String(payload.hook_event_name ?? payload.type), env, payload: fields, at: NOW });
    expect(machine.shown(NOW + 1, `${agent}:s`)).toBe(shown);
  });

  test("a number that another process has by now is not the session's", () => {
    const machine = inState("working").registry({
      status: "busy",
      statusAt: NOW + 1,
      startedAt: NOW - 500,
      procStart: "100",
    });
    machine.processes.tell(PID, "running", "100");
    expect(machine.row(NOW + 10)).toMatchObject({ state: "working", liveness: "running" });
    machine.processes.tell(PID, "running", "20000");
    expect(machine.row(NOW + 20)).toMatchObject({ state: "dormant", liveness: "gone" });
  });

  test("an entry that a killed process left is an ended session, not an idle one", () => {
    const machine = new MachineState().registry({ status: "idle", statusAt: NOW - 100, startedAt: NOW - 500 });
    machine.processes.tell(PID, "gone");
    expect(machine.row(NOW)).toMatchObject({ state: "dormant", sources: ["registry"], unread: false });
  });

  test("not knowing is not gone", () => {
    const machine = inState("working").registry({ status: "busy", statusAt: NOW + 1, startedAt: NOW - 500 });
    machine.processes.tell(PID, "unknown");
    expect(machine.row(NOW + 60)).toMatchObject({ state: "working", liveness: "unknown" });
  });

  test("killed, and resumed in another process: the entry left behind does not end it", () => {
    const machine = inState("done").registry({ status: "idle", statusAt: NOW, startedAt: NOW - 500 });
    machine.processes.tell(PID, "gone").tell(5000, "running");
    expect(machine.shown(NOW + 10)).toBe("dormant*");
    const second = { CLAUDE_PID: "5000", CLAUDE_CODE_ENTRYPOINT: "cli" };
    machine.hook("SessionStart", NOW + 20, { source: "resume" }, second);
    machine.hook("UserPromptSubmit", NOW + 30, { prompt: "Go on" }, second);
    expect(machine.row(NOW + 31)).toMatchObject({ state: "working", liveness: "running" });
    // And with an entry of its own beside the dead one.
    machine.registry({ pid: 5000, status: "busy", statusAt: NOW + 30.1, startedAt: NOW + 20 });
    expect(machine.row(NOW + 33)).toMatchObject({ state: "working", liveness: "running", process: { pid: 5000 } });
    expect(machine.rows(NOW + 34)).toHaveLength(1);
  });

  test("a side run's end is not the session's", () => {
    const machine = inState("working").registry({ status: "busy", statusAt: NOW + 0.1, startedAt: NOW - 500 });
    const sideRun = { CLAUDE_PID: "6000", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    machine.processes.tell(6000, "gone");
    machine.hook("SessionStart", NOW + 5, { source: "resume" }, sideRun).hook("SessionEnd", NOW + 9, {}, sideRun);
    expect(machine.row(NOW + 10)).toMatchObject({ state: "working", liveness: "running", process: { pid: PID } });
  });
});

describe("5.3 since is when the state was entered; nothing else moves it", () => {
  const steps: readonly [what: string, step: (machine: MachineState) => unknown][] = [
    ["a tool begins", (machine) => machine.hook("PreToolUse", NOW + 5, USES_BASH)],
    ["the registry agrees, later", (machine) => machine.registry({ status: "busy", statusAt: NOW + 7 })],
    [
      "the registry is written anew",
      (machine) => machine.registry({ status: "busy", statusAt: NOW + 7, name: "shop" }),
    ],
    ["a subagent begins", (machine) => machine.hook("SubagentStart", NOW + 8, { agent_id: "a1", agent_type: "x" })],
    ["a subagent works", (machine) => machine.hook("PreToolUse", NOW + 9, { ...USES_BASH, agent_id: "a1" })],
    ["a subagent ends", (machine) => machine.hook("SubagentStop", NOW + 10, { agent_id: "a1" })],
    ["a tool ends", (machine) => machine.hook("PostToolUse", NOW + 10.5, USES_BASH)],
    ["the folder changes", (machine) => machine.hook("CwdChanged", NOW + 11, { new_cwd: "/w/shop" })],
    ["the transcript grows", (machine) => machine.transcript([userLine(NOW, "Go"), answerLine(NOW + 12)])],
    ["the status file agrees, later", (machine) => machine.status(ID, { ts: NOW + 13, event_ts: NOW + 13 })],
    [
      "the signal agrees, later",
      (machine) => machine.signal({ [ID]: { signal: "working", agent: "claude", updated_at: NOW + 14 } }),
    ],
    ["time goes by", (machine) => (machine.now = NOW + 90_000)],
  ];

  test("through all that a working session does, it works since its prompt", () => {
    const machine = inState("working");
    machine.now = NOW + 1;
    const seen = steps.map(([what, step]) => {
      step(machine);
      const { state, since } = machine.row(Math.max(machine.now + 1, NOW + 20));
      return [what, state, since];
    });
    expect(seen).toEqual(steps.map(([what]) => [what, "working", NOW]));
  });

  test("each state begins with the event that led into it, also when it was folded late", () => {
    const machine = inState("waiting");
    expect(machine.row(NOW + 1000)).toMatchObject({ state: "waiting", since: NOW });
    machine.hook("PostToolUse", NOW + 40, USES_BASH).hook("PreToolUse", NOW + 50, USES_BASH);
    expect(machine.row(NOW + 1001)).toMatchObject({ state: "working", since: NOW + 40 });
    machine.hook("Stop", NOW + 60);
    expect(machine.row(NOW + 1002)).toMatchObject({ state: "done", since: NOW + 60, eventAt: NOW + 60 });
  });

  test("a state that only the registry knows began when the registry says", () => {
    const machine = inState("working").registry({ status: "idle", statusAt: NOW + 33.5 });
    expect(machine.row(NOW + 100).since).toBe(NOW + 33.5);
    // Written anew for another reason, it is still in the same state.
    machine.registry({ status: "idle", statusAt: NOW + 33.5, updatedAt: (NOW + 90) * 1000 });
    expect(machine.row(NOW + 200).since).toBe(NOW + 33.5);
  });
});

describe("5.4 a Stop means done, and what still runs is shown beside it", () => {
  const stopped = (fields: Fields) =>
    new MachineState().hook("UserPromptSubmit", NOW - 20, { prompt: "Go" }).hook("Stop", NOW, fields);

  test.each<[what: string, fields: Fields, shown: string, beside: Fields]>([
    [
      "nothing runs",
      { background_tasks: [], session_crons: [] },
      "done*",
      { subagents: 0, background: {}, monitors: {} },
    ],
    [
      "a command runs",
      { background_tasks: [{ id: "b1", type: "shell", status: "running", command: "npm run dev" }] },
      "done*",
      { subagents: 0, background: { b1: { command: "npm run dev" } } },
    ],
    [
      "a monitor runs",
      { background_tasks: [{ id: "m1", type: "monitor", status: "running", description: "log" }] },
      "done*",
      { monitors: { m1: { text: "log" } } },
    ],
    [
      "a subagent runs",
      { background_tasks: [{ id: "a1", type: "subagent", status: "running" }] },
      "waitingForSubagents*",
      { subagents: 1 },
    ],
    [
      "two subagents and a command run",
      {
        background_tasks: [
          { id: "a1", type: "subagent", status: "running" },
          { id: "a2", type: "subagent", status: "running" },
          { id: "b1", type: "shell", status: "running", command: "npm run dev" },
        ],
      },
      "waitingForSubagents*",
      { subagents: 2, background: { b1: { command: "npm run dev" } } },
    ],
  ])("%s", (_what, fields, shown, beside) => {
    const machine = stopped(fields);
    expect(machine.shown(NOW + 1)).toBe(shown);
    expect(machine.row(NOW + 1)).toMatchObject({ doneAt: NOW, ...beside });
  });

  test("a wake-up makes it scheduled until two minutes past its time, then the answer alone is left", () => {
    const machine = inState("scheduled");
    expect(machine.row(NOW + 1)).toMatchObject({ state: "scheduled", unread: true, wakeupAt: LATER });
    expect(machine.shown(LATER + 119)).toBe("scheduled*");
    expect(machine.shown(LATER + 121)).toBe("done*");
  });

  test("a wake-up that is taken back leaves the answer", () => {
    const machine = inState("scheduled").hook("Stop", NOW + 20, { session_crons: [] });
    expect(machine.shown(NOW + 21)).toBe("done*");
  });

  test("subagents before a wake-up: first they are waited for", () => {
    const machine = inState("scheduled").hook("SubagentStart", NOW + 5, { agent_id: "a1", agent_type: "x" });
    expect(machine.shown(NOW + 6)).toBe("waitingForSubagents*");
    expect(machine.hook("SubagentStop", NOW + 7, { agent_id: "a1" }).shown(NOW + 8)).toBe("scheduled*");
  });

  test("what the Stop does not list any more has ended, whatever end was missed", () => {
    const machine = new MachineState()
      .hook("UserPromptSubmit", NOW - 30, { prompt: "Go" })
      .hook("SubagentStart", NOW - 20, { agent_id: "a1", agent_type: "x" })
      .hook("PostToolUse", NOW - 10, { ...USES_BASH, tool_response: { backgroundTaskId: "b1" } })
      .hook("Stop", NOW, { background_tasks: [] });
    expect(machine.row(NOW + 1)).toMatchObject({ state: "done", subagents: 0, background: {} });
  });

  test("with the process, what ran beside it is over; what failed shows for 15 minutes", () => {
    const machine = stopped({ background_tasks: [{ id: "b1", type: "shell", status: "running", command: "make" }] });
    machine.processes.tell(PID, "running");
    machine.hook("UserPromptSubmit", NOW + 10, {
      prompt:
        "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>done (exit code 2)</summary>\n</task-notification>",
    });
    machine.hook("Stop", NOW + 20, {
      background_tasks: [{ id: "b2", type: "shell", status: "running", command: "dev" }],
    });
    expect(machine.row(NOW + 21).background).toMatchObject({ b1: { exitCode: 2, failedAt: NOW + 10 }, b2: {} });
    machine.processes.tell(PID, "gone");
    expect(Object.keys(machine.row(NOW + 30).background ?? {})).toEqual(["b1"]);
    expect(Object.keys(machine.row(NOW + 10 + 15 * 60).background ?? {})).toEqual(["b1"]);
    expect(Object.keys(machine.row(NOW + 11 + 15 * 60).background ?? {})).toEqual([]);
  });
});

describe("5.5 a subagent's event never changes the parent's state, save by a wait", () => {
  const inside = { agent_id: "a1", agent_type: "Explore" };
  const withSubagent = (state = "working") => inState(state).hook("SubagentStart", NOW + 1, inside);

  test.each<[event: string, payload: Fields]>([
    ["PreToolUse", USES_BASH],
    ["PostToolUse", USES_BASH],
    ["PostToolUseFailure", USES_BASH],
    ["PermissionDenied", USES_BASH],
    ["Stop", {}],
    ["StopFailure", { error: "overloaded" }],
    ["SubagentStop", {}],
    ["UserPromptSubmit", { prompt: "look into it" }],
    ["PreCompact", { trigger: "auto" }],
    ["PostCompact", { trigger: "auto" }],
    ["Notification", { notification_type: "idle_prompt", message: "Claude is waiting for your input" }],
  ])("%s inside a subagent leaves every state as it was", (event, payload) => {
    for (const state of ["idle", "working", "done", "failed", "compacting"]) {
      const machine = inState(state);
      const { since } = machine.row(NOW + 1);
      machine.hook(event, NOW + 5, { ...payload, ...inside });
      expect([state, machine.shown(NOW + 6), machine.row().since]).toEqual([state, HOOKS_SAY[state], since]);
    }
  });

  const asked = () =>
    withSubagent()
      .hook("PreToolUse", NOW + 2, { ...USES_BASH, ...inside })
      .hook("PermissionRequest", NOW + 3, { ...USES_BASH, ...inside });

  test.each<[what: string, event: string, payload: Fields]>([
    ["its tool ran", "PostToolUse", { ...USES_BASH, ...inside }],
    ["its tool failed", "PostToolUseFailure", { ...USES_BASH, ...inside }],
    ["it was denied", "PermissionDenied", { ...USES_BASH, ...inside }],
    ["it goes on", "PreToolUse", { ...USES_BASH, tool_use_id: "t9", ...inside }],
    ["it is over", "SubagentStop", inside],
    ["a new turn", "UserPromptSubmit", { prompt: "Never mind" }],
    ["a Stop that does not list it", "Stop", { background_tasks: [] }],
  ])("a permission inside it is a wait of the session, over when %s", (_what, event, payload) => {
    const machine = asked();
    expect(machine.row(NOW + 4)).toMatchObject({
      state: "waiting",
      message: "Bash: npm test",
      waitingFor: "permission",
    });
    machine.hook(event, NOW + 10, payload);
    expect(machine.row(NOW + 11)).toMatchObject({ needsYou: false });
  });

  test.each<[what: string, event: string, payload: Fields]>([
    ["another subagent goes on", "PreToolUse", { ...USES_BASH, tool_use_id: "t5", agent_id: "a2" }],
    ["another subagent ends", "SubagentStop", { agent_id: "a2" }],
    ["the main agent goes on", "PreToolUse", { ...USES_BASH, tool_use_id: "t6" }],
    [
      "the main agent stops beside it",
      "Stop",
      { background_tasks: [{ id: "a1", type: "subagent", status: "running" }] },
    ],
  ])("it is not over when %s", (_what, event, payload) => {
    expect(
      asked()
        .hook(event, NOW + 10, payload)
        .row(NOW + 11),
    ).toMatchObject({ state: "waiting", waitingFor: "permission" });
  });

  test("the registry ends it, too", () => {
    expect(
      asked()
        .registry({ status: "busy", statusAt: NOW + 10 })
        .row(NOW + 13),
    ).toMatchObject({ needsYou: false });
    expect(
      asked()
        .registry({ status: "idle", statusAt: NOW + 10 })
        .row(NOW + 13),
    ).toMatchObject({ needsYou: false });
  });

  test("a question inside it is a decision of the session", () => {
    const machine = withSubagent().hook("PreToolUse", NOW + 2, { ...ASKS, ...inside });
    expect(machine.row(NOW + 3)).toMatchObject({ state: "decision", message: "Which one?" });
  });

  test("they are a set of ids: begun twice, ended twice, never known", () => {
    const machine = new MachineState()
      .hook("UserPromptSubmit", NOW, { prompt: "Go" })
      .hook("SubagentStart", NOW + 1, inside)
      .hook("SubagentStart", NOW + 2, inside)
      .hook("SubagentStart", NOW + 3, { agent_id: "a2", agent_type: "Plan" });
    expect(machine.row(NOW + 4)).toMatchObject({ subagents: 2, runningSubagents: [{ id: "a1" }, { id: "a2" }] });
    machine
      .hook("SubagentStop", NOW + 5, { agent_id: "", agent_type: "" })
      .hook("SubagentStop", NOW + 6, { agent_id: "btw" });
    expect(machine.row(NOW + 7).subagents).toBe(2);
    machine.hook("SubagentStop", NOW + 8, inside).hook("SubagentStop", NOW + 9, inside);
    expect(machine.row(NOW + 10)).toMatchObject({ subagents: 1, runningSubagents: [{ id: "a2", type: "Plan" }] });
  });

  test("a SubagentStop still lists itself: it is over all the same", () => {
    const tasks = { background_tasks: [{ id: "a1", type: "subagent", status: "running" }] };
    const machine = withSubagent("done").hook("SubagentStop", NOW + 9, { ...inside, ...tasks });
    expect(machine.row(NOW + 10)).toMatchObject({ state: "done", subagents: 0, unread: true });
  });
});

describe("5.6 a permission or question is over when it is, not before and not later", () => {
  const PLAN = { tool_name: "ExitPlanMode", tool_use_id: "q1", tool_input: { plan: "Do it" } };

  test.each<[event: string, payload: Fields, after: string]>([
    ["PostToolUse", USES_BASH, "working"],
    ["PostToolUseFailure", USES_BASH, "working"],
    ["PermissionDenied", USES_BASH, "working"],
    ["PostToolBatch", {}, "waiting"],
    ["PreToolUse", { ...USES_BASH, tool_use_id: "t2" }, "working"],
    ["Stop", {}, "done*"],
    ["StopFailure", { error: "overloaded" }, "failed"],
    ["UserPromptSubmit", { prompt: "Never mind" }, "working"],
    ["SessionEnd", { reason: "other" }, "dormant"],
    ["SessionStart", { source: "resume" }, "idle"],
    ["Notification", { notification_type: "idle_prompt", message: "Claude is waiting for your input" }, "idle"],
    // None of these ends it.
    ["Notification", { notification_type: "permission_prompt", message: "Claude needs your permission" }, "waiting"],
    ["PostToolUse", { ...USES_BASH, tool_use_id: "t2" }, "waiting"],
    ["SubagentStop", { agent_id: "a1" }, "waiting"],
    ["SubagentStart", { agent_id: "a1", agent_type: "x" }, "waiting"],
    ["CwdChanged", { new_cwd: "/w/shop" }, "waiting"],
  ])("after a permission request, %s %j: %s", (event, payload, after) => {
    const machine = inState("waiting");
    expect(machine.shown(NOW + 1)).toBe("waiting");
    expect(machine.hook(event, NOW + 10, payload).shown(NOW + 11)).toBe(after);
  });

  test.each<[what: string, tool: Fields, kind: string, message: string]>([
    ["question", ASKS, "question", "Which one?"],
    ["plan", PLAN, "plan", "Do it"],
  ])(
    "a %s stays a decision through its own permission request and reminder, until its tool ran",
    (_what, tool, kind, message) => {
      const machine = new MachineState()
        .hook("UserPromptSubmit", NOW, { prompt: "Go" })
        .hook("PreToolUse", NOW + 1, tool);
      machine.hook("PermissionRequest", NOW + 1.1, tool);
      machine.hook("Notification", NOW + 7, { notification_type: "permission_prompt", message: "Claude needs you" });
      expect(machine.row(NOW + 8)).toMatchObject({ state: "decision", waitingFor: kind, message, since: NOW + 1 });
      expect(machine.hook("PostToolUse", NOW + 30, tool).row(NOW + 31)).toMatchObject({
        state: "working",
        since: NOW + 30,
      });
    },
  );

  test("of two that wait, the second shows when the first is over", () => {
    const second = { ...USES_BASH, tool_use_id: "t2", tool_input: { command: "rm x" } };
    const machine = new MachineState().told({
      agent: "codex",
      event: "UserPromptSubmit",
      at: NOW,
      payload: { session_id: "c", hook_event_name: "UserPromptSubmit", prompt: "Go" },
    });
    const hook = (event: string, at: number, payload: Fields) =>
      machine.told({ agent: "codex", event, at, payload: { session_id: "c", hook_event_name: event, ...payload } });
    hook("PreToolUse", NOW + 1, USES_BASH);
    hook("PreToolUse", NOW + 1.1, second);
    hook("PermissionRequest", NOW + 2, USES_BASH);
    hook("PermissionRequest", NOW + 2.1, second);
    expect(machine.row(NOW + 3, "codex:c")).toMatchObject({ state: "waiting", message: "Bash: npm test" });
    hook("PostToolUse", NOW + 4, USES_BASH);
    expect(machine.row(NOW + 5, "codex:c")).toMatchObject({ state: "waiting", message: "Bash: rm x", since: NOW + 2 });
    hook("PostToolUse", NOW + 6, second);
    expect(machine.row(NOW + 7, "codex:c")).toMatchObject({ state: "working", since: NOW + 6 });
  });

  test.each<[what: string, line: Fields]>([
    ["a denial", userLine(NOW + 5, "", { toolDenialKind: "user-rejected", toolUseResult: "Error: rejected" })],
    ["an interruption", userLine(NOW + 5, "[Request interrupted by user for tool use]")],
    ["an interruption by its mark", userLine(NOW + 5, "x", { interruptedMessageId: "m1" })],
  ])("where no registry is, the transcript tells of %s", (_what, line) => {
    for (const state of ["working", "waiting", "decision"]) {
      const machine = inState(state).hook("CwdChanged", NOW + 0.1, { new_cwd: "/w/shop" });
      machine.transcript([userLine(NOW - 20, "Go"), line]);
      const row = machine.row(NOW + 6);
      expect(row).toMatchObject({ state: "idle", since: NOW + 5, unread: false, needsYou: false });
      expect(row.evidence).toMatchObject([
        { source: "events", verdict: "overruled" },
        { source: "transcript", verdict: "overrules" },
      ]);
    }
  });

  test("an interruption of an earlier turn says nothing of this one", () => {
    const machine = inState("working").hook("CwdChanged", NOW + 0.1, { new_cwd: "/w/shop" });
    machine.transcript([userLine(NOW - 50, "Go"), userLine(NOW - 40, "[Request interrupted by user]")]);
    expect(machine.shown(NOW + 6)).toBe("working");
  });

  test("and the registry has the last word over the transcript", () => {
    const machine = inState("working").hook("CwdChanged", NOW + 0.1, { new_cwd: "/w/shop" });
    machine.transcript([userLine(NOW - 20, "Go"), userLine(NOW + 5, "[Request interrupted by user]")]);
    machine.registry({ status: "busy", statusAt: NOW + 8 });
    const row = machine.row(NOW + 20);
    expect(row).toMatchObject({ state: "working", since: NOW + 8 });
    expect(row.evidence.map(({ source, verdict }) => `${source} ${verdict}`)).toEqual([
      "events overruled",
      "registry overrules",
      "transcript overruled",
    ]);
  });
});

describe("5.7 unknown is for what is really unknown", () => {
  test.each<[what: string, text: string]>([
    ["is cut in the middle", '{"session_id":"s1","state":"id'],
    ["is empty", ""],
    ["is no object", "[]"],
    ["has no state", '{"session_id":"s1","ts":1800000000}'],
    ["has a state nobody knows", '{"session_id":"s1","state":"asleep","ts":1800000000}'],
    ["has no time", '{"session_id":"s1","state":"idle"}'],
    ["has a time that is none", '{"session_id":"s1","state":"idle","ts":"noon"}'],
    ["is another session's", '{"session_id":"s2","state":"idle","ts":1800000000}'],
  ])("a status file that %s keeps its last good row, says how old that is, and is a problem", (_what, text) => {
    const machine = new MachineState().status("s1", { state: "working", ts: NOW - 60 });
    expect(machine.row(NOW, "s1")).toMatchObject({ state: "working" });
    machine.now = NOW + 10;
    const file = join(machine.places.statusDirectory, "s1.json");
    machine.put(file, text);
    const { sessions, problems } = machine.snapshot(NOW + 10);
    expect(sessions).toMatchObject([{ id: "claude:s1", state: "working", since: NOW - 60, unreadableSince: NOW + 10 }]);
    expect(problems).toMatchObject([{ file }]);
    // The longer it lasts, the older the row; it does not become anything else.
    expect(machine.row(NOW + 900, "s1")).toMatchObject({ state: "working", unreadableSince: NOW + 10 });
    machine.status("s1", { state: "done", ts: NOW + 950 });
    const { sessions: healed, problems: none } = machine.snapshot(NOW + 960);
    expect(healed).toMatchObject([{ state: "idle", since: NOW + 950 }]);
    expect([healed[0]?.unreadableSince, none]).toEqual([undefined, []]);
  });

  test("broken from the start it is a problem, and no session", () => {
    const machine = new MachineState();
    machine.put(
      join(machine.places.statusDirectory, "s1.json"),
      '{"session_id":"s1","state":"asleep","ts":1800000000}',
    );
    const { sessions, problems } = machine.snapshot(NOW);
    expect(sessions).toEqual([]);
    expect(problems).toMatchObject([{ field: "state", outcome: "refused" }]);
  });

  test("a registry file that breaks keeps its last good word, and says since when", () => {
    const machine = new MachineState().registry({
      status: "waiting",
      waitingFor: "permission prompt",
      statusAt: NOW - 60,
    });
    machine.processes.tell(PID, "running");
    expect(machine.shown(NOW)).toBe("waiting");
    machine.now = NOW + 10;
    machine.put(machine.registryFile(), '{"pid":4711,"sess');
    const row = machine.row(NOW + 10);
    expect(row).toMatchObject({ state: "waiting", unreadableSince: NOW + 10 });
    expect(row.evidence).toMatchObject([{ source: "registry", unreadableSince: NOW + 10 }]);
    expect(machine.snapshot().problems).toMatchObject([{ file: machine.registryFile() }]);
  });

  test("an entry that says nothing is unknown, not idle; a beginning one is not shown yet", () => {
    const machine = new MachineState().registry({ startedAt: NOW - 1 });
    machine.processes.tell(PID, "running");
    expect(machine.rows(NOW)).toEqual([]);
    expect(machine.shown(NOW + 60)).toBe("unknown");
  });

  test("work in the signal document that nobody confirmed for half an hour is unknown", () => {
    const machine = new MachineState().signal({ s1: { signal: "working", agent: "claude", updated_at: NOW } });
    expect(machine.shown(NOW + 1800, "s1")).toBe("working");
    expect(machine.row(NOW + 1801, "s1")).toMatchObject({ state: "unknown", since: NOW + 1800 });
  });

  test("a transcript that cannot be read changes no state", () => {
    const machine = inState("working").hook("CwdChanged", NOW + 0.1, { new_cwd: "/w/shop" });
    machine.put(machine.transcriptFile(), "{{{ not JSON\n\u0000\u0000\n");
    expect(machine.shown(NOW + 5)).toBe("working");
  });

  const isRoot = process.getuid?.() === 0;
  (isRoot ? test.skip : test)("a folder that may not be listed keeps its rows, marked (not as root)", () => {
    const machine = new MachineState().status("s1", { state: "working", ts: NOW - 60 });
    machine.row(NOW, "s1");
    chmodSync(machine.places.statusDirectory, 0o000);
    try {
      expect(machine.row(NOW + 10, "s1")).toMatchObject({ state: "working", unreadableSince: NOW + 10 });
    } finally {
      chmodSync(machine.places.statusDirectory, 0o700);
    }
  });
});

describe("5.8 read is what the user opened or wrote into", () => {
  const mark = (machine: MachineState, sessions: Record<string, { readUntil?: number; keptUnread?: number }>) =>
    new ReadMarksFile(machine.places.home).update(machine.now, () => sessions);

  test.each<[prompt: string, payload: Fields, shown: string]>([
    ["the user's words", { prompt: "Thanks" }, "working"],
    ["a command of the user", { prompt: "/review" }, "working"],
    ["a task's notification", { prompt: "<task-notification>\n<task-id>b1</task-id></task-notification>" }, "working*"],
    [
      "another session's message",
      { prompt: '<cross-session-message from="x">hello</cross-session-message>' },
      "working*",
    ],
    ["a wake-up of a loop", { prompt: "go on", source: "loop_wakeup" }, "working*"],
    ["a planned wake-up", { prompt: "go on", source: "schedule_wakeup" }, "working*"],
    ["a system prompt", { prompt: "go on", source: "system" }, "working*"],
    ["words about a notification", { prompt: "Why <task-notification>?" }, "working"],
  ])("after an answer, %s: %j", (_what, payload, shown) => {
    const machine = inState("done");
    expect(machine.shown(NOW + 1)).toBe("done*");
    expect(machine.hook("UserPromptSubmit", NOW + 10, payload).shown(NOW + 11)).toBe(shown);
  });

  test.each<[what: string, mark: { readUntil?: number; keptUnread?: number }, shown: string]>([
    ["a mark of the answer's time", { readUntil: NOW }, "idle"],
    ["a mark before the answer", { readUntil: NOW - 0.001 }, "done*"],
    ["kept unread", { readUntil: NOW + 5, keptUnread: NOW }, "done*"],
    ["an older answer kept unread", { readUntil: NOW + 5, keptUnread: NOW - 50 }, "idle"],
  ])("%s", (_what, own, shown) => {
    const machine = inState("done");
    mark(machine, { [`claude:${ID}`]: own });
    expect(machine.shown(NOW + 10)).toBe(shown);
  });

  test("a mark is of that session only, and an answer after it is unread again", () => {
    const machine = inState("done");
    mark(machine, { "claude:other": { readUntil: NOW + 100 }, [`codex:${ID}`]: { readUntil: NOW + 100 } });
    expect(machine.shown(NOW + 1)).toBe("done*");
    mark(machine, { [`claude:${ID}`]: { readUntil: NOW + 1 } });
    expect(machine.shown(NOW + 2)).toBe("idle");
    machine.hook("UserPromptSubmit", NOW + 10, { prompt: "More" }).hook("Stop", NOW + 20);
    expect(machine.shown(NOW + 21)).toBe("done*");
  });

  test.each<[what: string, baseline: number, shown: string]>([
    ["before the first use", NOW + 1, "idle"],
    ["at the first use", NOW, "idle"],
    ["after the first use", NOW - 1, "done*"],
  ])("an answer finished %s, folded an hour later", (_what, baseline, shown) => {
    expect(inState("done", new MachineState({ baseline })).shown(NOW + 3600)).toBe(shown);
  });

  test("without marks, the first look begins them: what is older is read, what comes is not lost", () => {
    const machine = inState("done");
    rmSync(join(machine.places.home, "read-marks.json"));
    machine.observer.marks.load(NOW + 5);
    expect(machine.shown(NOW + 6)).toBe("idle");
    expect(
      machine
        .hook("UserPromptSubmit", NOW + 7, { prompt: "<task-notification>" })
        .hook("Stop", NOW + 8)
        .shown(NOW + 60),
    ).toBe("done*");
  });

  test("resuming is seeing it, /clear too; an exit may be a signal, and leaves it unread", () => {
    expect(
      inState("done")
        .hook("SessionStart", NOW + 9, { source: "resume" })
        .shown(NOW + 10),
    ).toBe("idle");
    expect(
      inState("done")
        .hook("SessionEnd", NOW + 9, { reason: "clear" })
        .shown(NOW + 10),
    ).toBe("dormant");
    expect(
      inState("done")
        .hook("SessionEnd", NOW + 9, { reason: "prompt_input_exit" })
        .shown(NOW + 10),
    ).toBe("dormant*");
  });

  test("what is unread outlives its session", () => {
    const machine = inState("done");
    machine.processes.tell(PID, "gone");
    expect(machine.shown(NOW + 86_400)).toBe("dormant*");
    expect(machine.snapshot().aggregate).toMatchObject({ unread: 1, needsYou: 0 });
  });
});

describe("5.9 what single agents mean", () => {
  const opencode = (machine: MachineState, at: number, type: string, properties: Fields = {}) =>
    machine.told({
      agent: "opencode",
      event: type,
      at,
      env: { OPENCODE_PID: "77" },
      payload: { type, properties: { sessionID: "s", ...properties } },
    });

  test("after an error, opencode's idle events keep failed, until the next turn", () => {
    const machine = new MachineState();
    machine.processes.tell(77, "running");
    opencode(machine, NOW, "chat.message", { parts: [{ type: "text", text: "Go" }] });
    opencode(machine, NOW + 1, "session.error", { error: { name: "APIError", data: { message: "overloaded" } } });
    opencode(machine, NOW + 1.1, "session.status", { status: { type: "idle" } });
    opencode(machine, NOW + 1.2, "session.idle");
    opencode(machine, NOW + 1.3, "session.idle");
    expect(machine.row(NOW + 2, "opencode:s")).toMatchObject({
      state: "failed",
      since: NOW + 1,
      message: "APIError: overloaded",
    });
    opencode(machine, NOW + 10, "chat.message", { parts: [{ type: "text", text: "Again" }] });
    expect(machine.shown(NOW + 11, "opencode:s")).toBe("working");
    opencode(machine, NOW + 20, "session.idle");
    expect(machine.shown(NOW + 21, "opencode:s")).toBe("done*");
  });

  test("opencode's aborted turn is idle, not failed, and has no answer", () => {
    const machine = new MachineState();
    opencode(machine, NOW, "chat.message", { parts: [{ type: "text", text: "Go" }] });
    opencode(machine, NOW + 1, "session.error", { error: { name: "MessageAbortedError" } });
    opencode(machine, NOW + 1.1, "session.idle");
    expect(machine.shown(NOW + 2, "opencode:s")).toBe("idle");
  });

  const gemini = (machine: MachineState, at: number, event: string, payload: Fields = {}) =>
    machine.told({
      agent: "gemini",
      event,
      at,
      payload: { session_id: "s", hook_event_name: event, cwd: "/w/shop", ...payload },
    });

  test.each<[trigger: string, shown: string]>([
    ["auto", "working"],
    ["manual", "compacting"],
  ])("Gemini's PreCompress, %s: %s", (trigger, shown) => {
    const machine = new MachineState();
    gemini(machine, NOW, "BeforeAgent", { prompt: "Go" });
    gemini(machine, NOW + 1, "PreCompress", { trigger });
    expect(machine.shown(NOW + 2, "gemini:s")).toBe(shown);
  });

  test("Gemini's compaction is over with the next event, and is nobody's turn", () => {
    const machine = new MachineState();
    gemini(machine, NOW, "BeforeAgent", { prompt: "Go" });
    gemini(machine, NOW + 5, "AfterAgent", { prompt_response: "Done." });
    gemini(machine, NOW + 10, "PreCompress", { trigger: "manual" });
    expect(machine.shown(NOW + 11, "gemini:s")).toBe("compacting");
    gemini(machine, NOW + 20, "BeforeAgent", { prompt: "Next" });
    expect(machine.shown(NOW + 21, "gemini:s")).toBe("working");
  });

  const OLD = "01890000-0000-7000-8000-000000000001";
  const NEW = "01890000-0000-7000-8000-000000000002";
  const codex = (machine: MachineState, id: string, at: number, event: string, payload: Fields = {}) =>
    machine.told({
      agent: "codex",
      event,
      at,
      payload: { session_id: id, hook_event_name: event, cwd: "/w/shop", ...payload },
    });
  const finished = (machine: MachineState) => {
    codex(machine, OLD, NOW, "UserPromptSubmit", { prompt: "Go", turn_id: "1" });
    codex(machine, OLD, NOW + 5, "Stop", { turn_id: "1" });
    return machine;
  };

  test("Codex's /clear fires nothing for the old thread: its lock is gone, so it ended; the answer stays unread", () => {
    const machine = finished(new MachineState()).codexLock(NEW);
    expect(machine.shown(NOW + 6, `codex:${OLD}`)).toBe("done*");
    codex(machine, NEW, NOW + 6.5, "SessionStart", { source: "clear" });
    // The lock may be a moment away.
    expect(machine.shown(NOW + 7, `codex:${OLD}`)).toBe("done*");
    expect(machine.shown(NOW + 7.1, `codex:${OLD}`)).toBe("dormant*");
  });

  /** Takes a lock itself, as Codex does. */
  const TAKE = 'open(my $f, ">>", $ARGV[0]) or die; flock($f, 2) or die; $| = 1; print "locked"; sleep 60';
  const canLock = process.platform === "linux" && spawnSync("perl", ["-e", "1"]).status === 0;

  (canLock ? test : test.skip)("the thread whose lock is held goes on beside it (needs Linux and perl)", async () => {
    const machine = finished(new MachineState()).codexLock(NEW);
    codex(machine, NEW, NOW + 6, "UserPromptSubmit", { prompt: "New" });
    const holder = spawn("perl", ["-e", TAKE, machine.codexLockFile(NEW)], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      await once(holder.stdout, "data");
      expect(machine.shown(NOW + 600, `codex:${OLD}`)).toBe("dormant*");
      expect(machine.shown(NOW + 600, `codex:${NEW}`)).toBe("working");
    } finally {
      const over = once(holder, "exit");
      holder.kill("SIGKILL");
      await over;
    }
  });

  test("a thread whose lock is removed while it works has ended, too", () => {
    const machine = new MachineState().codexLock(OLD).codexLock(NEW);
    codex(machine, OLD, NOW, "UserPromptSubmit", { prompt: "Go" });
    machine.snapshot(NOW + 10);
    machine.removeCodexLock(OLD);
    expect(machine.shown(NOW + 20, `codex:${OLD}`)).toBe("dormant");
  });

  test("where Codex keeps no locks (older versions), their absence says nothing", () => {
    expect(finished(new MachineState()).shown(NOW + 600, `codex:${OLD}`)).toBe("done*");
  });

  test("other agents have no locks to miss", () => {
    const machine = new MachineState().codexLock(NEW);
    gemini(machine, NOW, "BeforeAgent", { prompt: "Go" });
    expect(machine.shown(NOW + 600, "gemini:s")).toBe("working");
    expect(machine.hook("UserPromptSubmit", NOW, { prompt: "Go" }).shown(NOW + 601)).toBe("working");
  });
});

describe("5.10 time only ever makes evidence stale", () => {
  const SPANS = [5, 60, 3600, 86_400, 30 * 86_400];

  /** What shows after each span, to one who was there all the time and to one who comes then. */
  function overTime(machine: MachineState): string[] {
    return SPANS.flatMap((span) => {
      const shown = machine.shown(NOW + span);
      const other = machine.anotherObserver();
      other.look();
      return [shown, ...other.snapshot().sessions.map(shownOf)];
    });
  }

  test.each(Object.entries(HOOKS_SAY).filter(([state]) => state !== "scheduled"))(
    "%s, told by hooks, is %s however much time goes by",
    (state, shown) => {
      expect(overTime(inState(state))).toEqual(SPANS.flatMap(() => [shown, shown]));
    },
  );

  test.each([
    ["busy", "working"],
    ["waiting", "waiting"],
    ["idle", "idle"],
    ["shell", "idle"],
  ])("%s in the registry shows %s while its process runs", (status, shown) => {
    const machine = new MachineState().registry({ status, statusAt: NOW - 10, startedAt: NOW - 50 });
    machine.processes.tell(PID, "running");
    expect(overTime(machine)).toEqual(SPANS.flatMap(() => [shown, shown]));
  });

  describe("warm or cold", () => {
    const HOUR = { input_tokens: 10, cache_read_input_tokens: 990, cache_creation: { ephemeral_1h_input_tokens: 5 } };
    const FIVE = { input_tokens: 10, cache_read_input_tokens: 990, cache_creation: { ephemeral_5m_input_tokens: 5 } };
    const UNSAID = { input_tokens: 10, cache_read_input_tokens: 990 };
    const switched = (machine: MachineState, ttl: string) =>
      machine.hook("PostModelSwitch", NOW - 30, { cache_ttl: ttl, to_model: "claude-sonnet" });
    const plain = (machine: MachineState) => machine;

    test.each<
      [
        what: string,
        preference: string | undefined,
        usage: Fields,
        more: (machine: MachineState) => MachineState,
        ttl: number,
        from: string,
      ]
    >([
      ["nothing told: an hour", undefined, UNSAID, plain, 3600, "assumed"],
      ["the transcript: an hour", undefined, HOUR, plain, 3600, "session"],
      ["the transcript: five minutes", undefined, FIVE, plain, 300, "session"],
      ["a switch of the model: five minutes", undefined, UNSAID, (machine) => switched(machine, "5m"), 300, "session"],
      ["a switch of the model: an hour", undefined, UNSAID, (machine) => switched(machine, "1h"), 3600, "session"],
      ["the preference before the transcript", "10m", HOUR, plain, 600, "preference"],
      ["the preference before a switch", "2h", UNSAID, (machine) => switched(machine, "5m"), 7200, "preference"],
      ["the preference alone", "90", UNSAID, plain, 5400, "preference"],
      ["a preference that is none", "soon", FIVE, plain, 300, "session"],
    ])("the time to live, %s", (_what, preference, usage, more, ttl, ttlFrom) => {
      const environment: Record<string, string> =
        preference === undefined ? {} : { AGENT_SESSIONS_CACHE_TTL: preference };
      const machine = more(
        new MachineState({ environment }).hook("SessionStart", NOW - 60, { source: "startup", cwd: "/w/shop" }),
      );
      machine.hook("UserPromptSubmit", NOW - 20, { prompt: "Go", cwd: "/w/shop" }).hook("Stop", NOW);
      machine.transcript([userLine(NOW - 20, "Go"), answerLine(NOW - 1, usage)]);
      expect(machine.row(NOW + 1)).toMatchObject({
        cacheTtl: { ttl, ttlFrom },
        context: { tokens: 1000, lastAnswerAt: NOW - 1 },
      });
    });

    test("the clock of the cache is the transcript's answer, not the hook's end of the turn", () => {
      const machine = new MachineState()
        .hook("UserPromptSubmit", NOW - 2000, { prompt: "Go", cwd: "/w/shop" })
        .hook("Stop", NOW);
      machine.transcript([userLine(NOW - 2000, "Go"), answerLine(NOW - 1500)]);
      expect(machine.row(NOW + 1).context).toMatchObject({ lastAnswerAt: NOW - 1500 });
    });

    test("a session that said its cache is likely gone says so until its next answer", () => {
      const machine = new MachineState().hook("SessionStart", NOW, {
        source: "resume",
        cwd: "/w/shop",
        context_tokens: 80_000,
        seconds_since_last_response: 5000,
        prompt_cache_likely_expired: true,
      });
      expect(machine.row(NOW + 1).context).toMatchObject({ tokens: 80_000, lastAnswerAt: NOW - 5000, isGone: true });
      machine.hook("UserPromptSubmit", NOW + 5, { prompt: "Go" }).hook("Stop", NOW + 9);
      expect(machine.row(NOW + 10).context?.isGone).toBeUndefined();
      expect(machine.row(NOW + 10).context?.lastAnswerAt).toBe(NOW + 9);
    });
  });
});

test("what one observer shows after all of it, one that starts now shows as well", () => {
  const machine = inState("waiting").registry({ status: "idle", statusAt: NOW + 5, startedAt: NOW - 500 });
  machine
    .status("s1", { state: "done", done_at: NOW - 60 })
    .signal({ s2: { signal: "working", agent: "a", updated_at: NOW } });
  const known = machine.rows(NOW + 10);
  const other = machine.anotherObserver();
  other.look();
  expect(other.snapshot().sessions).toEqual(known);
});
