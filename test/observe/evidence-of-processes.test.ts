import { MachineState, NOW, PID, userLine } from "./machine-state";

const OTHER = "5e551011-0000-4000-8000-000000000002";

/** What a hook of another process of Claude has in its environment. */
const env = (pid: number) => ({ CLAUDE_PID: String(pid), CLAUDE_CODE_ENTRYPOINT: "cli" });

test("killed, and resumed in another process: the row's process is the one that runs", () => {
  const machine = new MachineState()
    .hook("UserPromptSubmit", NOW - 20, { prompt: "Go" })
    .hook("Stop", NOW)
    .registry({ status: "idle", statusAt: NOW, startedAt: NOW - 500 });
  machine.processes.tell(PID, "gone").tell(5000, "running");
  machine
    .hook("SessionStart", NOW + 20, { source: "resume" }, env(5000))
    .hook("UserPromptSubmit", NOW + 30, { prompt: "Go on" }, env(5000));
  const row = machine.row(NOW + 31);
  expect(row).toMatchObject({ state: "working", liveness: "running", process: { pid: 5000 } });
});

test.each(["Stop", "none"])(
  "the same process shows a new id and no SessionEnd came: the old row has ended (%s)",
  (last) => {
    const machine = new MachineState().hook("UserPromptSubmit", NOW - 20, { prompt: "Go" });
    if (last === "Stop") machine.hook("Stop", NOW);
    machine.processes.tell(PID, "running");
    machine.registry({ sessionId: OTHER, status: "idle", statusAt: NOW + 9.2, startedAt: NOW - 500 });
    expect(machine.row(NOW + 100).state).toBe("dormant");
  },
);

test("a permission within two seconds of the turn's beginning stays", () => {
  const machine = new MachineState()
    .hook("UserPromptSubmit", NOW, { prompt: "Go" })
    .registry({ status: "busy", statusAt: NOW + 0.1, startedAt: NOW - 500 });
  machine.processes.tell(PID, "running");
  const bash = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };
  machine.hook("PreToolUse", NOW + 1, bash).hook("PermissionRequest", NOW + 1.1, bash);
  expect(machine.shown(NOW + 10)).toBe("waiting");
});

test("an end is not taken back by an entry of which nothing is known", () => {
  const machine = new MachineState()
    .hook("UserPromptSubmit", NOW - 20, { prompt: "Go" })
    .hook("SessionEnd", NOW, { reason: "other" });
  machine.registry({ status: "idle", statusAt: NOW - 10, startedAt: NOW - 500 });
  expect(machine.shown(NOW + 60)).toBe("dormant");
});

test("a subagent's permission is not hidden by the registry's busy of the main agent", () => {
  const machine = new MachineState()
    .hook("UserPromptSubmit", NOW, { prompt: "Go" })
    .hook("SubagentStart", NOW + 1, { agent_id: "a1", agent_type: "x" });
  machine.processes.tell(PID, "running");
  machine.registry({ status: "busy", statusAt: NOW + 0.1, startedAt: NOW - 500 });
  const bash = { agent_id: "a1", tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };
  machine.hook("PreToolUse", NOW + 20, bash).hook("PermissionRequest", NOW + 20.1, bash);
  expect(machine.shown(NOW + 60)).toBe("waiting");
});

test("Esc while it compacts, where no registry is: the transcript tells", () => {
  const machine = new MachineState().hook("UserPromptSubmit", NOW - 20, { prompt: "Go" });
  machine.hook("PreCompact", NOW, { trigger: "auto" });
  machine.transcript([userLine(NOW - 20, "Go"), userLine(NOW + 5, "[Request interrupted by user]")]);
  expect(machine.shown(NOW + 10)).toBe("idle");
});
