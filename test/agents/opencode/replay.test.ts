import { Player } from "../../player";
import { recording, recordingsIn } from "../../recording";
import { scratchPlaces } from "../../scratch";
import { courseOf, type Course } from "../course";
import { asPluginSends } from "./plugin";

/** A prompt up to the first call of the model; the title is made meanwhile. */
const ASKED: Course = [
  "session.created: idle",
  "chat.message: working",
  "session.status: working",
  "session.updated: working",
  "session.status: working",
];

/** The answer: the session comes to rest, which is told twice. */
const ANSWER: Course = ["session.status: done*", "session.idle: done*", "session.updated: done*"];

/** One call after another: the model is asked again. */
const NEXT_STEP: Course = ["session.status: working", "session.updated: working", "session.status: working"];

/** A later prompt; the title is there. */
const ASKED_AGAIN: Course = ["chat.message: working", "session.updated: working", ...NEXT_STEP];

/** The call of a subagent, whose session is the parent's until it comes to rest. */
const SUBAGENT: Course = [
  "tool.execute.before: working",
  "session.created: working~1",
  "chat.message: working~1",
  "session.status: working~1",
];

const STOPPED: Course = ["session.error: idle", "session.status: idle", "session.idle: idle"];

/** The courses, reasoned from what the user did in each scenario. */
const COURSES: Record<string, Course> = {
  "opencode/a-simple": [...ASKED, ...ANSWER],
  "opencode/b-bash-approved": [
    ...ASKED,
    "tool.execute.before: working",
    "permission.asked: waiting",
    "permission.replied: working",
    "tool.execute.after: working",
    ...NEXT_STEP,
    ...ANSWER,
  ],
  // The user said no, and the turn ended with that: no answer.
  "opencode/c-bash-denied": [
    ...ASKED,
    "tool.execute.before: working",
    "permission.asked: waiting",
    "permission.replied: working",
    "session.status: idle",
    "session.idle: idle",
    "session.updated: idle",
  ],
  "opencode/d-esc-slow": [...ASKED, ...STOPPED, "session.status: idle", "session.idle: idle"],
  "opencode/e-ask": [
    ...ASKED,
    "tool.execute.before: working",
    "question.asked: decision",
    "question.replied: working",
    "tool.execute.after: working",
    ...NEXT_STEP,
    ...ANSWER,
  ],
  "opencode/f-error-400": [
    ...ASKED,
    "session.error: failed",
    "session.status: failed",
    "session.idle: failed",
    "session.status: failed",
    "session.idle: failed",
  ],
  // "/new" ends nothing: both sessions are open, and the first answer is not known to be read.
  "opencode/g-new": [...ASKED, ...ANSWER, ...[...ASKED, ...ANSWER].map((step) => step.replace(": ", ": done*, "))],
  // "/compact" is typed, so the answer before it is read, and there is no new one after it.
  "opencode/h-compact": [
    ...ASKED,
    ...ANSWER,
    "message.part.updated: compacting",
    "session.status: compacting",
    "experimental.session.compacting: compacting",
    "session.status: compacting",
    "session.compacted: idle",
    "session.status: idle",
    "session.idle: idle",
    "session.updated: idle",
  ],
  // Nothing tells of the end, but the process is known for certain.
  "opencode/k-ctrlc": [...ASKED, ...ANSWER, "killed: dormant*"],
  "opencode/run-simple": [...ASKED, ...ANSWER.slice(0, 2)],
  "opencode-more/two-tools": [
    ...ASKED,
    "tool.execute.before: working",
    "permission.asked: waiting",
    "permission.replied: waiting",
    "tool.execute.after: waiting",
    "permission.replied: working",
    "tool.execute.after: working",
    ...NEXT_STEP,
    ...ANSWER,
  ],
  // An overloaded model is asked again and again, all of it work; then a question is dismissed.
  "opencode-more/retry-and-question": [
    ...ASKED,
    ...ANSWER,
    ...ASKED_AGAIN,
    "tool.execute.before: working",
    "question.asked: decision",
    "question.rejected: working",
    "session.status: idle",
    "session.idle: idle",
    "session.updated: idle",
  ],
  "opencode-more/denied-shell-and-esc": [
    ...ASKED,
    "tool.execute.before: working",
    "permission.asked: waiting",
    "permission.replied: working",
    "session.status: idle",
    "session.idle: idle",
    "session.updated: idle",
    ...ASKED_AGAIN,
    ...ANSWER,
    // A shell command of the user's own is no turn.
    "session.status: done*",
    "session.idle: done*",
    ...ASKED_AGAIN,
    "tool.execute.before: working",
    "permission.asked: waiting",
    "permission.replied: working",
    // Esc in the running command: that ends after the turn did, and begins no new one.
    ...STOPPED,
    "tool.execute.after: idle",
    "session.status: idle",
    "session.idle: idle",
  ],
  "opencode-more/subagent-approved": [
    ...ASKED,
    ...SUBAGENT,
    "tool.execute.before: working~1",
    "permission.asked: waiting~1",
    "permission.replied: working~1",
    "tool.execute.after: working~1",
    "session.status: working~1",
    "session.status: working",
    "session.idle: working",
    "tool.execute.after: working",
    ...NEXT_STEP,
    ...ANSWER,
  ],
  // A no ends the subagent, not the turn.
  "opencode-more/subagent-denied": [
    ...ASKED,
    ...SUBAGENT,
    "tool.execute.before: working~1",
    "permission.asked: waiting~1",
    "permission.replied: working~1",
    "session.status: working",
    "session.idle: working",
    ...NEXT_STEP,
    ...ANSWER,
  ],
  "opencode-more/subagent-stopped": [
    ...ASKED,
    ...SUBAGENT,
    "tool.execute.before: working~1",
    "permission.asked: waiting~1",
    // A no with a hint: the subagent goes on.
    "permission.replied: working~1",
    "session.status: working~1",
    "session.status: working",
    "session.idle: working",
    "tool.execute.after: working",
    ...NEXT_STEP,
    ...ANSWER,
    ...ASKED_AGAIN,
    ...SUBAGENT,
    // Esc stops the subagent first, then the turn.
    "session.error: working",
    "session.status: working",
    "session.idle: working",
    "session.status: working",
    "session.idle: working",
    ...STOPPED,
    "session.status: idle",
    "session.idle: idle",
  ],
  // Opened again in another process: the first event is the prompt.
  "opencode-more/resumed": [...ASKED_AGAIN, ...ANSWER],
  // Deleted with its subagents' sessions, which come first.
  "opencode-more/deleted": ["session.deleted: idle", "session.deleted: dormant"],
};

describe("what the list shows while a real opencode session runs", () => {
  test("every recording has a course", () => {
    expect(Object.keys(COURSES).sort()).toEqual(["opencode", "opencode-more"].flatMap(recordingsIn).sort());
  });

  test.each(Object.entries(COURSES))("%s", (name, course) => {
    const killed = name.endsWith("k-ctrlc");
    expect(courseOf("opencode", asPluginSends(recording(name)), { killed })).toEqual(course);
  });

  test.each(recordingsIn("opencode"))("%s, with the bare properties as payload", (name) => {
    const killed = name.endsWith("k-ctrlc");
    expect(courseOf("opencode", recording(name), { killed })).toEqual(COURSES[name]);
  });

  test("a call that starts late leaves the request of one beside it", () => {
    const entries = asPluginSends(recording("opencode-more/two-tools"));
    const [start, otherStart] = entries.filter(({ event }) => event === "tool.execute.before");
    const [ask, otherAsk] = entries.filter(({ event }) => event === "event:permission.asked");
    const prompt = entries.find(({ event }) => event === "chat.message");
    const turn = [prompt, start, ask, otherStart, otherAsk].flatMap((entry) => (entry === undefined ? [] : [entry]));
    expect(courseOf("opencode", turn)).toEqual([
      "chat.message: working",
      "tool.execute.before: working",
      "permission.asked: waiting",
      "tool.execute.before: waiting",
      "permission.asked: waiting",
    ]);
  });

  test("a session that is opened again and deleted is one row, in the process that runs it", () => {
    const names = ["opencode-more/subagent-stopped", "opencode-more/resumed", "opencode-more/deleted"];
    const player = new Player(scratchPlaces().statusDirectory, "opencode");
    for (const entry of asPluginSends(names.flatMap(recording))) player.play(entry);
    const [record, ...others] = player.records.values();
    expect(others).toEqual([]);
    expect(record).toMatchObject({ state: "dormant", pid: 30161, subagents: [] });
  });
});

describe("what is shown of an opencode session", () => {
  function recordAt(name: string, event: string) {
    const player = new Player(scratchPlaces().statusDirectory, "opencode");
    for (const entry of asPluginSends(recording(name))) {
      player.play(entry);
      if (entry.event === event) break;
    }
    return [...player.records.values()];
  }

  test("a subagent's request is its parent's wait, by the subagent", () => {
    const [record, ...others] = recordAt("opencode-more/subagent-approved", "event:permission.asked");
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      sessionId: "ses_dd47106b2ffemECEt3B9W46ejK",
      subagents: ["ses_dd470f4c8ffe7dg75ZuQld6Tre"],
      waits: [
        {
          kind: "permission",
          message: "bash: echo from-subagent",
          agentId: "ses_dd470f4c8ffe7dg75ZuQld6Tre",
          source: "per_22b8f0ebf001eeLasLhMyRb760",
        },
      ],
    });
  });

  test("a question stands with its text, an error with name and message, the title once it is made", () => {
    expect(recordAt("opencode/e-ask", "event:question.asked")[0]?.waits).toMatchObject([
      { kind: "question", message: "Which colour?" },
    ]);
    expect(recordAt("opencode/f-error-400", "event:session.error")[0]?.message).toBe("APIError: mock: bad request");
    expect(recordAt("opencode/a-simple", "chat.message")[0]?.title).toBe("MOCK:simple hello");
    expect(recordAt("opencode/a-simple", "end")[0]).toMatchObject({
      title: "Mock session title",
      cwd: "/home/dev/work/o1",
      pid: 1109,
    });
  });
});
