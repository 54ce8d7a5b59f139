import { weighLive } from "../../src/observe/live-evidence";
import type { Session } from "../../src/session/session";
import type { State } from "../../src/session/state";
import { canLock, CodexProcess, rollout, rolloutFile, threadOf, writes } from "./codex-terminal";
import { MachineState, NOW, shownOf, type Fields } from "./machine-state";

/** Codex's sessions by what is on the machine: locks that real processes hold, and rollouts. Times in seconds. */
const { meta, began, asked, answered, failed, stopped } = rollout;

const HOUR_AGO = NOW - 3600;
const OLD = threadOf(HOUR_AGO);
const NEW = threadOf(NOW - 100);
const BEGAN = HOUR_AGO + 10;
const ANSWERED = HOUR_AGO + 20;

const told = (machine: MachineState, id: string, at: number, event: string, payload: Fields = {}) =>
  machine.told({
    agent: "codex",
    event,
    at,
    payload: { session_id: id, hook_event_name: event, cwd: "/w/shop", ...payload },
  });

/** A thread that was opened with its id's time, asked and answered. */
const answeredThread = [meta(HOUR_AGO), began(BEGAN), asked(BEGAN, "Go"), answered(ANSWERED, BEGAN)];

/** What is shown, by thread. */
function shown(machine: MachineState, at = NOW): Record<string, string> {
  return Object.fromEntries(machine.rows(at).map((row) => [row.sessionId, shownOf(row)]));
}

(canLock ? describe : describe.skip)("by locks and rollouts (needs Linux and perl)", () => {
  const processes: CodexProcess[] = [];
  const start = (machine: MachineState, verb?: string) => {
    const started = CodexProcess.start(machine, verb);
    processes.push(started);
    return started;
  };

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((each) => each.kill()));
  });

  describe("a session of which nobody reported", () => {
    test.each<[what: string, lines: Fields[], expected: Partial<Session>]>([
      [
        "works since its prompt",
        [began(BEGAN), asked(BEGAN, "Go")],
        { state: "working", since: BEGAN, turnStartedAt: BEGAN, title: "Go" },
      ],
      [
        "is done, unread",
        [began(BEGAN), answered(ANSWERED, BEGAN)],
        { state: "done", since: ANSWERED, doneAt: ANSWERED, unread: true },
      ],
      [
        "failed",
        [began(BEGAN), failed(ANSWERED, "Overloaded")],
        { state: "failed", since: ANSWERED, message: "Overloaded", unread: false },
      ],
      ["was stopped", [began(BEGAN), stopped(ANSWERED)], { state: "idle", since: ANSWERED, unread: false }],
      [
        "works on its next turn",
        [began(BEGAN), answered(ANSWERED, BEGAN), began(ANSWERED + 9)],
        { state: "working", since: ANSWERED + 9 },
      ],
      ["was forked, and nothing asked yet", [], { state: "idle", since: HOUR_AGO }],
      ["has a rollout that tells of no turns", [asked(BEGAN, "Go")], { state: "unknown", since: HOUR_AGO }],
    ])("%s", async (_what, lines, expected) => {
      const machine = new MachineState();
      await start(machine).opens(OLD, HOUR_AGO);
      writes(machine, OLD, meta(HOUR_AGO), ...lines);
      expect(machine.row(NOW, `codex:${OLD}`)).toMatchObject({ ...expected, liveness: "running" });
    });

    test("before anything was said in it there is none; then there is, at the next look", async () => {
      const machine = new MachineState();
      await start(machine).opens(OLD, HOUR_AGO);
      expect(shown(machine)).toEqual({});
      writes(machine, OLD, meta(HOUR_AGO), began(BEGAN));
      expect(shown(machine, NOW + 0.1)).toEqual({ [OLD]: "working" });
    });

    test("in the daemon it is shown all the same, as far as its process is known", async () => {
      const machine = new MachineState();
      await start(machine, "app-server").opens(OLD, HOUR_AGO);
      writes(machine, OLD, ...answeredThread);
      expect(machine.row(NOW, `codex:${OLD}`)).toMatchObject({ state: "done", unread: true, liveness: "unknown" });
    });

    test("killed, it is over; its answer stays unread, and its title known", async () => {
      const machine = new MachineState();
      const terminal = start(machine);
      await terminal.opens(OLD, HOUR_AGO);
      writes(machine, OLD, ...answeredThread);
      await terminal.kill();
      expect(machine.row(NOW, `codex:${OLD}`)).toMatchObject({ state: "dormant", unread: true, title: "Go" });
    });

    test.each([
      ["resume", "idle"],
      ["app-server", "done*"],
    ])(
      "opened again by %s: who did so in a terminal has seen its answer, in the daemon nobody may have",
      async (verb, expected) => {
        const machine = new MachineState();
        await start(machine, verb).opens(OLD, NOW - 100);
        writes(machine, OLD, ...answeredThread);
        expect(shown(machine)).toEqual({ [OLD]: expected });
      },
    );

    test.each(["resume", "app-server"])(
      "killed in the middle of a turn, and opened again by %s: it does not work on",
      async (verb) => {
        const machine = new MachineState();
        await start(machine, verb).opens(OLD, NOW - 100);
        writes(machine, OLD, meta(HOUR_AGO), began(BEGAN));
        expect(machine.row(NOW, `codex:${OLD}`)).toMatchObject({ state: "idle", since: NOW - 100, unread: false });
        writes(machine, OLD, meta(HOUR_AGO), began(BEGAN), began(NOW - 50));
        expect(machine.row(NOW, `codex:${OLD}`)).toMatchObject({ state: "working", since: NOW - 50 });
      },
    );

    test("explained by its transcript; the registry only adds that it runs", async () => {
      const machine = new MachineState();
      await start(machine).opens(OLD, HOUR_AGO);
      writes(machine, OLD, ...answeredThread);
      expect(machine.row(NOW, `codex:${OLD}`).evidence).toMatchObject([
        { source: "registry", verdict: "adds", why: "It does not say what the session does." },
        { source: "transcript", state: "done", verdict: "overrules", at: ANSWERED },
      ]);
    });

    test("rows are the same objects while nothing changed", async () => {
      const machine = new MachineState();
      const terminal = start(machine);
      await terminal.opens(OLD, HOUR_AGO);
      await terminal.opens(NEW, NOW - 100);
      const daemon = start(machine, "app-server");
      const third = threadOf(NOW - 90);
      await daemon.opens(third, NOW - 90);
      writes(machine, OLD, ...answeredThread);
      writes(machine, NEW, meta(NOW - 100), began(NOW - 50));
      writes(machine, third, meta(NOW - 90), began(NOW - 40));
      const first = machine.rows(NOW);
      expect(first).toHaveLength(3);
      for (const later of [1, 2, 60]) {
        const again = machine.rows(NOW + later);
        for (const [index, row] of again.entries()) expect(row).toBe(first[index]);
      }
      writes(machine, NEW, meta(NOW - 100), began(NOW - 50), answered(NOW + 61, NOW - 50));
      const changed = machine.rows(NOW + 62);
      expect(changed.filter((row) => !first.includes(row)).map(({ sessionId }) => sessionId)).toEqual([NEW]);
    });
  });

  describe("threads of one process", () => {
    /** What is said in the new thread, which was opened at NOW - 100. */
    const said = [meta(NOW - 100), began(NOW - 50)];

    test.each<[what: string, old: Fields[], fresh: Fields[] | undefined, expected: Record<string, string>]>([
      [
        "/clear, and a prompt: the old one was left, its answer as unread as before",
        answeredThread,
        said,
        { [OLD]: "dormant*", [NEW]: "working" },
      ],
      ["/clear, and nothing said yet: the old one is there", answeredThread, undefined, { [OLD]: "done*" }],
      [
        "a subagent's thread is none of the user's",
        answeredThread,
        [meta(NOW - 100, { thread_source: "subagent", parent_thread_id: OLD }), began(NOW - 50)],
        { [OLD]: "done*" },
      ],
      [
        "the command center: the old one works on",
        [meta(HOUR_AGO), began(BEGAN)],
        said,
        { [OLD]: "working", [NEW]: "working" },
      ],
      [
        "the command center: the old one was answered since",
        [meta(HOUR_AGO), began(BEGAN), answered(NOW - 99, BEGAN)],
        said,
        { [OLD]: "done*", [NEW]: "working" },
      ],
      [
        "back to the old one, and a prompt",
        [...answeredThread, began(NOW - 20)],
        said,
        { [OLD]: "working", [NEW]: "working" },
      ],
      [
        "stopped, then /clear",
        [meta(HOUR_AGO), began(BEGAN), stopped(ANSWERED)],
        said,
        { [OLD]: "dormant", [NEW]: "working" },
      ],
      [
        "/resume of one that was answered long ago",
        answeredThread,
        [meta(NOW - 5000), began(NOW - 4990), answered(NOW - 4980, NOW - 4990)],
        { [OLD]: "dormant*", [NEW]: "idle" },
      ],
      [
        "/fork: the first one was left",
        answeredThread,
        [meta(NOW - 100, { forked_from_id: OLD })],
        { [OLD]: "dormant*", [NEW]: "idle" },
      ],
      [
        "killed in a turn, opened again, then /clear",
        [meta(HOUR_AGO - 100), began(HOUR_AGO - 50)],
        said,
        { [OLD]: "dormant", [NEW]: "working" },
      ],
      [
        "nothing tells of the old one's turns",
        [meta(HOUR_AGO), asked(BEGAN, "Go")],
        said,
        { [OLD]: "unknown", [NEW]: "working" },
      ],
    ])("%s", async (_what, old, fresh, expected) => {
      const machine = new MachineState();
      const terminal = start(machine);
      await terminal.opens(OLD, HOUR_AGO);
      await terminal.opens(NEW, NOW - 100);
      writes(machine, OLD, ...old);
      if (fresh !== undefined) writes(machine, NEW, ...fresh);
      expect(shown(machine)).toEqual(expected);
      // Whoever comes now sees the same as who was there.
      const other = machine.anotherObserver();
      other.look();
      expect(Object.fromEntries(other.snapshot().sessions.map((row) => [row.sessionId, shownOf(row)]))).toEqual(
        expected,
      );
    });

    test.each([
      ["the shared daemon's", "app-server"],
      ["a terminal of its own", "resume"],
    ])("of %s, each in a process with another's: none ends the other", async (_what, verb) => {
      const machine = new MachineState();
      const one = start(machine, verb);
      await one.opens(OLD, HOUR_AGO);
      await (verb === "resume" ? start(machine, verb) : one).opens(NEW, NOW - 100);
      writes(machine, OLD, ...answeredThread);
      writes(machine, NEW, ...said);
      expect(shown(machine)).toEqual({ [OLD]: "done*", [NEW]: "working" });
    });

    test("with hooks too: it ends at the look after the new one's first prompt, and says why", async () => {
      const machine = new MachineState();
      const terminal = start(machine);
      await terminal.opens(OLD, HOUR_AGO);
      told(machine, OLD, BEGAN, "UserPromptSubmit", { prompt: "Go" });
      told(machine, OLD, ANSWERED, "Stop");
      writes(machine, OLD, ...answeredThread);
      await terminal.opens(NEW, NOW - 100);
      expect(shown(machine)).toEqual({ [OLD]: "done*" });
      writes(machine, NEW, ...said);
      told(machine, NEW, NOW + 1, "UserPromptSubmit", { prompt: "Next" });
      expect(shown(machine, NOW + 1)).toEqual({ [OLD]: "dormant*", [NEW]: "working" });
      const row = machine.row(NOW + 1, `codex:${OLD}`);
      expect(row.evidence).toContainEqual(
        expect.objectContaining({ source: "registry", why: "Its process went on with another session." }),
      );
      // It comes back with its next prompt.
      told(machine, OLD, NOW + 5, "UserPromptSubmit", { prompt: "Once more" });
      writes(machine, OLD, ...answeredThread, began(NOW + 5));
      expect(shown(machine, NOW + 6)).toEqual({ [OLD]: "working", [NEW]: "working" });
    });

    test("a run without a terminal beside it is a session of its own", async () => {
      const machine = new MachineState();
      await start(machine).opens(OLD, HOUR_AGO);
      await start(machine, "exec").opens(NEW, NOW - 100);
      writes(machine, OLD, ...answeredThread);
      writes(machine, NEW, ...said);
      expect(shown(machine)).toEqual({ [OLD]: "done*", [NEW]: "working" });
      expect(machine.row(NOW, `codex:${NEW}`).headless).toBe(true);
      expect(machine.row(NOW, `codex:${OLD}`).headless).not.toBe(true);
    });
  });

  describe("a session that hooks reported, and that had ended", () => {
    const ended = (machine: MachineState, stop: boolean) => {
      told(machine, OLD, BEGAN, "UserPromptSubmit", { prompt: "Go" });
      if (stop) told(machine, OLD, ANSWERED, "Stop");
      writes(machine, OLD, ...answeredThread.slice(0, stop ? 4 : 3), ...(stop ? [] : [stopped(ANSWERED)]));
      return told(machine, OLD, ANSWERED + 5, "SessionEnd", { reason: "other" });
    };

    test.each<[what: string, stop: boolean, openedAt: number, verb: string, expected: string]>([
      ["opened again in a terminal, its answer unread", true, NOW - 100, "resume", "done*"],
      ["opened again in a terminal, without an answer", false, NOW - 100, "resume", "idle"],
      ["its lock is from before it ended", true, HOUR_AGO, "resume", "dormant*"],
      ["opened again in the daemon, its answer unread", true, NOW - 100, "app-server", "done*"],
      ["the daemon is about to let it go", true, ANSWERED, "app-server", "dormant*"],
    ])("%s", async (_what, stop, openedAt, verb, expected) => {
      const machine = ended(new MachineState(), stop);
      await start(machine, verb).opens(OLD, openedAt);
      expect(shown(machine)).toEqual({ [OLD]: expected });
    });

    test.each<[what: string, event: string, openedAt: number, verb: string, expected: string]>([
      ["killed while it worked, and opened again", "UserPromptSubmit", NOW - 100, "resume", "idle"],
      ["killed while it waited, and opened again", "PermissionRequest", NOW - 100, "resume", "idle"],
      ["killed while its subagent ran, and opened again", "SubagentStart", NOW - 100, "resume", "idle"],
      ["killed after its answer, and opened again", "Stop", NOW - 100, "resume", "done"],
      ["opened before: it works", "UserPromptSubmit", HOUR_AGO, "resume", "working"],
      ["opened before: it waits", "PermissionRequest", HOUR_AGO, "resume", "waiting"],
      ["the daemon may have had it all the time", "UserPromptSubmit", NOW - 100, "app-server", "working"],
    ])("%s (%s)", async (_what, event, openedAt, verb, expected) => {
      const machine = new MachineState();
      told(machine, OLD, BEGAN, "UserPromptSubmit", { prompt: "Go" });
      const more = { tool_name: "Bash", tool_input: {}, agent_id: event === "SubagentStart" ? "a1" : undefined };
      if (event !== "UserPromptSubmit") told(machine, OLD, BEGAN + 1, event, more);
      writes(machine, OLD, meta(HOUR_AGO), began(BEGAN));
      await start(machine, verb).opens(OLD, openedAt);
      const row = machine.row(NOW, `codex:${OLD}`);
      expect(row.state).toBe(expected);
      if (expected === "idle") expect(row).toMatchObject({ since: NOW - 100, subagents: 0 });
      else expect(row.since).toBe(event === "UserPromptSubmit" ? BEGAN : BEGAN + 1);
    });

    test("opened again where no hooks are: its next turn shows, also in the daemon", async () => {
      const machine = ended(new MachineState(), true);
      await start(machine, "app-server").opens(OLD, NOW - 100);
      writes(machine, OLD, ...answeredThread, began(NOW - 50));
      expect(shown(machine)).toEqual({ [OLD]: "working" });
    });
  });

  test("the same thread is one row, whatever tells of it", async () => {
    const machine = new MachineState();
    await start(machine).opens(OLD, HOUR_AGO);
    writes(machine, OLD, ...answeredThread);
    told(machine, OLD, BEGAN, "UserPromptSubmit", { prompt: "Go" });
    machine.status(OLD, { agent: "codex", state: "done", ts: ANSWERED });
    expect(Object.keys(shown(machine))).toEqual([OLD]);
    expect(machine.rows()).toHaveLength(1);
  });
});

test.each<[state: State, expected: State]>([
  ["working", "idle"],
  ["compacting", "idle"],
  ["waiting", "idle"],
  ["decision", "idle"],
  ["waitingForSubagents", "idle"],
  ["dormant", "idle"],
  ["idle", "idle"],
  ["failed", "failed"],
  ["scheduled", "scheduled"],
])("told %s, and opened since by another process: %s", (state, expected) => {
  const entry = { agent: "codex", sessionId: "s", pid: 21, startedAt: 200 };
  const report = { agent: "codex", sessionId: "s", state, since: 100 };
  const weighed = weighLive(report, 100, { entry, file: "lock", liveness: "running" }, 300);
  expect(weighed.report.state).toBe(expected);
  expect(weighed.report.since).toBe(weighed.verdict === "overrules" ? 200 : 100);
  // Of one that was opened before nothing is concluded, nor of a process that is not certain, unless it had ended.
  const before = { entry: { ...entry, startedAt: 50 }, file: "lock", liveness: "running" } as const;
  const unsure = { entry, file: "lock", liveness: "unknown" } as const;
  expect(weighLive(report, 100, before, 300)).toMatchObject({ report: { state }, verdict: "adds" });
  expect(weighLive(report, 100, unsure, 300).report.state).toBe(state === "dormant" ? expected : state);
});

describe("by hooks and rollouts", () => {
  const machineWith = (lines: Fields[]) => {
    const machine = new MachineState();
    writes(machine, OLD, ...lines);
    return told(machine, OLD, BEGAN + 0.2, "UserPromptSubmit", {
      prompt: "Go",
      transcript_path: rolloutFile(machine, OLD),
    });
  };

  test("an error of the API, of which no hook tells", () => {
    const machine = machineWith([meta(HOUR_AGO), began(BEGAN)]);
    expect(machine.row(BEGAN + 1, `codex:${OLD}`)).toMatchObject({ state: "working", since: BEGAN + 0.2 });
    writes(machine, OLD, meta(HOUR_AGO), began(BEGAN), failed(BEGAN + 3, "Overloaded"));
    expect(machine.row(BEGAN + 4, `codex:${OLD}`)).toMatchObject({
      state: "failed",
      since: BEGAN + 3,
      message: "Overloaded",
      unread: false,
    });
    told(machine, OLD, BEGAN + 60, "UserPromptSubmit", { prompt: "Again" });
    expect(shown(machine, BEGAN + 61)).toEqual({ [OLD]: "working" });
  });

  test("a permission that is asked for during the turn stays", () => {
    const machine = machineWith([meta(HOUR_AGO), began(BEGAN)]);
    told(machine, OLD, BEGAN + 2, "PermissionRequest", { turn_id: "1", tool_name: "Bash", tool_input: {} });
    expect(shown(machine, BEGAN + 600)).toEqual({ [OLD]: "waiting" });
  });

  test("a turn after the last that hooks told of, and its answer", () => {
    const machine = machineWith(answeredThread);
    told(machine, OLD, ANSWERED - 0.1, "Stop");
    expect(machine.row(ANSWERED + 1, `codex:${OLD}`)).toMatchObject({ state: "done", doneAt: ANSWERED - 0.1 });
    writes(machine, OLD, ...answeredThread, began(ANSWERED + 60));
    expect(machine.row(ANSWERED + 61, `codex:${OLD}`)).toMatchObject({ state: "working", unread: false });
    writes(machine, OLD, ...answeredThread, began(ANSWERED + 60), answered(ANSWERED + 70, ANSWERED + 60));
    expect(machine.row(ANSWERED + 71, `codex:${OLD}`)).toMatchObject({
      state: "done",
      doneAt: ANSWERED + 70,
      unread: true,
    });
  });

  test("of one that has ended and has no lock nothing more is read", () => {
    const machine = machineWith(answeredThread);
    told(machine, OLD, ANSWERED, "Stop");
    told(machine, OLD, ANSWERED + 5, "SessionEnd", { reason: "other" });
    writes(machine, OLD, ...answeredThread, began(ANSWERED + 60));
    expect(shown(machine)).toEqual({ [OLD]: "dormant*" });
    expect(machine.row(NOW, `codex:${OLD}`).sources).toEqual(["events"]);
  });
});
