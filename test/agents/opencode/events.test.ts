import { statesOf, told } from "../told";

const event = (type: string, properties: object = {}, more: object = {}) => ({
  payload: { type, properties: { sessionID: "ses_1", ...properties }, directory: "/p", ...more },
});
const hook = (type: string, input: object, output: object = {}, more: object = {}) => ({
  payload: { type, input: { sessionID: "ses_1", ...input }, output, directory: "/p", ...more },
});
const texts = (...parts: object[]) => ({ parts: parts.map((part) => ({ type: "text", ...part })) });

describe("an event of opencode", () => {
  test.each([
    [event("session.created", { info: { id: "ses_1", title: "Fix" } }), { kind: "session-started", title: "Fix" }],
    [event("session.updated", { info: { id: "ses_1", title: "Fix" } }), { kind: "noted", title: "Fix" }],
    [event("session.deleted", { info: { id: "ses_1" } }), { kind: "session-ended", byUser: true }],
    [event("session.status", { status: { type: "busy" } }), { kind: "step-started" }],
    [event("session.status", { status: { type: "idle" } }), { kind: "answer-finished", onlyFromWork: true }],
    [event("session.status", { status: { type: "retry", attempt: 1, message: "m" } }), { kind: "noted" }],
    [event("session.idle"), { kind: "answer-finished", onlyFromWork: true }],
    [event("session.error", { error: { name: "MessageAbortedError" } }), { kind: "turn-stopped" }],
    [event("session.error", { error: { name: "APIError", data: { message: "m" } } }), { reason: "APIError: m" }],
    [event("session.error", {}), { kind: "turn-failed", reason: "Failed" }],
    [event("session.compacted"), { kind: "compaction-finished" }],
    [hook("experimental.session.compacting", {}), { kind: "compaction-started", manual: false }],
    [
      event("message.part.updated", { part: { type: "compaction", auto: true } }),
      { kind: "compaction-started", manual: false },
    ],
    [
      event("permission.asked", {
        id: "per_1",
        permission: "edit",
        patterns: ["a.ts", "b.ts"],
        tool: { callID: "c1" },
      }),
      { kind: "input-asked", ask: { kind: "permission", message: "edit: a.ts, b.ts" }, source: "per_1", call: "c1" },
    ],
    [
      event("permission.updated", { id: "per_1", type: "bash", title: "ls", callID: "c1" }),
      { kind: "input-asked", ask: { kind: "permission", message: "bash: ls" }, source: "per_1", call: "c1" },
    ],
    [event("permission.replied", { requestID: "per_1", reply: "always" }), { kind: "input-answered", source: "per_1" }],
    [event("permission.replied", { permissionID: "per_1", response: "reject" }), { source: "per_1", refused: true }],
    [
      event("question.asked", { id: "que_1", questions: [{ question: "Which?" }], tool: { callID: "c1" } }),
      { kind: "input-asked", ask: { kind: "question", message: "Which?" }, source: "que_1", call: "c1" },
    ],
    [event("question.replied", { requestID: "que_1" }), { kind: "input-answered", source: "que_1" }],
    [event("question.rejected", { requestID: "que_1" }), { kind: "input-answered", source: "que_1", refused: true }],
    [
      hook("chat.message", { agent: "build" }, texts({ text: "context", synthetic: true }, { text: "Fix it" })),
      { kind: "prompt-submitted", origin: "user", text: "Fix it" },
    ],
    [hook("chat.message", {}, texts({ text: "result", synthetic: true })), { origin: "system" }],
    [
      hook("tool.execute.before", { tool: "bash", callID: "c1" }, { args: { command: "ls" } }),
      { kind: "tool-started", tool: "bash", call: "c1", activity: "ls", beside: true },
    ],
    [
      hook("tool.execute.after", { tool: "bash", callID: "c1", args: { command: "ls" } }, { title: "ls", output: "" }),
      { kind: "tool-finished", tool: "bash", call: "c1", onlyFromWork: true },
    ],
  ])("%j", (call, happened) => {
    const { payload } = call;
    // Whoever deletes a session need not run it.
    const process = payload.type === "session.deleted" ? {} : { pid: 9 };
    expect(told("opencode", { ...call, env: { OPENCODE_PID: "9" } })).toMatchObject({
      session: "ses_1",
      name: payload.type,
      cwd: "/p",
      ...process,
      ...happened,
    });
  });

  test.each([
    event("session.updated", { info: { id: "ses_1", title: "New session - 2026-11-30T04:06:51.281Z" } }),
    event("session.diff", { diff: [] }),
    event("message.updated", { info: { id: "msg_1", parentID: "msg_0", role: "assistant" } }),
    event("message.part.updated", { part: { type: "tool", tool: "bash", callID: "c1" } }),
    event("todo.updated", { todos: [] }),
    { payload: { type: "session.error", properties: { error: { name: "APIError" } } } },
    { payload: { type: "server.connected", properties: {} } },
  ])("%j says nothing", (call) => {
    expect(told("opencode", call)).toEqual({ outcome: "ignored", event: call.payload.type });
  });

  test("without a name of the event it is refused", () => {
    expect(told("opencode", { payload: { sessionID: "ses_1" } })).toMatchObject({ outcome: "refused" });
  });
});

describe("a subagent's session", () => {
  const child = { parentID: "ses_0" };
  const inside = { session: "ses_0", agentId: "ses_1" };

  test.each([
    [event("session.created", { info: { id: "ses_1", parentID: "ses_0", title: "x" } }), { kind: "subagent-started" }],
    [hook("chat.message", {}, texts({ text: "Do it" }), child), { kind: "subagent-started", subagent: "ses_1" }],
    // One that is given more to do has no new session.
    [event("session.status", { status: { type: "busy" } }, child), { kind: "subagent-started", subagent: "ses_1" }],
    [event("session.status", { status: { type: "idle" } }, child), { kind: "subagent-stopped", subagent: "ses_1" }],
    [event("session.idle", {}, child), { kind: "subagent-stopped", subagent: "ses_1" }],
    [event("session.error", { error: { name: "APIError" } }, child), { kind: "subagent-stopped" }],
    [event("permission.asked", { id: "per_1", permission: "bash" }, child), { kind: "input-asked", source: "per_1" }],
    [hook("tool.execute.before", { tool: "bash", callID: "c1" }, {}, child), { kind: "tool-started", call: "c1" }],
  ])("%j is its parent's", (call, happened) => {
    expect(told("opencode", call)).toMatchObject({ ...inside, ...happened });
    expect(told("opencode", call)).not.toHaveProperty("title");
  });

  test("neither its compaction nor its error is its parent's", () => {
    expect(told("opencode", event("session.compacted", {}, child))).toMatchObject({ outcome: "ignored" });
    expect(
      statesOf("opencode", [
        { payload: { type: "chat.message", input: { sessionID: "ses_0" }, output: texts({ text: "Go" }) } },
        event("session.created", { info: { id: "ses_1", parentID: "ses_0" } }),
        event("session.error", { error: { name: "APIError" } }, child),
        event("session.idle", {}, child),
      ]),
    ).toEqual(["working", "working", "working", "working"]);
  });
});
