import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { transcriptKinds } from "../../src/agents/transcript-kinds";
import { cacheOf } from "../../src/session/cache";
import type { DisplayState } from "../../src/session/signal";
import { ReadMarksFile } from "../../src/store/read-marks";
import { Transcripts } from "../../src/store/transcripts";
import { answerLine, ID, MachineState, NOW, PID, shownOf, userLine, type Fields } from "./machine-state";

/**
 * What users of session monitors report and ask for, a test or more for each that is about what is shown. The number
 * is the one of the list of such reports.
 */

const USES_BASH = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };
const OTHER = "5e551011-0000-4000-8000-000000000002";

function working(): MachineState {
  const machine = new MachineState();
  machine.processes.tell(PID, "running");
  return machine
    .registry({ status: "busy", statusAt: NOW + 0.1, startedAt: NOW - 500, cwd: "/w/shop" })
    .hook("SessionStart", NOW - 100, { source: "startup", cwd: "/w/shop" })
    .hook("UserPromptSubmit", NOW, { prompt: "Go", cwd: "/w/shop" });
}

describe("users-ask 1: Esc does not leave a session running", () => {
  test("users-ask 1: at the look that sees the registry come to rest, also hours later", () => {
    const machine = working();
    expect(machine.shown(NOW + 10)).toBe("working");
    machine.registry({ status: "idle", statusAt: NOW + 12, startedAt: NOW - 500 });
    expect(machine.row(NOW + 12.1)).toMatchObject({ state: "idle", unread: false, since: NOW + 12 });
    expect(machine.shown(NOW + 20_000)).toBe("idle");
  });

  test("users-ask 1: by the interrupt mark where there is no registry", () => {
    const machine = working().unregister();
    machine.transcript([userLine(NOW, "Go"), userLine(NOW + 12, "[Request interrupted by user]")]);
    expect(machine.row(NOW + 13)).toMatchObject({ state: "idle", unread: false, since: NOW + 12 });
  });

  test("users-ask 1: the last hook is not trusted for ever: the reminder a minute later repairs it", () => {
    const machine = working().unregister();
    machine.hook("Notification", NOW + 75, {
      notification_type: "idle_prompt",
      message: "Claude is waiting for your input",
    });
    expect(machine.shown(NOW + 76)).toBe("idle");
  });
});

describe("users-ask 2: sessions killed days ago do not need anybody", () => {
  const says = (machine: MachineState, status: string) =>
    machine.registry({ status, statusAt: NOW + 1.1, startedAt: NOW - 500 });

  test.each<[what: string, lead: (machine: MachineState) => unknown]>([
    ["a permission", (machine) => says(machine, "waiting").hook("PermissionRequest", NOW + 1, USES_BASH)],
    ["a failure", (machine) => says(machine, "idle").hook("StopFailure", NOW + 1, { error: "overloaded" })],
    ["a wait that only the registry knows", (machine) => says(machine, "waiting")],
  ])("users-ask 2: killed at %s", (_what, lead) => {
    const machine = working();
    lead(machine);
    expect(machine.snapshot(NOW + 5).aggregate.needsYou).toBe(1);
    machine.processes.tell(PID, "gone");
    const { sessions, aggregate } = machine.snapshot(NOW + 3 * 86_400);
    expect(sessions).toMatchObject([{ state: "dormant", needsYou: false }]);
    expect(sessions[0]?.message).toBeUndefined();
    expect(aggregate).toMatchObject({ needsYou: 0, displayState: "ready" });
  });
});

test("users-ask 3: a number that is another process's by now keeps no dead session alive", () => {
  const machine = working().registry({
    status: "waiting",
    statusAt: NOW + 1,
    startedAt: NOW - 500,
    procStart: "812345",
  });
  machine.processes.tell(PID, "running", "812345");
  expect(machine.shown(NOW + 5)).toBe("waiting");
  machine.processes.tell(PID, "running", "99812345");
  expect(machine.row(NOW + 6)).toMatchObject({ state: "dormant", liveness: "gone", needsYou: false });
});

describe("users-ask 4: a subagent's end is not the session's", () => {
  test("users-ask 4: neither done, nor unread, nor ringing", () => {
    const machine = working()
      .hook("SubagentStart", NOW + 1, { agent_id: "a1", agent_type: "Explore" })
      .hook("Stop", NOW + 5, { agent_id: "a1" })
      .hook("SubagentStop", NOW + 6, { agent_id: "a1" });
    const { sessions, aggregate } = machine.snapshot(NOW + 7);
    expect(sessions.map(shownOf)).toEqual(["working"]);
    expect(aggregate).toMatchObject({ unread: 0, needsYou: 0, working: 1, displayState: "active" });
  });

  test("users-ask 4: an internal agent's end that never began takes nothing away", () => {
    const machine = working()
      .hook("SubagentStart", NOW + 1, { agent_id: "a1", agent_type: "Explore" })
      .hook("SubagentStop", NOW + 2, { agent_id: "btw-7", agent_type: "" });
    expect(machine.row(NOW + 3)).toMatchObject({ state: "waitingForSubagents", subagents: 1 });
  });
});

test("users-ask 5: what runs in the background is shown beside an answer, until it ends", () => {
  const tasks = [
    { id: "b1", type: "shell", status: "running", command: "npm run dev" },
    { id: "m1", type: "monitor", status: "running", description: "errors in the log" },
  ];
  const machine = working()
    .hook("Stop", NOW + 5, { background_tasks: tasks })
    .registry({ status: "shell", statusAt: NOW + 5.3, startedAt: NOW - 500 });
  expect(machine.row(NOW + 60)).toMatchObject({
    state: "done",
    unread: true,
    background: { b1: { command: "npm run dev" } },
    monitors: { m1: { text: "errors in the log" } },
  });
  machine.hook("UserPromptSubmit", NOW + 70, {
    prompt:
      "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>(exit code 0)</summary>\n</task-notification>",
  });
  machine.hook("Stop", NOW + 80, { background_tasks: [tasks[1]] });
  expect(machine.row(NOW + 81)).toMatchObject({ background: {}, monitors: { m1: {} }, unread: true });
});

test.each<[type: string | undefined, message: string, shown: string]>([
  ["idle_prompt", "Claude is waiting for your input", "done*"],
  ["idle_prompt", "Claude needs your permission to use Bash", "done*"],
  [undefined, "Claude is waiting for your input", "done*"],
  ["auth_success", "permission", "done*"],
])("users-ask 6: a reminder %s (%s) asks for no permission", (type, message, shown) => {
  const machine = working().hook("Stop", NOW + 5);
  machine.registry({ status: "idle", statusAt: NOW + 5.2, startedAt: NOW - 500 });
  machine.hook("Notification", NOW + 65, { message, ...(type === undefined ? {} : { notification_type: type }) });
  expect(machine.shown(NOW + 66)).toBe(shown);
  expect(machine.snapshot().aggregate.needsYou).toBe(0);
});

describe("users-ask 8: waiting is over with the approval", () => {
  test.each<[what: string, step: (machine: MachineState) => unknown]>([
    ["the tool ran", (machine) => machine.hook("PostToolUse", NOW + 10, USES_BASH)],
    ["the tool failed", (machine) => machine.hook("PostToolUseFailure", NOW + 10, USES_BASH)],
    ["a rule denied it", (machine) => machine.hook("PermissionDenied", NOW + 10, USES_BASH)],
    ["the turn went on", (machine) => machine.hook("PreToolUse", NOW + 10, { ...USES_BASH, tool_use_id: "t2" })],
    [
      "the registry is busy again, while the tool runs long",
      (machine) => machine.registry({ status: "busy", statusAt: NOW + 10, startedAt: NOW - 500 }),
    ],
  ])("users-ask 8: %s", (_what, step) => {
    const machine = working()
      .hook("PreToolUse", NOW + 1, USES_BASH)
      .hook("PermissionRequest", NOW + 2, USES_BASH);
    machine.registry({ status: "waiting", waitingFor: "permission prompt", statusAt: NOW + 2.1, startedAt: NOW - 500 });
    expect(machine.row(NOW + 5)).toMatchObject({ state: "waiting", message: "Bash: npm test" });
    step(machine);
    // What the registry said before is older, however long it takes to be written anew.
    expect(machine.row(NOW + 10.1)).toMatchObject({ state: "working", needsYou: false });
    expect(machine.row(NOW + 13)).toMatchObject({ state: "working", needsYou: false });
  });

  test("users-ask 8: denied, it is idle", () => {
    const machine = working()
      .hook("PreToolUse", NOW + 1, USES_BASH)
      .hook("PermissionRequest", NOW + 2, USES_BASH);
    machine.registry({ status: "idle", statusAt: NOW + 9, startedAt: NOW - 500 });
    expect(machine.row(NOW + 9.1)).toMatchObject({ state: "idle", needsYou: false, unread: false });
  });
});

test("users-ask 9: nothing flickers: a look at every tenth of a second shows what happened, in its order, once", () => {
  const machine = working();
  const seen: string[] = [];
  const happens: readonly [at: number, step: () => unknown][] = [
    [2, () => machine.hook("PreToolUse", NOW + 2, USES_BASH)],
    [6, () => machine.hook("PostToolUse", NOW + 6, USES_BASH)],
    // Between two steps the model thinks: no event for half a minute.
    [36, () => machine.hook("Stop", NOW + 36)],
    [36.9, () => machine.registry({ status: "idle", statusAt: NOW + 36.9, startedAt: NOW - 500 })],
    [50, () => machine.hook("UserPromptSubmit", NOW + 50, { prompt: "More" })],
    // The registry is late.
    [50.8, () => machine.registry({ status: "busy", statusAt: NOW + 50.8, startedAt: NOW - 500 })],
  ];
  let next = 0;
  for (let tenth = 0; tenth < 600; tenth += 1) {
    for (; (happens[next]?.[0] ?? Infinity) <= tenth / 10; next += 1) happens[next]?.[1]();
    const shown = machine.shown(NOW + tenth / 10 + 0.05);
    if (shown !== seen.at(-1)) seen.push(shown);
  }
  expect(next).toBe(happens.length);
  expect(seen).toEqual(["working", "done*", "working"]);
});

test.each<[tool: string, input: Fields, kind: string]>([
  [
    "AskUserQuestion",
    { questions: [{ question: "Which?", header: "W", options: [{ label: "A" }, { label: "B" }] }] },
    "question",
  ],
  ["ExitPlanMode", { plan: "First this" }, "plan"],
])("users-ask 10: %s is a decision, at once and until it is answered", (tool, input, kind) => {
  const asks = { tool_name: tool, tool_use_id: "q1", tool_input: input };
  const machine = working().hook("PreToolUse", NOW + 1, asks);
  expect(machine.row(NOW + 1.1)).toMatchObject({ state: "decision", waitingFor: kind, needsYou: true });
  machine.registry({ status: "waiting", waitingFor: "input needed", statusAt: NOW + 1.2, startedAt: NOW - 500 });
  machine.hook("PermissionRequest", NOW + 1.3, asks);
  expect(machine.row(NOW + 500)).toMatchObject({ state: "decision", waitingFor: kind });
  machine
    .hook("PostToolUse", NOW + 600, asks)
    .registry({ status: "busy", statusAt: NOW + 600.2, startedAt: NOW - 500 });
  expect(machine.row(NOW + 601)).toMatchObject({ state: "working", needsYou: false });
});

describe("users-ask 11: resume, fork and /clear make neither duplicates nor lost rows", () => {
  const env = (pid: number) => ({ CLAUDE_PID: String(pid), CLAUDE_CODE_ENTRYPOINT: "cli" });

  test("users-ask 11: a resume in another process is the same row, and its process is the new one", () => {
    const machine = working()
      .hook("Stop", NOW + 5)
      .hook("SessionEnd", NOW + 9, { reason: "prompt_input_exit" });
    machine.unregister();
    machine.processes.tell(PID, "gone").tell(5000, "running");
    expect(machine.shown(NOW + 20)).toBe("dormant*");
    machine.hook("SessionStart", NOW + 30, { source: "resume" }, env(5000));
    machine.registry({ pid: 5000, status: "idle", statusAt: NOW + 30, startedAt: NOW + 29 });
    expect(machine.rows(NOW + 31)).toMatchObject([{ id: `claude:${ID}`, state: "idle", process: { pid: 5000 } }]);
  });

  test("users-ask 11: two entries of one session are one row, that of the process that runs", () => {
    const machine = new MachineState()
      .registry({ pid: 4000, status: "busy", statusAt: NOW + 50, startedAt: NOW - 900 })
      .registry({ pid: 5000, status: "idle", statusAt: NOW, startedAt: NOW - 100 });
    machine.processes.tell(4000, "gone").tell(5000, "running");
    expect(machine.rows(NOW + 60)).toMatchObject([{ state: "idle", process: { pid: 5000 }, liveness: "running" }]);
  });

  test("users-ask 11: /clear keeps the old row as ended and read, and the process goes on with the new one", () => {
    const machine = working()
      .hook("Stop", NOW + 5)
      .hook("SessionEnd", NOW + 9, { reason: "clear" });
    machine.hook("SessionStart", NOW + 9.1, { session_id: OTHER, source: "clear" });
    machine.registry({ sessionId: OTHER, status: "idle", statusAt: NOW + 9.2, startedAt: NOW - 500 });
    const rows = machine.rows(NOW + 20).map((row) => `${row.sessionId} ${shownOf(row)}`);
    expect(rows.sort()).toEqual([`${ID} dormant`, `${OTHER} idle`]);
  });

  test("users-ask 11: a fork is a session of its own beside the one it left", () => {
    const machine = working().hook("Stop", NOW + 5);
    machine.registry({ status: "idle", statusAt: NOW + 5, startedAt: NOW - 500 });
    machine.processes.tell(5000, "running");
    machine.hook("SessionStart", NOW + 30, { session_id: OTHER, source: "fork" }, env(5000));
    machine.registry({ pid: 5000, sessionId: OTHER, status: "idle", statusAt: NOW + 30, startedAt: NOW + 29 });
    const rows = machine.rows(NOW + 31).map((row) => `${row.sessionId} ${shownOf(row)} ${row.process?.pid ?? "?"}`);
    expect(rows.sort()).toEqual([`${ID} done* ${PID}`, `${OTHER} idle 5000`]);
  });

  test("users-ask 11: a side run of the open session neither ends nor doubles it", () => {
    const machine = working();
    const side = { CLAUDE_PID: "6000", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    machine.processes.tell(6000, "running");
    machine.registry({ pid: 6000, status: "idle", statusAt: NOW + 8, startedAt: NOW + 7, entrypoint: "sdk-cli" });
    machine.hook("SessionStart", NOW + 7, { source: "resume" }, side).hook("SessionEnd", NOW + 8, {}, side);
    expect(machine.rows(NOW + 20)).toMatchObject([{ state: "working", process: { pid: PID } }]);
  });
});

test("users-ask 12: two sessions in one folder stay two, whatever tells of them", () => {
  const machine = working();
  machine.processes.tell(5000, "running");
  machine.registry({
    pid: 5000,
    sessionId: OTHER,
    status: "idle",
    statusAt: NOW,
    startedAt: NOW - 400,
    cwd: "/w/shop",
  });
  machine.status("s3", { state: "failed", cwd: "/w/shop" });
  machine.told({
    agent: "gemini",
    event: "BeforeAgent",
    at: NOW,
    payload: { session_id: ID, hook_event_name: "BeforeAgent", cwd: "/w/shop", prompt: "Go" },
  });
  const rows = machine.rows(NOW + 5);
  expect(rows.map((row) => `${row.id} ${row.state} ${row.project ?? "?"}`).sort()).toEqual([
    `claude:${ID} working shop`,
    `claude:${OTHER} idle shop`,
    "claude:s3 failed shop",
    `gemini:${ID} working shop`,
  ]);
});

test("users-ask 20: sessions of every configuration folder show, those of the further ones with its label", () => {
  const machine = new MachineState({ labels: ["work", "client"] });
  for (const pid of [1, 2, 3]) machine.processes.tell(pid, "running");
  machine
    .registry({ pid: 1, sessionId: "usual", status: "idle", statusAt: NOW })
    .registry({ pid: 2, sessionId: "at-work", status: "busy", statusAt: NOW, label: "work" })
    .registry({ pid: 3, sessionId: "at-client", status: "waiting", statusAt: NOW, label: "client" });
  // Hooks tell of the folder, too, in their environment.
  machine.hook(
    "UserPromptSubmit",
    NOW,
    { session_id: "told", prompt: "Go" },
    { CLAUDE_CONFIG_DIR: machine.configOf("work") },
  );
  const rows = machine.rows(NOW + 10);
  expect(rows.map(({ sessionId, state, configLabel }) => `${sessionId} ${state} ${configLabel ?? "-"}`).sort()).toEqual(
    ["at-client waiting client", "at-work working work", "told working work", "usual idle -"],
  );
  expect(machine.observer.registryFolders.filter((folder) => folder.includes(".claude"))).toHaveLength(3);
});

describe("users-ask 21: files in /tmp vanish", () => {
  test("users-ask 21: what was alive a moment ago is unknown, not idle", () => {
    const machine = new MachineState().signal({
      alive: { signal: "working", agent: "a", updated_at: NOW - 5 },
      asks: { signal: "permission_request", agent: "a", updated_at: NOW - 5 },
      over: { signal: "done", agent: "a", updated_at: NOW - 9000 },
    });
    machine.snapshot(NOW);
    rmSync(dirname(machine.places.signalStateFile), { recursive: true });
    const { sessions, aggregate } = machine.snapshot(NOW + 10);
    expect(sessions.map(({ id, state, since }) => [id, state, since])).toEqual([
      ["a:alive", "unknown", NOW + 10],
      ["a:asks", "unknown", NOW + 10],
    ]);
    expect(aggregate).toMatchObject({ needsYou: 0, displayState: "stale" });
  });

  test("users-ask 21: what other sources know of the session stands", () => {
    const machine = working().signal({ [ID]: { signal: "thinking", agent: "claude", updated_at: NOW } });
    machine.snapshot(NOW + 1);
    rmSync(dirname(machine.places.signalStateFile), { recursive: true });
    expect(machine.rows(NOW + 10).map(shownOf)).toEqual(["working"]);
  });
});

test("users-ask 23: done, unread and never started are three things; seeing one clears only that one", () => {
  const machine = new MachineState()
    .hook("UserPromptSubmit", NOW - 60, { session_id: "first", prompt: "Go" }, {})
    .hook("Stop", NOW - 50, { session_id: "first" }, {})
    .hook("UserPromptSubmit", NOW - 60, { session_id: "second", prompt: "Go" }, {})
    .hook("Stop", NOW - 40, { session_id: "second" }, {})
    .hook("SessionStart", NOW - 30, { session_id: "fresh", source: "startup" }, {});
  const shown = (at: number) => Object.fromEntries(machine.rows(at).map((row) => [row.sessionId, shownOf(row)]));
  expect(shown(NOW)).toEqual({ first: "done*", second: "done*", fresh: "idle" });
  new ReadMarksFile(machine.places.home).update(NOW, () => ({ "claude:first": { readUntil: NOW } }));
  expect(shown(NOW + 1)).toEqual({ first: "idle", second: "done*", fresh: "idle" });
  // Neither time nor what another session does clears it.
  machine.hook("UserPromptSubmit", NOW + 5, { session_id: "first", prompt: "More" }, {});
  expect(shown(NOW + 86_400)).toEqual({ first: "working", second: "done*", fresh: "idle" });
});

describe("users-ask 24: the aggregate does not say done while agents work", () => {
  const SESSIONS: Readonly<Record<string, Fields>> = {
    failed: { state: "failed" },
    waiting: { state: "waiting", waiting_for: "permission" },
    decision: { state: "decision", waiting_for: "question" },
    input: { state: "waiting", waiting_for: "input" },
    unknown: { state: "unknown" },
    working: { state: "working" },
    compacting: { state: "compacting" },
    subagents: { state: "waitingForSubagents", subagents: 1 },
    done: { state: "done", done_at: NOW - 60 },
    read: { state: "done", done_at: NOW - 60, user_prompt_at: NOW - 50 },
    idle: { state: "idle" },
    scheduled: { state: "scheduled", wakeup_at: NOW + 600 },
    ended: { state: "dormant" },
  };

  test.each<[sessions: string, display: DisplayState]>([
    ["failed waiting input unknown working done idle", "blocked"],
    ["waiting input unknown working done idle", "permission"],
    ["decision working done", "permission"],
    ["input unknown working done idle", "needs_review"],
    ["unknown working done idle", "stale"],
    ["working done idle", "active"],
    ["compacting done idle", "active"],
    ["subagents done idle", "active"],
    ["done idle scheduled ended", "completed"],
    ["read idle scheduled ended", "ready"],
    ["", "ready"],
  ])("users-ask 24: of %s it says %s", (sessions, display) => {
    for (const names of [sessions.split(" "), sessions.split(" ").reverse()]) {
      const machine = new MachineState();
      for (const name of names) if (name !== "") machine.status(name, SESSIONS[name]);
      expect(machine.snapshot(NOW).aggregate.displayState).toBe(display);
    }
  });
});

describe("users-ask 25: warm or cold, and the tokens at stake, before resuming", () => {
  const machineWith = (answeredAt: number) => {
    const machine = working().hook("Stop", NOW + 5);
    machine.transcript([
      userLine(NOW, "Go"),
      answerLine(answeredAt, {
        input_tokens: 1_000,
        cache_read_input_tokens: 81_000,
        cache_creation_input_tokens: 500,
      }),
      { ...answerLine(NOW + 5_000, { input_tokens: 7 }), isSidechain: true },
    ]);
    return machine;
  };

  test.each<[what: string, after: number, temperature: string]>([
    ["right after it", 5, "warm"],
    ["55 minutes after it", 55 * 60, "cold"],
    ["the next day", 86_400, "cold"],
  ])("users-ask 25: an answer, %s", (_what, after, temperature) => {
    const row = machineWith(NOW + 4).row(NOW + 4 + after);
    expect(row).toMatchObject({ context: { tokens: 82_500, model: "claude-sonnet", lastAnswerAt: NOW + 4 } });
    expect(cacheOf(row, NOW + 4 + after).temperature).toBe(temperature);
  });

  test("users-ask 25: a further answer warms it again", () => {
    const machine = machineWith(NOW + 4);
    expect(cacheOf(machine.row(NOW + 4000), machine.now).temperature).toBe("cold");
    machine.hook("UserPromptSubmit", NOW + 4010, { prompt: "More" }).hook("Stop", NOW + 4020);
    machine.transcript([
      userLine(NOW, "Go"),
      answerLine(NOW + 4),
      userLine(NOW + 4010, "More"),
      answerLine(NOW + 4019),
    ]);
    expect(cacheOf(machine.row(NOW + 4021), machine.now)).toMatchObject({
      temperature: "warm",
      until: NOW + 4019 + 3600,
    });
  });
});

describe("users-ask 27: transcripts are never read whole", () => {
  /** A transcript of this size, its middle a hole that no disk holds, its beginning and end as given. */
  function sparse(path: string, size: number, beginning: Fields, end: Fields): void {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, "w");
    try {
      writeSync(file, `${JSON.stringify(beginning)}\n`);
      const tail = `\n${JSON.stringify(end)}\n`;
      ftruncateSync(file, size);
      writeSync(file, tail, size - Buffer.byteLength(tail));
    } finally {
      closeSync(file);
    }
  }

  const HUGE = 1024 ** 3;

  test("users-ask 27: of a gigabyte, what is needed is known, and memory hardly grows", () => {
    const machine = working();
    sparse(machine.transcriptFile(), HUGE, userLine(NOW, "Go and find it"), answerLine(NOW + 4));
    expect(statSync(machine.transcriptFile()).size).toBe(HUGE);
    const before = process.memoryUsage();
    const row = machine.row(NOW + 10);
    const after = process.memoryUsage();
    expect(row).toMatchObject({ title: "Go", context: { tokens: 100, lastAnswerAt: NOW + 4 } });
    // A launcher's heap ends at 100 MB; the buffers of a read are outside of it.
    expect(after.heapUsed - before.heapUsed + (after.external - before.external)).toBeLessThan(32 * 1024 ** 2);
  });

  test("users-ask 27: one that did not change is not read again, of one that grew only the ends are", () => {
    const machine = working();
    sparse(machine.transcriptFile(), HUGE, userLine(NOW, "Go and find it"), answerLine(NOW + 4));
    const user = machine.environment.HOME ?? "";
    const known = new Transcripts(transcriptKinds({ environment: {}, user, platform: "linux" }), { clock: () => NOW });
    const session = { agent: "claude", sessionId: ID, cwd: "/w/shop" };
    const first = known.factsOf(session);
    expect(first).toMatchObject({ firstPrompt: "Go and find it", lastAnswerAt: NOW + 4 });
    for (let look = 0; look < 100; look += 1) expect(known.factsOf(session)).toBe(first);
    expect(known.reads).toBe(1);
    sparse(machine.transcriptFile(), HUGE + 4096, userLine(NOW, "Go and find it"), answerLine(NOW + 44));
    expect(known.factsOf(session)).toMatchObject({ lastAnswerAt: NOW + 44 });
    expect(known.reads).toBe(2);
  });

  test("users-ask 27: with nothing to find in them, neither end is read beyond its bound", () => {
    const machine = working();
    // An answer in the midst of it is out of reach; nothing is made up in its place.
    mkdirSync(dirname(machine.transcriptFile()), { recursive: true });
    const file = openSync(machine.transcriptFile(), "w");
    writeSync(file, `\n${JSON.stringify(answerLine(NOW + 4))}\n`, HUGE / 2);
    ftruncateSync(file, HUGE);
    closeSync(file);
    const row = machine.row(NOW + 10);
    expect(row.state).toBe("working");
    expect(row.context).toBeUndefined();
  });
});
