import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClaudeAgents, type ClaudeAgentsCommand } from "../../src/store/claude-agents-command";
import { isThere } from "../../src/store/process-clock";
import { scratchFolder } from "../scratch";

const onPosix = process.platform === "win32" ? describe.skip : describe;

/** A program in Claude Code's place. */
function program(script: string, more: Partial<ClaudeAgentsCommand> = {}) {
  const folder = scratchFolder();
  const file = join(folder, "claude");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  const environment = { PATH: process.env.PATH, HOME: folder, OUT: join(folder, "out") };
  const command = { program: file, configDirectory: join(folder, ".claude"), environment, ...more };
  return { folder, out: environment.OUT, claude: new ClaudeAgents(command) };
}

onPosix("the command of Claude Code", () => {
  test("is asked with these words, a closed input and no color, and its sessions are the answer", async () => {
    const { folder, out, claude } = program(
      'printf "%s\\n" "$@" "[$(cat)]" "$NO_COLOR" "[$CLAUDE_CONFIG_DIR]" >"$OUT"; echo \'[{"sessionId":"s","pid":5}]\'',
    );
    expect(await claude.ask()).toEqual({
      outcome: "entries",
      entries: [{ agent: "claude", sessionId: "s", pid: 5, configDirectory: join(folder, ".claude") }],
    });
    // The usual folder is not named: that would move what Claude Code keeps beside it.
    expect(readFileSync(out, "utf8")).toBe("agents\n--json\n[]\n1\n[]\n");
  });

  test("is told of a folder that is not the usual one", async () => {
    const configDirectory = join(scratchFolder(), "a b; echo");
    const { out, claude } = program('echo "$CLAUDE_CONFIG_DIR" >"$OUT"; echo "[]"', { configDirectory });
    expect(await claude.ask()).toEqual({ outcome: "entries", entries: [] });
    expect(readFileSync(out, "utf8")).toBe(`${configDirectory}\n`);
  });

  test("that hangs is ended in time", async () => {
    const { out, claude } = program(
      'trap "" TERM; echo $$ >"$OUT"; for second in 1 2 3 4 5 6 7 8 9; do sleep 1; done',
      { timeoutMs: 1_500 },
    );
    const begun = Date.now();
    expect(await claude.ask()).toEqual({
      outcome: "failed",
      reason: "claude agents: did not answer within 1.5 s",
    });
    expect(Date.now() - begun).toBeLessThan(10_000);
    for (let tries = 0; isThere(Number(readFileSync(out, "utf8"))) && tries < 1000; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(isThere(Number(readFileSync(out, "utf8")))).toBe(false);
  });

  test.each<[what: string, script: string, reason: RegExp]>([
    [
      "fails says why",
      "echo 'not signed in' >&2; echo 'run /login' >&2; exit 1",
      /^claude agents: not signed in run \/login$/,
    ],
    ["fails without a word", "exit 3", /^claude agents: .*claude/],
    ["prints something else", "echo Hello", /printed no list of sessions: Hello/],
    ["prints nothing", "true", /printed nothing/],
    ["prints without end", "yes '[]'", /maxBuffer|stdout/],
  ])("that %s", async (_what, script, reason) => {
    const answer = await program(script).claude.ask();
    expect(answer).toEqual({ outcome: "failed", reason: expect.stringMatching(reason) });
  });

  test("that is not there is a reason, not an error", async () => {
    const claude = new ClaudeAgents({ program: "/nowhere/claude", configDirectory: "/nowhere", environment: {} });
    expect(await claude.ask()).toEqual({ outcome: "failed", reason: expect.stringMatching(/ENOENT/) });
  });

  test("runs once for all who ask meanwhile, and anew for who asks later", async () => {
    const { out, claude } = program('echo run >>"$OUT"; echo "[]"');
    expect(existsSync(out)).toBe(false);
    await Promise.all([claude.ask(), claude.ask(), claude.ask()]);
    expect(readFileSync(out, "utf8")).toBe("run\n");
    await claude.ask();
    expect(readFileSync(out, "utf8")).toBe("run\nrun\n");
  });
});
