import { statesOf, told } from "../told";

const of = (type: string, more: object = {}) => ({ payload: { type, thread: { id: "T-1" }, cwd: "/p", ...more } });

describe("an event of Amp's plugin", () => {
  test.each([
    ["session.start", {}, { kind: "session-started", source: "resume" }],
    ["session.end", {}, { kind: "session-ended", byUser: false }],
    ["agent.start", { message: "Fix it" }, { kind: "prompt-submitted", origin: "user", text: "Fix it" }],
    [
      "tool.call",
      { tool: "Bash", toolUseID: "u1", input: { command: "ls" } },
      { kind: "tool-started", tool: "Bash", call: "u1", activity: "ls" },
    ],
    ["tool.result", { tool: "Bash", toolUseID: "u1", status: "done" }, { kind: "tool-finished", call: "u1" }],
    ["tool.result", { tool: "Bash", toolUseID: "u1", status: "error" }, { kind: "tool-finished", call: "u1" }],
    ["agent.end", { status: "done", message: "Fix it", messages: [] }, { kind: "answer-finished" }],
    ["agent.end", { status: "interrupted" }, { kind: "turn-stopped" }],
    ["agent.end", { status: "error" }, { kind: "turn-failed", reason: "Ended with an error" }],
    ["agent.end", { status: "error", error: { message: "quota" } }, { kind: "turn-failed", reason: "quota" }],
  ])("%s %j", (name, more, happened) => {
    expect(told("amp", of(name, more))).toMatchObject({ session: "T-1", name, cwd: "/p", ...happened });
  });

  test("the thread is found wherever it is named", () => {
    for (const thread of [{ threadID: "T-1" }, { thread_id: "T-1" }, { threadId: "T-1" }, { sessionId: "T-1" }]) {
      expect(told("amp", { event: "agent.end", payload: thread })).toMatchObject({ session: "T-1" });
    }
    expect(told("amp", { event: "agent.end", payload: {} })).toMatchObject({ outcome: "refused" });
  });

  test("an unknown event says nothing", () => {
    expect(told("amp", of("thread.archived"))).toEqual({ outcome: "ignored", event: "thread.archived" });
  });
});

test("the course of a thread", () => {
  const calls = [
    of("session.start"),
    of("agent.start", { message: "Go" }),
    of("tool.call", { tool: "Bash", toolUseID: "u1" }),
    of("tool.result", { tool: "Bash", toolUseID: "u1" }),
    of("agent.end", { status: "done" }),
    of("agent.start", { message: "Again" }),
    of("agent.end", { status: "interrupted" }),
    of("agent.start", { message: "Again" }),
    of("agent.end", { status: "error" }),
  ];
  expect(statesOf("amp", calls)).toEqual([
    ...["idle", "working", "working", "working", "done", "working", "idle", "working", "failed"],
  ]);
});
