import { agentVerb, isAgentProcess, runsAgent } from "../../src/store/agent-process";

const CLAUDE_PACKAGE = "/usr/lib/node_modules/@anthropic-ai/claude-code";

test.each<[agent: string, line: string]>([
  // As they were seen running, versions of agents.md's first section.
  ["claude", "claude"],
  ["claude", "claude --permission-mode manual"],
  ["claude", "/home/dev/.local/bin/claude --resume 0e8b3ca4"],
  ["claude", "claude -p --resume x text"],
  ["claude", "claude bg-spare --bg-spare /tmp/cc-daemon-0/spare/4fcf7f8c.claim.sock"],
  ["claude", "/home/dev/.local/share/claude/versions/2.1.332 --continue"],
  ["claude", `node ${CLAUDE_PACKAGE}/cli.js`],
  ["claude", `/usr/bin/node --max-old-space-size=8192 ${CLAUDE_PACKAGE}/cli.js -c`],
  ["claude", `node --require /x/hook.js /home/dev/.nvm/versions/node/v22.1.0/bin/claude`],
  ["claude", "C:\\Users\\dev\\.local\\bin\\claude.exe --resume x"],
  ["claude", "C:\\nodejs\\node.exe C:\\npm\\node_modules\\@anthropic-ai\\claude-code\\cli.js"],
  ["codex", "/usr/local/bin/codex --no-daemon"],
  ["codex", "codex exec --skip-git-repo-check text"],
  ["codex", "codex resume --last"],
  ["codex", "/opt/vendor/x86_64-unknown-linux-musl/bin/codex"],
  ["codex", "codex-aarch64-apple-darwin"],
  ["codex", "node /usr/lib/node_modules/@openai/codex/bin/codex.js"],
  ["gemini", "node --no-warnings=DEP0040 /usr/local/bin/gemini"],
  ["gemini", "/usr/bin/node --max-old-space-size=4096 /usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js -p x"],
  ["gemini", "node /usr/lib/node_modules/@google/gemini-cli/dist/index.js"],
  ["qwen", "node /usr/local/bin/qwen"],
  ["opencode", "opencode"],
  ["opencode", "/home/dev/.opencode/bin/opencode run hello"],
  ["opencode", "opencode serve --port 4096"],
  ["opencode", "node /usr/lib/node_modules/opencode-ai/bin/opencode"],
  ["opencode", "bun run /usr/lib/node_modules/opencode-ai/bin/opencode"],
  ["cursor", "/home/dev/.local/bin/cursor-agent"],
  ["cursor", "/x/cursor-agent/versions/2026.01.02/node /x/cursor-agent/versions/2026.01.02/index.js"],
  ["copilot", "node /usr/lib/node_modules/@github/copilot/index.js"],
  ["droid", "droid"],
  ["amp", "node /usr/lib/node_modules/@sourcegraph/amp/dist/main.js"],
  ["aider", "/usr/bin/python3.12 /home/dev/.local/bin/aider --model x"],
  ["aider", "python -m aider"],
])("%s: %s", (agent, line) => {
  expect(runsAgent(agent, line.split(" "))).toBe(true);
});

test.each<[agent: string, line: string, why: string]>([
  ["claude", "", "nothing known"],
  ["claude", "codex", "another agent"],
  ["claude", "claude daemon run --origin transient", "the supervisor of background sessions"],
  ["claude", "claude bg-pty-host --bg-pty-host x.sock 200 50 -- claude", "a background session's terminal"],
  ["claude", "claude mcp serve", "a tool server"],
  ["claude", "claude agents --json", "a look-up"],
  ["claude", "sh -c claude", "a shell that starts it"],
  ["claude", "/bin/zsh -i -c claude --resume x", "a shell that starts it"],
  ["claude", "vim claude", "an editor of a file of that name"],
  ["claude", "node -e require('claude')", "a text, not a script"],
  ["claude", "node --print claude", "a text, not a script"],
  ["claude", "node /home/dev/project/cli.js", "somebody else's script"],
  ["claude", "node server.js claude", "a word after another script"],
  ["claude", "/Applications/Claude.app/Contents/MacOS/Claude", "the desktop program"],
  ["claude", "claude-monitor", "a longer name"],
  ["claude", "tmux new-session claude", "a terminal that runs it"],
  ["codex", "codex app-server --listen unix:// --managed-daemon", "the shared daemon"],
  ["codex", "codex app-server daemon pid-update-loop", "the daemon's keeper"],
  ["codex", "codex mcp-server", "a tool server"],
  ["codex", "codex queue --thread x --message y", "a message to another"],
  ["codex", "codex-linux-sandbox -- ls", "a sandbox around a tool"],
  ["opencode", "opencode attach http://localhost:4096", "a view of another's session"],
  ["gemini", "node /home/dev/gemini.js", "somebody else's script"],
  ["aider", "python -m pip install aider", "an installer"],
  ["aider", "python -c aider", "a text, not a script"],
  ["emacs", "emacs", "an agent we do not know"],
  ["constructor", "constructor", "an agent we do not know"],
])("not %s: %s (%s)", (agent, line) => {
  expect(runsAgent(agent, line.split(" "))).toBe(false);
});

test("a title in the command line's place counts by its first word", () => {
  expect(runsAgent("claude", ["claude --resume x"])).toBe(true);
  expect(runsAgent("claude", ["/home/a claude/bin/vim"])).toBe(false);
});

test("a process is the agent when its command line is known to be", () => {
  const lines = new Map([[4711, ["claude"]]]);
  const processes = { argumentsOf: (pid: number) => lines.get(pid) };
  expect(isAgentProcess("claude", 4711, processes)).toBe(true);
  expect(isAgentProcess("codex", 4711, processes)).toBe(false);
  expect(isAgentProcess("claude", 4712, processes)).toBe(false);
});

test.each<[string, string | undefined]>([
  ["codex", undefined],
  ["codex exec text", "exec"],
  ["codex --no-daemon resume --last", "resume"],
  ["node /usr/lib/node_modules/@openai/codex/bin/codex.js exec", "exec"],
  ["vim exec", undefined],
])("the verb of %s", (line, verb) => {
  expect(agentVerb("codex", line.split(" "))).toBe(verb);
});
