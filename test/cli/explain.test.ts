import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { explainText } from "../../src/cli/explain-text";
import { run } from "../../src/cli/run";
import { sessionDetailSchema } from "../../src/cli/snapshot-schema";
import type { Session } from "../../src/session/session";
import { cliIo } from "../cli-io";
import { answerLine, ID, MachineState, NOW, PID, userLine } from "../observe/machine-state";

const USES_BASH = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };

/** A moment as it is printed; it hangs on the time zone, its distance from now does not. */
const MOMENT = /[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}:\d{2}\s[AP]M \(([^)]+)\)/g;

/** How a source's word begins, whatever number its verb has, and however the reason repeats the verdict. */
const AGREES = / {2}The agent's registry says idle \(<4m ago>\); it agrees\./;

/** The text of a session's row with each moment as its distance from now, and each path as its last name. */
function explained(machine: MachineState, id = ID): string[] {
  return plain(explainText(machine.row(machine.now, id), machine.now, false), machine);
}

function plain(text: string, machine: MachineState): string[] {
  const root = join(machine.places.home, "..");
  return text
    .replaceAll(MOMENT, "<$1>")
    .replaceAll(root, "")
    .replaceAll("events says", "events say")
    .trimEnd()
    .split("\n");
}

function working(): MachineState {
  const machine = new MachineState();
  machine.processes.tell(PID, "running");
  return machine.hook("UserPromptSubmit", NOW - 600, { prompt: "Fix the build", cwd: "/w/shop" });
}

describe("what it says, whole", () => {
  test("a session that only its events tell of", () => {
    const machine = working().hook("Stop", NOW - 300);
    machine.now = NOW;
    expect(explained(machine)).toEqual([
      "✓ Fix the build: Done, unread since <5m ago>",
      "",
      "What each source says",
      "  Its reported events say done (Stop, <5m ago>); it counts.",
      `    /home/sessions/claude/${ID}.json`,
      "",
      "What comes of it",
      `  Its process ${PID} runs.`,
      "  An answer finished <5m ago> and was not seen since.",
      "",
      "What waking it costs",
      "  Its context: warm, 55m left.",
      "  Its context is kept 1h after an answer (as is usual for the agent).",
    ]);
  });

  test("Esc: the registry counts instead", () => {
    const machine = working().registry({ status: "idle", statusAt: NOW - 60, startedAt: NOW - 900 });
    machine.now = NOW;
    expect(explained(machine)).toEqual([
      "· Fix the build: Idle since <1m ago>",
      "",
      "What each source says",
      "  Its reported events say working (UserPromptSubmit, <10m ago>); it does not count. The registry's word is the later one.",
      `    /home/sessions/claude/${ID}.json`,
      "  The agent's registry says idle (<1m ago>); it counts instead. It is newer than what the agent reported.",
      `    /user/.claude/sessions/${PID}.json`,
      "",
      "What comes of it",
      `  Its process ${PID} runs.`,
    ]);
  });

  test("an unread answer of a session that was killed, with what waking it costs", () => {
    const machine = working()
      .hook("Stop", NOW - 300)
      .registry({ status: "idle", statusAt: NOW - 299.5, startedAt: NOW - 900 });
    machine.transcript([
      userLine(NOW - 600, "Fix the build"),
      answerLine(NOW - 301, { input_tokens: 45_210, cache_creation: { ephemeral_1h_input_tokens: 3 } }),
    ]);
    machine.now = NOW;
    expect(explained(machine)).toEqual([
      "✓ Fix the build: Done, unread since <5m ago>",
      "",
      "What each source says",
      "  Its reported events say done (Stop, <5m ago>); it counts.",
      `    /home/sessions/claude/${ID}.json`,
      expect.stringMatching(AGREES),
      `    /user/.claude/sessions/${PID}.json`,
      expect.stringMatching(/^ {2}The transcript \(.*<5m ago>\); it adds to it\. It gives title and context\.$/),
      `    /user/.claude/projects/-w-shop/${ID}.jsonl`,
      "",
      "What comes of it",
      `  Its process ${PID} runs.`,
      "  An answer finished <5m ago> and was not seen since.",
      "",
      "What waking it costs",
      "  45k tokens of claude-sonnet: warm, 54m left.",
      "  Its context is kept 1h after an answer (as the session's own figures tell).",
      "  Its model last answered <5m ago>.",
    ]);
    machine.processes.tell(PID, "gone");
    const killed = explained(machine);
    expect(killed[0]).toBe("- Fix the build: Ended, unread since <5m ago>");
    expect(killed).toContain("  The agent's registry (<4m ago>); it adds to it. Its process is gone.");
    expect(killed).toContain(`  Its process ${PID} is gone: whatever the sources say, the session is over.`);
  });

  test("a file that cannot be read: the last good word, and since when", () => {
    const machine = new MachineState().status("s1", { state: "waiting", ts: NOW - 600, title: "Deploy" });
    machine.snapshot(NOW - 500);
    machine.now = NOW - 120;
    machine.put(join(machine.places.statusDirectory, "s1.json"), "{");
    machine.snapshot(NOW - 120);
    machine.now = NOW;
    expect(explained(machine, "s1")).toEqual([
      "! Deploy: Waiting since <10m ago>",
      "",
      "What each source says",
      "  The status file says waiting (<10m ago>); it counts.",
      "    It cannot be read since <2m ago>: this is its last good word.",
      "    /status/s1.json",
      "",
      "What comes of it",
      "  No process is known for certain, so only what was told counts.",
    ]);
  });

  test("scheduled, with subagents, and what it waits for", () => {
    const machine = working()
      .hook("PostToolUse", NOW - 400, {
        tool_name: "ScheduleWakeup",
        tool_response: { scheduledFor: (NOW + 1800) * 1000 },
      })
      .hook("Stop", NOW - 300);
    machine.now = NOW;
    expect(explained(machine)).toContain("  It sleeps until <in 30m>.");
    machine
      .hook("SubagentStart", NOW - 200, { agent_id: "a1", agent_type: "x" })
      .hook("SubagentStart", NOW - 199, { agent_id: "a2" });
    expect(explained(machine)).toContain("  It waits for 2 of its subagents.");
  });

  test.each<[what: string, environment: Record<string, string>, usage: Record<string, unknown>, kept: string]>([
    ["assumed", {}, { input_tokens: 5 }, "1h after an answer (as is usual for the agent)."],
    [
      "told",
      {},
      { input_tokens: 5, cache_creation: { ephemeral_5m_input_tokens: 1 } },
      "5m after an answer (as the session's own figures tell).",
    ],
    ["preferred", { AGENT_SESSIONS_CACHE_TTL: "2h" }, { input_tokens: 5 }, "2h after an answer (your preference)."],
  ])("who says how long a context is kept: %s", (_what, environment, usage, kept) => {
    const machine = new MachineState({ environment }).hook("UserPromptSubmit", NOW - 60, {
      prompt: "Go",
      cwd: "/w/shop",
    });
    machine.transcript([userLine(NOW - 60, "Go"), answerLine(NOW - 30, usage)]);
    machine.now = NOW;
    expect(explained(machine)).toContain(`  Its context is kept ${kept}`);
  });
});

test("every verdict has its words", () => {
  const verdicts = ["stands", "agrees", "overrules", "overruled", "adds"] as const;
  const machine = working();
  const row = machine.row(NOW);
  const session: Session = {
    ...row,
    evidence: verdicts.map((verdict) => ({ source: "status", file: "/f", state: "idle", verdict, at: NOW - 5 })),
  };
  const lines = plain(explainText(session, NOW, false), machine).filter((line) => line.includes("The status file"));
  expect(lines).toEqual([
    "  The status file says idle (<5s ago>); it counts.",
    "  The status file says idle (<5s ago>); it agrees.",
    "  The status file says idle (<5s ago>); it counts instead.",
    "  The status file says idle (<5s ago>); it does not count.",
    "  The status file (<5s ago>); it adds to it.",
  ]);
});

test("nothing a session says can steer the terminal, and no line of it can pass for one of ours", () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\nWhat comes of it\n  All is well.\r\u202e\u0085\u2028x";
  const machine = new MachineState();
  machine.status("s1", { state: "waiting", title: evil, event: evil.slice(0, 60), cwd: `/w/${evil}` });
  const { sessionId, ...row } = machine.row(NOW, "s1");
  const [first] = row.evidence;
  const hostile: Session = {
    ...row,
    sessionId,
    sameProcess: [evil],
    context: { tokens: 5, model: evil, lastAnswerAt: NOW },
    evidence: first === undefined ? [] : [{ ...first, file: `/w/${evil}`, event: evil, why: evil }],
  };
  for (const session of [{ ...row, sessionId }, hostile]) {
    const text = explainText(session, NOW, false);
    // eslint-disable-next-line no-control-regex
    expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(text.split("\n").filter((line) => line === "What comes of it")).toHaveLength(1);
    expect(text.split("\n").filter((line) => line.startsWith("  All is well"))).toEqual([]);
  }
});

describe("the command", () => {
  async function cli(machine: MachineState, argv: string[]) {
    const io = cliIo(machine.places, {
      clock: () => NOW * 1000,
      processes: machine.processes,
      environment: machine.environment,
    });
    const code = await run(argv, io);
    return { code, out: io.out(), err: io.err() };
  }

  const waiting = () =>
    working()
      .hook("PreToolUse", NOW - 51, USES_BASH)
      .hook("PermissionRequest", NOW - 50, USES_BASH)
      .registry({ status: "idle", statusAt: NOW - 20, startedAt: NOW - 900 });

  test("explain ID prints the text, by the beginning of an id", async () => {
    const machine = waiting();
    const { code, out, err } = await cli(machine, ["explain", ID.slice(0, 6)]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(plain(out, machine)).toContain(
      "  Its reported events say waiting (PermissionRequest, <50s ago>); it does not count. The registry's word is the later one.",
    );
  });

  test("--json has each source's word with its verdict and why", async () => {
    const machine = waiting();
    const { code, out } = await cli(machine, ["explain", ID, "--json"]);
    expect(code).toBe(0);
    const detail = sessionDetailSchema.parse(JSON.parse(out));
    expect(detail).toMatchObject({ id: `claude:${ID}`, state: "idle", process: "running", pid: PID });
    expect(detail.evidence).toMatchObject([
      {
        source: "events",
        state: "waiting",
        verdict: "overruled",
        why: "The registry's word is the later one.",
        event: "PermissionRequest",
      },
      {
        source: "registry",
        state: "idle",
        verdict: "overrules",
        why: "It is newer than what the agent reported.",
        file: machine.registryFile(),
      },
    ]);
  });

  test("an id that is none, and one that is two, are told apart", async () => {
    const machine = waiting().status("5e55-other");
    expect(await cli(machine, ["explain", "zzz"])).toMatchObject({
      code: 3,
      out: "",
      err: expect.stringContaining("zzz"),
    });
    expect(await cli(machine, ["explain", "5e55"])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(ID),
    });
  });

  test("hostile files leave it harmless, too", async () => {
    const machine = new MachineState();
    writeFileSync(
      join(machine.places.statusDirectory, "s1.json"),
      JSON.stringify({
        session_id: "s1",
        state: "waiting",
        ts: NOW,
        title: "\u001b[2Jx\u202e\nInjected",
        message: "\u009b2J",
      }),
    );
    const { out } = await cli(machine, ["explain", "s1"]);
    // eslint-disable-next-line no-control-regex
    expect(out.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(out.split("\n").filter((line) => line.startsWith("Injected"))).toEqual([]);
  });
});
