import { agentNamed, identityOfSignal, sessionKey } from "../../src/session/identity";

test.each([
  ["claude-code", { agent: "claude" }],
  ["Claude Code", { agent: "claude" }],
  ["claude", { agent: "claude" }],
  ["codex", { agent: "codex" }],
  ["codex-cli", { agent: "codex", surface: "codex-cli" }],
  ["codex-vscode", { agent: "codex", surface: "codex-vscode" }],
  ["gemini-cli", { agent: "gemini" }],
  ["local-script", { agent: "local-script" }],
  ["  ", { agent: "agent" }],
  [undefined, { agent: "agent" }],
  ["Ünïcode/x", { agent: "-n-code-x" }],
  ["constructor", { agent: "constructor" }],
  // It becomes a folder's name: none leads to another folder.
  ["..", { agent: "agent" }],
  [".", { agent: "agent" }],
  ["-.", { agent: "agent" }],
  [".hidden", { agent: ".hidden" }],
])("the agent named %j", (name, expected) => {
  expect(agentNamed(name)).toEqual(expected);
});

test("an agent's name always fits the status file's pattern", () => {
  expect(agentNamed("A".repeat(100)).agent).toMatch(/^[a-z0-9._-]{1,32}$/);
});

test.each([
  ["codex-cli:abc", "codex-cli", { agent: "codex", surface: "codex-cli", sessionId: "abc" }],
  ["codex-vscode:a:b", undefined, { agent: "codex", surface: "codex-vscode", sessionId: "a:b" }],
  ["4f2e", "claude-code", { agent: "claude", sessionId: "4f2e" }],
  ["cwd:/tmp/x", "claude-code", { agent: "claude", sessionId: "cwd:/tmp/x" }],
  ["manual", "manual", { agent: "manual", sessionId: "manual" }],
  ["x", undefined, { agent: "agent", sessionId: "x" }],
])("the session behind the signal key %j of %j", (key, agent, expected) => {
  expect(identityOfSignal(key, agent)).toEqual(expected);
});

test("a key reads back unambiguously: the agent has no colon", () => {
  expect(sessionKey({ agent: "claude", sessionId: "a:b" })).toBe("claude:a:b");
});
