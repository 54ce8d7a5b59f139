import { Player } from "../../player";
import { recording, recordingsIn, type Entry } from "../../recording";
import { scratchPlaces } from "../../scratch";
import { courseOf, type Course } from "../course";

/** One answered prompt; `notify` repeats the Stop, and its call for the hidden thread that makes a title is nobody's. */
const ANSWERED: Course = [
  "SessionStart: idle",
  "UserPromptSubmit: working",
  "Stop: done*",
  "notify: done*",
  "SessionEnd: dormant*",
];

/** The courses, reasoned from what the user did in each scenario. SessionStart comes with the first prompt only. */
const COURSES: Record<string, Course> = {
  "codex/a-simple": ANSWERED,
  "codex/b-bash-approved": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "PostToolUse: working",
    "Stop: done*",
    "notify: done*",
    "SessionEnd: dormant*",
  ],
  "codex/b-bash-sandboxed": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PostToolUse: working",
    "Stop: done*",
    "notify: done*",
    "SessionEnd: dormant*",
  ],
  "codex/c-bash-denied": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "Interrupt: idle",
    "SessionEnd: dormant",
  ],
  "codex/d-esc-slow": ["SessionStart: idle", "UserPromptSubmit: working", "Interrupt: idle", "SessionEnd: dormant"],
  // Outside plan mode Codex refuses the question by itself, at once and without an event.
  "codex/e-ask": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "PreToolUse: decision",
    "Stop: done*",
    "notify: done*",
    "SessionEnd: dormant*",
  ],
  "codex/exec-simple": ["SessionStart: idle", "UserPromptSubmit: working", "Stop: done*", "SessionEnd: dormant*"],
  // An API error fires nothing, with or without retries: the hooks cannot know.
  "codex/f-error-400": ["SessionStart: idle", "UserPromptSubmit: working", "SessionEnd: dormant"],
  "codex/f-error-529": ["SessionStart: idle", "UserPromptSubmit: working", "SessionEnd: dormant"],
  // "/clear" and "/new" end nothing until the client quits; which row they leave is not known from the hooks.
  "codex/g-clear": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "notify: done*",
    "SessionStart: done*, idle",
    "UserPromptSubmit: done*, working",
    "Stop: done*, done*",
    "notify: done*, done*",
    "SessionStart: done*, done*, idle",
    "UserPromptSubmit: done*, done*, working",
    "Stop: done*, done*, done*",
    "notify: done*, done*, done*",
    "SessionEnd: done*, done*, dormant*",
    "SessionEnd: dormant*, done*, dormant*",
    "SessionEnd: dormant*, dormant*, dormant*",
  ],
  // "/compact" is typed, so the answer before it is read.
  "codex/h-compact": [
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "notify: done*",
    "PreCompact: compacting",
    "PostCompact: idle",
    "SessionStart: idle",
    "UserPromptSubmit: working",
    "Stop: done*",
    "notify: done*",
    "SessionEnd: dormant*",
  ],
  "codex/k-ctrlc": ANSWERED,
  // Nothing tells of kill -9, and no process is known for certain: hooks run under a daemon.
  "codex/k-kill9": [...ANSWERED.slice(0, -1), "killed: done*"],
  "codex/l-first": ANSWERED,
  "codex/l-resume": ANSWERED,
  "codex/l-last": ANSWERED,
  "codex/l-fork": ANSWERED,
  // `notify` alone, as with hooks that are not trusted: six sessions answered, and four titles were made.
  "codex/notify": Array.from(
    { length: 6 },
    (_, index) =>
      `notify: ${Array(index + 1)
        .fill("done*")
        .join(", ")}`,
  ),
  // Two terminals under one daemon: the first is prompted five times, the last time stopped.
  "codex-daemon/daemon": [
    "SessionStart: idle",
    ...["UserPromptSubmit: working", "Stop: done*"],
    ...["UserPromptSubmit: working", "Stop: done*"],
    ...["UserPromptSubmit: working", "Stop: done*"],
    ...["UserPromptSubmit: working", "Stop: done*"],
    ...["UserPromptSubmit: working", "Interrupt: idle"],
    "SessionStart: idle, idle",
    "UserPromptSubmit: idle, working",
    "Stop: idle, done*",
    "SessionEnd: idle, dormant*",
    "SessionEnd: dormant, dormant*",
  ],
  "codex-daemon/notify": ["notify: done*", "notify: done*, done*"],
  "codex-more/subagents-and-questions": [
    "SessionStart: idle",
    // A subagent asks for permission while the main agent runs a command, and still after its answer.
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PostToolUse: working",
    "SubagentStart: waitingForSubagents~1",
    "PreToolUse: working~1",
    "UserPromptSubmit: working~1",
    "PreToolUse: working~1",
    "PermissionRequest: waiting~1",
    "Stop: waiting*~1",
    "notify: waiting*~1",
    "PostToolUse: waitingForSubagents*~1",
    "SubagentStop: done*",
    // A command that fails is a step like any other.
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PostToolUse: working",
    "Stop: done*",
    "notify: done*",
    // Two calls ask at once; the first answer leaves the second.
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "PostToolUse: waiting",
    "PostToolUse: working",
    "Stop: done*",
    "notify: done*",
    // A question in plan mode, answered; another one, dismissed by Esc.
    "UserPromptSubmit: working",
    "PreToolUse: decision",
    "PostToolUse: working",
    "Stop: done*",
    "notify: done*",
    "UserPromptSubmit: working",
    "PreToolUse: decision",
    "Interrupt: idle",
    // A subagent's request is denied after the answer: no event tells, so it stands until the client quits.
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PostToolUse: working",
    "SubagentStart: waitingForSubagents~1",
    "UserPromptSubmit: waitingForSubagents~1",
    "PreToolUse: working~1",
    "PermissionRequest: waiting~1",
    "Stop: waiting*~1",
    "notify: waiting*~1",
    "SessionEnd: dormant*",
  ],
};

/** The hooks' and the notify program's recordings of the same run, as they came. */
function both(hooks: string, notify: string): Entry[] {
  return [...recording(hooks), ...recording(notify)].sort((one, other) => one.at - other.at);
}

describe("what the list shows while a real Codex session runs", () => {
  test("every recording has a course", () => {
    const recorded = ["codex", "codex-daemon", "codex-more"].flatMap(recordingsIn);
    expect(Object.keys(COURSES).sort()).toEqual(recorded.sort());
  });

  test.each(Object.entries(COURSES))("%s", (name, course) => {
    expect(courseOf("codex", recording(name), { killed: name.endsWith("kill9") })).toEqual(course);
  });

  test("under the daemon, hooks and notify tell of two sessions, and the titles of none", () => {
    const course = courseOf("codex", both("codex-daemon/daemon", "codex-daemon/notify"));
    expect(course.filter((step) => !step.startsWith("notify"))).toEqual(COURSES["codex-daemon/daemon"]);
    expect(course.filter((step) => step.startsWith("notify"))).toEqual([
      ...Array<string>(4).fill("notify: done*"),
      "notify: idle, done*",
    ]);
  });

  test("a headless run is over before its notify comes, and stays so", () => {
    const [first] = recording("codex/notify");
    if (first === undefined) throw new Error("no notify");
    expect(courseOf("codex", [...recording("codex/exec-simple"), first]).slice(-2)).toEqual([
      "SessionEnd: dormant*",
      "notify: dormant*",
    ]);
  });

  test("resumed it is the same row, and its answer is read; a fork is a row of its own", () => {
    const course = courseOf("codex", ["codex/l-first", "codex/l-resume", "codex/l-fork"].flatMap(recording));
    expect(course.slice(4, 7)).toEqual(["SessionEnd: dormant*", "SessionStart: idle", "UserPromptSubmit: working"]);
    expect(course.slice(-5)).toEqual([
      "SessionStart: dormant*, idle",
      "UserPromptSubmit: dormant*, working",
      "Stop: dormant*, done*",
      "notify: dormant*, done*",
      "SessionEnd: dormant*, dormant*",
    ]);
  });
});

describe("notify beside the hooks", () => {
  /** The daemon's run with every notify later by some milliseconds. */
  function recordsWith(delay: number) {
    const late = recording("codex-daemon/notify").map((entry) => ({ ...entry, at: entry.at + delay }));
    const player = new Player(scratchPlaces().statusDirectory, "codex");
    const entries = [...recording("codex-daemon/daemon"), ...late].sort((one, other) => one.at - other.at);
    return entries.map((entry) => {
      player.play(entry);
      return [...player.records.values()].map(({ phase, doneAt }) => ({ event: entry.event, phase, doneAt }));
    });
  }

  test.each([0, 100, 400, 4000])("%d ms late, it ends no turn but its own and moves no answer's time", (delay) => {
    const steps = recordsWith(delay);
    steps.forEach((records, index) => {
      if (records[0]?.event !== "notify") return;
      const before = steps[index - 1]?.map(({ phase, doneAt }) => ({ phase, doneAt }));
      expect(records.map(({ phase, doneAt }) => ({ phase, doneAt }))).toEqual(before);
    });
  });

  test("before the Stop, it is the answer", () => {
    const [start, prompt, stop] = recording("codex-daemon/daemon");
    const notify = recording("codex-daemon/notify")[1];
    if (start === undefined || prompt === undefined || stop === undefined || notify === undefined) throw new Error();
    expect(courseOf("codex", [start, prompt, { ...notify, at: stop.at - 50 }, stop])).toEqual([
      "SessionStart: idle",
      "UserPromptSubmit: working",
      "notify: done*",
      "Stop: done*",
    ]);
  });
});

test("a call that starts late leaves the request of one beside it", () => {
  const entries = recording("codex-more/subagents-and-questions");
  const first = entries.findIndex(({ payload }) => JSON.stringify(payload).includes("MOCK:cxtwo"));
  // As recorded, both calls start and then both ask; here the second starts when the first has asked.
  const [prompt, start, otherStart, ask, otherAsk] = entries.slice(first, first + 5);
  const turn = [prompt, start, ask, otherStart, otherAsk].flatMap((entry) => (entry === undefined ? [] : [entry]));
  expect(courseOf("codex", turn)).toEqual([
    "UserPromptSubmit: working",
    "PreToolUse: working",
    "PermissionRequest: waiting",
    "PreToolUse: waiting",
    "PermissionRequest: waiting",
  ]);
});

describe("what is shown of a Codex session", () => {
  function recordsAt(name: string, event: string) {
    const player = new Player(scratchPlaces().statusDirectory, "codex");
    for (const entry of recording(name)) {
      player.play(entry);
      if (entry.event === event) break;
    }
    return [...player.records.values()];
  }

  test("the request is the call's own, though it adds a reason to its input", () => {
    const [record] = recordsAt("codex/b-bash-approved", "PermissionRequest");
    expect(record?.waits).toEqual([
      {
        kind: "permission",
        message: "Bash: touch /home/dev/work/made-by-codex; echo made",
        tool: "Bash",
        call: "call_26f7452fa89ad30e84",
      },
    ]);
  });

  test("a question stands with its text", () => {
    const [record] = recordsAt("codex/e-ask", "PreToolUse");
    expect(record?.waits).toMatchObject([{ kind: "question", message: "Which colour?" }]);
    expect(record?.calls).toMatchObject([{ tool: "request_user_input" }]);
  });

  test("no process is taken from hooks, and notify tells where the thread runs", () => {
    expect(recordsAt("codex/a-simple", "Stop")[0]).toMatchObject({ title: "MOCK:simple hello" });
    expect(recordsAt("codex/a-simple", "Stop")[0]?.pid).toBeUndefined();
    expect(recordsAt("codex/notify", "end").map(({ surface }) => surface)).toEqual([
      "codex-exec",
      "codex-tui",
      "codex-tui",
      "codex-exec",
      "codex-tui",
      "codex-tui",
    ]);
  });
});
