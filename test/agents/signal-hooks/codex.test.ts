import { codexHook } from "../../../src/agents/signal-hooks/codex";
import type { HookCall } from "../../../src/agents/signal-hooks/hook";
import { SIGNALS, type Signal } from "../../../src/session/signal";

function call(payload: HookCall["payload"], more: Partial<HookCall> = {}) {
  return codexHook({ payload, environment: {}, ...more });
}

test.each<[event: string, signal: Signal]>([
  ["SessionStart", "session_start"],
  ["UserPromptSubmit", "thinking"],
  ["PreToolUse", "working"],
  ["PostToolUse", "tool_done"],
  ["PermissionRequest", "permission_request"],
  ["Stop", "done"],
  ["SessionEnd", "session_end"],
])("%s is %s, by command line or payload, in any spelling", (event, signal) => {
  const spaced = event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  expect(call({}, { event })).toMatchObject({ signal, event });
  expect(call({ hook_event_name: event })).toMatchObject({ signal, event });
  expect(call({ hook_event_name: spaced })).toMatchObject({ signal, event: spaced });
});

test.each(["Notification", "PreCompact", "Interrupt", "agent-turn-complete"])(
  "%s is not in its map: attention",
  (event) => {
    expect(call({ hook_event_name: event }).signal).toBe("attention");
  },
);

test("without any event it is Stop, and nothing is recorded", () => {
  expect(call({})).toEqual({ signal: "done", sessionId: "codex-cli:global", agent: "codex-cli" });
});

test("an event under a key in another spelling chooses the signal but is not recorded", () => {
  expect(call({ hookEventName: "PreToolUse" })).toEqual({
    signal: "working",
    sessionId: "codex-cli:global",
    agent: "codex-cli",
  });
});

test.each(["hook_event_name", "event_name", "event", "hook", "type"])("the event stands under %s", (key) => {
  expect(call({ [key]: "PreToolUse" })).toMatchObject({ signal: "working", event: "PreToolUse" });
});

test("the command line's event outranks the payload's; the recorded one outranks both", () => {
  expect(call({ event: "Stop" }, { event: "PreToolUse" })).toMatchObject({ signal: "working", event: "PreToolUse" });
  expect(call({ event: "Stop" }, { event: "PreToolUse", recordedEvent: "Mine" })).toMatchObject({
    signal: "working",
    event: "Mine",
  });
});

test.each(SIGNALS)("a payload may name the signal %s itself, by three keys", (signal) => {
  for (const key of ["signal", "signal_name", "lampSignal"]) {
    expect(call({ [key]: signal.replaceAll("_", "-"), status: "failed", event: "Stop" }).signal).toBe(signal);
  }
});

test("a signal that there is not is ignored", () => {
  expect(call({ signal: "purple", event: "PreToolUse" }).signal).toBe("working");
});

test.each<[string, Signal]>([
  ["working", "working"],
  [" Blocked ", "blocked"],
  ["failed", "failure"],
  ["it failed badly", "blocked"],
  ["ERROR 5", "blocked"],
  ["completed", "tool_done"],
  ["running", "tool_done"],
])("a status %j with PostToolUse gives %s", (status, signal) => {
  expect(call({ status, event: "PostToolUse" }).signal).toBe(signal);
  expect(call({ state: status, event: "PostToolUse" }).signal).toBe(signal);
});

test("vector 25: an id deep in the payload comes before the environment's", () => {
  const nested = { tool: { context: { threadId: "n" } } };
  expect(call(nested, { environment: { CODEX_SESSION_ID: "r" } }).sessionId).toBe("codex-cli:n");
});

test("vector 26: what a tool was given is content: neither its id nor its error counts", () => {
  const payload = { toolInput: { sessionId: "u", error: "x" } };
  expect(call(payload, { event: "PreToolUse", environment: { CODEX_SESSION_ID: "r" } })).toMatchObject({
    signal: "working",
    sessionId: "codex-cli:r",
  });
});

test("vector 27: metadata gives id and editor, a failed result blocks", () => {
  const payload = { payload: { metadata: { sessionId: "t", source: "VS Code" }, result: { error: true } } };
  expect(call(payload, { event: "PostToolUse" })).toEqual({
    signal: "blocked",
    sessionId: "codex-vscode:t",
    agent: "codex-vscode",
    event: "PostToolUse",
  });
});

test("vector 28: an exit status or a failed status blocks", () => {
  expect(call({ exitStatus: 1 }, { event: "PostToolUse" }).signal).toBe("blocked");
  expect(call({ exitStatus: 0 }, { event: "PostToolUse" }).signal).toBe("tool_done");
  expect(call({ Status: "failed" }, { event: "PostToolUse" }).signal).toBe("failure");
});

test("vector 33: a number is an id", () => {
  expect(call({ session_id: 12345 }).sessionId).toBe("codex-cli:12345");
});

test.each(["session_id", "conversation_id", "thread_id", "chat_id", "codex_session_id"])(
  "the id stands under %s",
  (key) => {
    expect(call({ [key]: " x " }).sessionId).toBe("codex-cli:x");
  },
);

test("the id comes from the environment, then from the folder", () => {
  const environment = { CODEX_THREAD_ID: "thread", CODEX_CONVERSATION_ID: " conversation ", CODEX_SESSION_ID: " " };
  expect(call({ cwd: "/a" }, { environment }).sessionId).toBe("codex-cli:conversation");
  for (const key of ["cwd", "workspace", "workspace_dir", "project_dir"]) {
    expect(call({ [key]: "/a/b " }).sessionId).toBe("codex-cli:cwd:/a/b");
  }
});

test.each<[name: string, agent: string]>([
  ["codex-desktop", "codex-desktop"],
  ["Desktop", "codex-desktop"],
  ["Codex Desktop App", "codex-desktop"],
  ["IntelliJ IDEA", "codex-idea"],
  ["idea", "codex-idea"],
  ["vscode", "codex-vscode"],
  ["VS Code", "codex-vscode"],
  ["Visual_Studio_Code", "codex-vscode"],
  ["Xcode", "codex-xcode"],
  ["JetBrains-JediTerm", "codex-jetbrains"],
  ["codex-ide-2", "codex-ide"],
  ["IDE", "codex-ide"],
  ["ides", "codex-cli"],
  ["Apple_Terminal", "codex-cli"],
  ["startup", "codex-cli"],
])("a source %s is %s", (name, agent) => {
  const id = agent === "codex-desktop" ? "x" : `${agent}:x`;
  expect(call({ source: name, session_id: "x" })).toMatchObject({ agent, sessionId: id });
  expect(call({ session_id: "x" }, { environment: { TERM_PROGRAM: name } })).toMatchObject({ agent, sessionId: id });
});

test.each([
  "agent",
  "agent_name",
  "source",
  "source_name",
  "app",
  "application",
  "client",
  "tool",
  "runner",
  "provider",
])("the agent stands under %s", (key) => {
  expect(call({ [key]: "xcode" }).agent).toBe("codex-xcode");
  expect(call({ metadata: { [key]: "xcode" } }).agent).toBe("codex-xcode");
});

test("the first variable that is set decides, even when it tells nothing", () => {
  const environment = { IDEA_PROPERTIES: "idea", CODEX_APP: " ", TERM_PROGRAM: "tmux" };
  expect(call({}, { environment }).agent).toBe("codex-cli");
});

test.each([
  "AGENT_SIGNAL_AGENT",
  "AGENT_NAME",
  "AGENT_SOURCE",
  "CODEX_SOURCE",
  "CODEX_APP",
  "TERM_PROGRAM",
  "TERMINAL_EMULATOR",
  "JETBRAINS_IDE",
  "IDEA_INITIAL_DIRECTORY",
  "IDEA_PROPERTIES",
  "IDEA_VM_OPTIONS",
])("%s tells the agent, and is outranked by those before it", (name) => {
  expect(call({}, { environment: { IDEA_VM_OPTIONS: "idea", [name]: "xcode" } }).agent).toBe("codex-xcode");
});

test("an id that has its class already is left alone", () => {
  expect(call({ session_id: "codex-cli:x" }).sessionId).toBe("codex-cli:x");
  expect(call({ session_id: "codex-cli:x", source: "xcode" }).sessionId).toBe("codex-xcode:codex-cli:x");
});

test("the options are taken as they are; the agent still gives the prefix", () => {
  expect(call({ session_id: "x", source: "xcode" }, { agent: "My VS Code" })).toMatchObject({
    agent: "My VS Code",
    sessionId: "codex-vscode:x",
  });
  expect(call({ session_id: "x" }, { sessionId: " mine " }).sessionId).toBe(" mine ");
});
