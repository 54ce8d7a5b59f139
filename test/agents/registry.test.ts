import { MAPPED_AGENTS, mapperOf } from "../../src/agents/registry";

const setting = { at: 1, env: {} };

describe("the mapping of an agent", () => {
  test.each([
    ["claude", "claude"],
    ["claude-code", "claude"],
    ["Claude Code", "claude"],
    ["codex-cli", "codex"],
    ["codex-vscode", "codex"],
    ["gemini-cli", "gemini"],
    ["qwen-code", "qwen"],
    ["copilot-cli", "copilot"],
    ["github-copilot", "copilot"],
    ["droid", "droid"],
  ])("%s is that of %s", (name, agent) => {
    const mapped = mapperOf(name)({ session_id: "s", hook_event_name: "SessionStart" }, setting);
    expect(mapped).toMatchObject({ outcome: "event", identity: { agent, sessionId: "s" } });
  });

  test("every agent has one", () => {
    expect([...MAPPED_AGENTS].sort()).toEqual(
      ["aider", "amp", "claude", "codex", "copilot", "cursor", "droid", "gemini", "opencode", "qwen"].sort(),
    );
  });

  test("an unknown agent's JSON is read by its key names, under the agent's name", () => {
    const payload = { session_id: "s", event: "Done", agent: "other" };
    expect(mapperOf("My Tool")(payload, setting)).toMatchObject({ identity: { agent: "my-tool", sessionId: "s" } });
    for (const name of ["generic", "agent", "", "constructor", "__proto__"]) {
      expect(mapperOf(name)(payload, setting)).toMatchObject({ outcome: "event", identity: { sessionId: "s" } });
    }
    expect(mapperOf("generic")(payload, setting)).toMatchObject({ identity: { agent: "other" } });
  });

  test("the surface in a name is the session's, unless the payload tells another", () => {
    const start = { session_id: "s", hook_event_name: "SessionStart" };
    expect(mapperOf("codex-vscode")(start, setting)).toMatchObject({ identity: { surface: "codex-vscode" } });
    const notify = { type: "agent-turn-complete", "thread-id": "t", client: "codex-tui" };
    expect(mapperOf("codex-vscode")(notify, setting)).toMatchObject({ identity: { surface: "codex-tui" } });
  });
});
