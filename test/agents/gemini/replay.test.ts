import { mapGemini } from "../../../src/agents/gemini/events";
import { Player } from "../../player";
import { recording, recordingsIn } from "../../recording";
import { scratchPlaces } from "../../scratch";
import { courseOf, type Course } from "../course";

/** One answered prompt. SessionEnd comes twice, and PreCompress by itself at every call of the model. */
const ANSWERED: Course = ["SessionStart: idle", "BeforeAgent: working", "AfterAgent: done*", "SessionEnd: dormant*"];

/** The courses, reasoned from what the user did in each scenario. */
const COURSES: Record<string, Course> = {
  "gemini/a-simple": ANSWERED,
  "gemini/b-shell-approved": [
    "SessionStart: idle",
    "BeforeAgent: working",
    "BeforeTool: working",
    "Notification: waiting",
    "AfterTool: working",
    "AfterAgent: done*",
    "SessionEnd: dormant*",
  ],
  // A denial fires nothing: the wait stands until the session ends.
  "gemini/c-shell-denied": [
    "SessionStart: idle",
    "BeforeAgent: working",
    "BeforeTool: working",
    "Notification: waiting",
    "SessionEnd: dormant",
  ],
  // Esc in an answer looks like the answer, cut short: the hooks cannot tell.
  "gemini/d-esc-slow": ANSWERED,
  "gemini/e-ask": [
    "SessionStart: idle",
    "BeforeAgent: working",
    "BeforeTool: decision",
    "Notification: decision",
    "AfterTool: working",
    "AfterAgent: done*",
    "SessionEnd: dormant*",
  ],
  "gemini/f-error-400": ["SessionStart: idle", "BeforeAgent: working", "AfterAgent: failed", "SessionEnd: dormant"],
  // "/clear" is typed in the session, so its answer was seen.
  "gemini/g-clear": [
    "SessionStart: idle",
    "BeforeAgent: working",
    "AfterAgent: done*",
    "SessionEnd: dormant",
    "SessionStart: dormant, idle",
    "BeforeAgent: dormant, working",
    "AfterAgent: dormant, done*",
    "SessionEnd: dormant, dormant*",
  ],
  // "/compress" is typed too; nothing tells when it is over.
  "gemini/h-compress": [
    "SessionStart: idle",
    "BeforeAgent: working",
    "AfterAgent: done*",
    "PreCompress: compacting",
    "SessionEnd: dormant",
  ],
  // Nothing tells of kill -9, and no process is known.
  "gemini/k-kill9": [...ANSWERED.slice(0, -1), "killed: done*"],
  "gemini/k-sighup": ANSWERED,
  "gemini/p-simple": ANSWERED,
  "gemini-more/tools-and-esc": [
    "SessionStart: idle",
    // Two calls at once that need no permission.
    ...["BeforeAgent: working", "BeforeTool: working", "AfterTool: working", "AfterAgent: done*"],
    // Two that do: both run when both are allowed, and the first end leaves the other's request for a moment.
    ...["BeforeAgent: working", "BeforeTool: working", "Notification: waiting"],
    ...["AfterTool: waiting", "AfterTool: working", "AfterAgent: done*"],
    // A call that fails is a step like any other.
    ...["BeforeAgent: working", "BeforeTool: working", "AfterTool: working", "AfterAgent: done*"],
    // Esc in two requests and in a question: nothing, until the next prompt.
    ...["BeforeAgent: working", "BeforeTool: working", "Notification: waiting"],
    ...["BeforeAgent: working", "BeforeTool: working", "Notification: waiting"],
    ...["BeforeAgent: working", "BeforeTool: decision", "Notification: decision"],
    ...["BeforeAgent: working", "AfterAgent: done*"],
    // Esc while an allowed command runs: its own result tells, and no AfterAgent comes.
    ...["BeforeAgent: working", "BeforeTool: working", "Notification: waiting", "AfterTool: idle"],
    // Esc before the first word cannot be told from an error.
    ...["BeforeAgent: working", "AfterAgent: failed"],
    // An overloaded model that recovers: nothing of it shows.
    ...["BeforeAgent: working", "AfterAgent: done*"],
    "SessionEnd: dormant*",
  ],
};

describe("what the list shows while a real Gemini session runs", () => {
  test("every recording has a course", () => {
    expect(Object.keys(COURSES).sort()).toEqual(["gemini", "gemini-more"].flatMap(recordingsIn).sort());
  });

  test.each(Object.entries(COURSES))("%s", (name, course) => {
    expect(courseOf("gemini", recording(name), { killed: name.endsWith("kill9") })).toEqual(course);
  });

  test("after a compression by hand, whatever comes next ends it", () => {
    const entries = recording("gemini/h-compress");
    const prompt = entries.find(({ event }) => event === "BeforeAgent");
    const answer = entries.find(({ event }) => event === "AfterAgent");
    if (prompt === undefined || answer === undefined) throw new Error("no turn");
    const later = [prompt, answer].map((entry, index) => ({ ...entry, at: 1796011468000 + index * 100 }));
    expect(courseOf("gemini", [...entries.slice(0, -2), ...later]).slice(-3)).toEqual([
      "PreCompress: compacting",
      "BeforeAgent: working",
      "AfterAgent: done*",
    ]);
  });
});

test("a call that starts late leaves the request of one beside it", () => {
  const entries = recording("gemini-more/tools-and-esc");
  const first = entries.findIndex(({ payload }) => JSON.stringify(payload).includes("MOCK:gmtwo"));
  const [prompt, , start, otherStart, otherAsk, ask] = entries.slice(first, first + 6);
  const turn = [prompt, start, ask, otherStart, otherAsk].flatMap((entry) => (entry === undefined ? [] : [entry]));
  expect(courseOf("gemini", turn)).toEqual([
    "BeforeAgent: working",
    "BeforeTool: working",
    "Notification: waiting",
    "BeforeTool: waiting",
    "Notification: waiting",
  ]);
});

describe("what is shown of a Gemini session", () => {
  function recordAt(name: string, count: number) {
    const player = new Player(scratchPlaces().statusDirectory, "gemini");
    for (const entry of recording(name).slice(0, count)) player.play(entry);
    const [record] = player.records.values();
    return record;
  }

  test("of two requests at once, each is its own call's", () => {
    const entries = recording("gemini-more/tools-and-esc");
    const asked = entries.findLastIndex(({ payload }) => JSON.stringify(payload).includes('"rootCommand":"touch"'));
    const waiting = recordAt("gemini-more/tools-and-esc", asked + 1);
    expect(waiting?.waits.map(({ message }) => message).sort()).toEqual(["touch one", "touch two"]);
    const left = recordAt("gemini-more/tools-and-esc", asked + 2);
    expect(left?.waits.map(({ message }) => message)).toEqual(["touch two"]);
  });

  test("a question stands with its text, an error with what is known of it", () => {
    const question = recording("gemini/e-ask").findIndex(({ event }) => event === "Notification");
    expect(recordAt("gemini/e-ask", question + 1)?.waits).toMatchObject([
      { kind: "question", message: "Which colour?" },
    ]);
    const end = recording("gemini/f-error-400").findIndex(({ event }) => event === "AfterAgent");
    expect(recordAt("gemini/f-error-400", end + 1)?.message).toBe("Ended without an answer");
  });

  test("a SessionEnd without a payload says nothing, and the variables of Claude Code make it no Claude session", () => {
    const setting = { at: 1, event: "SessionEnd", env: { CLAUDE_PROJECT_DIR: "/p", GEMINI_SESSION_ID: "g" } };
    for (const payload of [undefined, null, ""]) {
      expect(mapGemini(payload, setting)).toEqual({ outcome: "ignored", event: "SessionEnd" });
    }
    const mapped = mapGemini({ session_id: "g", hook_event_name: "SessionStart" }, setting);
    expect(mapped).toMatchObject({ outcome: "event", identity: { agent: "gemini", sessionId: "g" } });
  });

  test("what a command printed does not pass for Esc", () => {
    const result = (llmContent: string) =>
      mapGemini(
        {
          session_id: "g",
          hook_event_name: "AfterTool",
          tool_name: "run_shell_command",
          tool_input: { command: "x" },
          tool_response: { llmContent },
        },
        { at: 1, env: {} },
      );
    expect(result("<untrusted_context>\nCommand was cancelled by user before it could complete.")).toMatchObject({
      event: { kind: "turn-stopped" },
    });
    expect(result("<untrusted_context>\nOutput: Command was cancelled by user")).toMatchObject({
      event: { kind: "tool-finished" },
    });
  });
});
