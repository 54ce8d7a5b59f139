import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resumeSession, resumeText, type EndedSession, type ResumeIn } from "../../src/terminals/resume";
import { posixText, powershellText, resumeCommand } from "../../src/terminals/resume-command";
import { scratchFolder } from "../scratch";
import { FakeMachine, HOSTILE } from "./fake-machine";

const ID = "4f2e8190-9a6b-4c3d-8e1f-6a5b4c3d2e1f";

function ended(more: Partial<EndedSession> = {}): EndedSession {
  return { agent: "claude", sessionId: ID, cwd: "/Users/ada/shop", state: "dormant", ...more };
}

describe("the command", () => {
  test.each([
    ["claude", ID, ["claude", "--resume", ID]],
    ["codex", ID, ["codex", "resume", ID]],
    ["gemini", ID, ["gemini", "--resume", ID]],
    ["qwen", ID, ["qwen", "--resume", ID]],
    ["opencode", "ses_7f3a9c", ["opencode", "--session", "ses_7f3a9c"]],
    ["copilot", ID, ["copilot", `--resume=${ID}`]],
    ["cursor", ID, ["cursor-agent", "--resume", ID]],
    ["droid", ID, ["droid", "--resume", ID]],
    ["amp", "T-019fda49-724e", ["amp", "threads", "continue", "T-019fda49-724e"]],
  ])("of %s", (agent, sessionId, argv) => {
    expect(resumeCommand({ agent, sessionId }, "/Users/ada")?.argv).toEqual(argv);
  });

  test.each(["aider", "agent", "constructor", "__proto__"])("of %s there is none", (agent) => {
    expect(resumeCommand({ agent, sessionId: ID }, "/Users/ada")).toBeUndefined();
    expect(() => resumeText({ agent, sessionId: ID }, { platform: "linux", home: "/h" })).toThrow(
      `Sessions of ${agent} cannot be resumed by their id.`,
    );
  });

  test("names the configuration folder only where it is not the usual one", () => {
    const at = (configDirectory: string, agent = "claude") =>
      resumeCommand({ agent, sessionId: ID, configDirectory }, "/Users/ada")?.environment;
    expect(at("/Users/ada/.claude")).toEqual({});
    expect(at("/Users/ada/.claude/")).toEqual({});
    expect(at("/Users/ada/.claude-work")).toEqual({ CLAUDE_CONFIG_DIR: "/Users/ada/.claude-work" });
    expect(at("/Users/ada/.codex-work", "codex")).toEqual({ CODEX_HOME: "/Users/ada/.codex-work" });
    expect(at("/Users/ada/elsewhere", "gemini")).toEqual({});
  });

  test("as text for a POSIX shell and for PowerShell", () => {
    const command = resumeCommand(
      { agent: "claude", sessionId: ID, cwd: "/Users/ada/it's here", configDirectory: "/Users/ada/cla ude" },
      "/Users/ada",
    );
    expect(command && posixText(command)).toBe(
      `cd '/Users/ada/it'\\''s here' && CLAUDE_CONFIG_DIR='/Users/ada/cla ude' claude --resume ${ID}`,
    );
    expect(command && powershellText(command)).toBe(
      `Set-Location -LiteralPath '/Users/ada/it''s here' -ErrorAction Stop; ` +
        `$env:CLAUDE_CONFIG_DIR = '/Users/ada/cla ude'; claude --resume ${ID}`,
    );
  });

  test("the text for copilot has its option as one word in either shell", () => {
    const command = resumeCommand({ agent: "copilot", sessionId: ID }, "/h");
    expect(command && posixText(command)).toBe(`copilot --resume=${ID}`);
    expect(command && powershellText(command)).toBe(`copilot --resume=${ID}`);
  });

  test.each(HOSTILE)("an id that is none is refused: %j", (sessionId) => {
    expect(() => resumeCommand({ agent: "claude", sessionId }, "/h")).toThrow("is no id that claude gives");
  });

  test("a shell that runs the text changes to the very folder and gives the very words, whatever the folder is called", () => {
    const folder = scratchFolder();
    const programs = join(folder, "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "claude"), `#!/bin/sh\nprintf '%s\\0' "$PWD" "$CLAUDE_CONFIG_DIR" "$@"\n`, {
      mode: 0o755,
    });
    let count = 0;
    for (const [index, name] of HOSTILE.entries()) {
      // eslint-disable-next-line no-control-regex
      if (/[\u0000-\u001f/]/.test(name)) continue;
      const cwd = join(folder, String(index), `x${name}`);
      mkdirSync(cwd, { recursive: true });
      const text = resumeText(
        { agent: "claude", sessionId: ID, cwd, configDirectory: `/c/${name}x` },
        new FakeMachine(),
      );
      const output = execFileSync("sh", ["-c", text], {
        env: { PATH: `${programs}:/usr/bin:/bin` },
        encoding: "utf8",
      });
      expect(output.split("\0")).toEqual([cwd, `/c/${name}x`, "--resume", ID, ""]);
      count++;
    }
    expect(count).toBeGreaterThan(10);
  });

  test.each(["/w/a\nb", "/w/a\u0000b", "/w/\u001b]0;x\u0007", "relative", "-rf", ""])(
    "a folder that no shell should be given is refused: %j",
    (cwd) => {
      expect(() => resumeText({ agent: "claude", sessionId: ID, cwd }, new FakeMachine())).toThrow(
        "cannot be given to a shell",
      );
    },
  );
});

const TEXT = `cd /Users/ada/shop && claude --resume ${ID}`;
const IN_ZSH = ["/bin/zsh", "-l", "-i", "-c", `${TEXT}; exec /bin/zsh -l`];

describe("opening it on a Mac", () => {
  test.each<[ResumeIn, string]>([
    ["apple-terminal", "com.apple.Terminal"],
    ["iterm2", "com.googlecode.iterm2"],
    ["ghostty", "com.mitchellh.ghostty"],
  ])("%s: the command line is data of a script", async (terminal, bundle) => {
    const machine = new FakeMachine().answer("osascript", "done\n");
    expect(await resumeSession(ended(), terminal, machine)).toMatchObject({ outcome: "started", text: TEXT });
    const [argv] = machine.ran;
    expect(argv?.slice(0, 2)).toEqual(["/usr/bin/osascript", "-e"]);
    expect(argv?.[2]).toContain(`tell application id "${bundle}"`);
    expect(argv?.[2]).not.toContain("claude");
    expect(argv?.slice(3)).toEqual(["--", TEXT]);
  });

  test.each<[ResumeIn, string[]]>([
    ["kitty", ["kitty", ...IN_ZSH]],
    ["wezterm", ["wezterm", "start", "--", ...IN_ZSH]],
    ["alacritty", ["alacritty", "-e", ...IN_ZSH]],
  ])("%s: the user's shell as arguments", async (terminal, argv) => {
    const machine = new FakeMachine();
    expect(await resumeSession(ended(), terminal, machine)).toMatchObject({ outcome: "started" });
    expect(machine.startedCalls).toEqual([{ argv }]);
  });

  test("Warp: the folder, and the command to paste", async () => {
    const machine = new FakeMachine();
    machine.folders.add("/w/a b&c?d#e'f");
    expect(await resumeSession(ended({ cwd: "/w/a b&c?d#e'f" }), "warp", machine)).toMatchObject({
      outcome: "opened",
      text: `cd '/w/a b&c?d#e'\\''f' && claude --resume ${ID}`,
    });
    expect(machine.ran).toEqual([["/usr/bin/open", "warp://action/new_window?path=/w/a%20b%26c%3Fd%23e'f"]]);
  });

  test("without a choice: the terminal it was in, else Terminal", async () => {
    for (const [terminal, bundle] of [
      [{ TERM_PROGRAM: "iTerm.app" }, "com.googlecode.iterm2"],
      [{ TERM_PROGRAM: "vscode" }, "com.apple.Terminal"],
      [{ TERM_PROGRAM: "WarpTerminal" }, "com.apple.Terminal"],
      [undefined, "com.apple.Terminal"],
    ] as const) {
      const machine = new FakeMachine().answer("osascript", "done\n");
      await resumeSession(ended({ terminal }), undefined, machine);
      expect(machine.ran[0]?.[2]).toContain(bundle);
    }
  });

  test("what the terminal answers is told", async () => {
    const refused = new FakeMachine().answer("osascript", { code: 1, stderr: "execution error: no (-1743)" });
    expect(await resumeSession(ended(), "iterm2", refused)).toMatchObject({
      outcome: "failed",
      reason: "iTerm2: execution error: no (-1743)",
      text: TEXT,
    });
    const absent = new FakeMachine().answer("kitty", "absent");
    expect(await resumeSession(ended(), "kitty", absent)).toMatchObject({
      outcome: "failed",
      reason: "kitty is not installed, or its command is not on the PATH.",
    });
  });
});

describe("opening it on Linux", () => {
  const linux = (...installed: string[]) =>
    new FakeMachine({ platform: "linux", installed: new Set(installed), table: [] });

  test.each<[string, string[]]>([
    ["xdg-terminal-exec", ["xdg-terminal-exec", ...IN_ZSH]],
    ["x-terminal-emulator", ["x-terminal-emulator", "-e", ...IN_ZSH]],
    ["gnome-terminal", ["gnome-terminal", "--", ...IN_ZSH]],
    ["konsole", ["konsole", "-e", ...IN_ZSH]],
    ["xfce4-terminal", ["xfce4-terminal", "-x", ...IN_ZSH]],
    ["ghostty", ["ghostty", "-e", ...IN_ZSH]],
    ["foot", ["foot", ...IN_ZSH]],
    ["xterm", ["xterm", "-e", ...IN_ZSH]],
  ])("%s, where it is what is installed", async (program, argv) => {
    const machine = linux(program);
    expect(await resumeSession(ended(), undefined, machine)).toMatchObject({ outcome: "started" });
    expect(machine.startedCalls).toEqual([{ argv }]);
  });

  test("the terminal it was in comes first; then what the system says is the user's", async () => {
    const own = linux("xterm", "x-terminal-emulator", "kitty");
    await resumeSession(ended({ terminal: { KITTY_WINDOW_ID: "1" } }), undefined, own);
    expect(own.startedCalls[0]?.argv[0]).toBe("kitty");
    const usual = linux("xterm", "x-terminal-emulator");
    await resumeSession(ended({ terminal: { KITTY_WINDOW_ID: "1" } }), undefined, usual);
    expect(usual.startedCalls[0]?.argv[0]).toBe("x-terminal-emulator");
  });

  test("without any, it says so", async () => {
    await expect(resumeSession(ended(), undefined, linux())).rejects.toThrow("No terminal is found to resume it in.");
  });

  test("a shell that does not read the command is replaced by sh; fish reads it", async () => {
    for (const [shell, used] of [
      ["/usr/bin/nu", "/bin/sh"],
      ["/usr/bin/fish", "/usr/bin/fish"],
      ["/bin/tcsh", "/bin/sh"],
    ]) {
      const machine = linux("xterm");
      machine.shell = shell ?? "";
      await resumeSession(ended(), undefined, machine);
      expect(machine.startedCalls[0]?.argv[2]).toBe(used);
    }
  });
});

test("Windows Terminal: PowerShell gets the command encoded, so that wt reads none of it", async () => {
  const machine = new FakeMachine({ platform: "win32", table: undefined });
  machine.folders.add("/w/a; calc; 'b'");
  await resumeSession(ended({ cwd: "/w/a; calc; 'b'" }), undefined, machine);
  const argv = machine.startedCalls[0]?.argv ?? [""];
  expect(argv.slice(0, -1)).toEqual(["wt.exe", "-w", "new", "new-tab", "powershell.exe", "-NoExit", "-EncodedCommand"]);
  expect(argv.at(-1)).toMatch(/^[A-Za-z0-9+/=]+$/);
  expect(Buffer.from(argv.at(-1) ?? "", "base64").toString("utf16le")).toBe(
    `Set-Location -LiteralPath '/w/a; calc; ''b''' -ErrorAction Stop; claude --resume ${ID}`,
  );
});

describe("what is refused", () => {
  test("a session that still runs", async () => {
    const process = { pid: 10, knownAt: 200 };
    const machine = new FakeMachine({ table: [{ pid: 10, parent: 1, command: "claude", startedAt: 100 }] });
    await expect(resumeSession(ended({ state: "done", process }), undefined, machine)).rejects.toThrow(
      "The session still runs.",
    );
    machine.answer("osascript", "done");
    // Another process has its number now: it has ended, whatever its hooks told last.
    const before = { pid: 10, knownAt: 50 };
    expect(await resumeSession(ended({ state: "working", process: before }), undefined, machine)).toMatchObject({
      outcome: "started",
    });
  });

  test.each(["working", "waiting", "decision", "compacting", "waitingForSubagents"] as const)(
    "a session without a known process that is %s",
    async (state) => {
      await expect(resumeSession(ended({ state }), undefined, new FakeMachine())).rejects.toThrow("still runs");
    },
  );

  test("a folder that is gone", async () => {
    await expect(resumeSession(ended({ cwd: "/gone" }), undefined, new FakeMachine())).rejects.toThrow(
      "The session's folder /gone is gone.",
    );
  });

  test("a terminal that takes no command here", async () => {
    for (const terminal of ["vscode", "windows-terminal", "konsole"] as const) {
      await expect(resumeSession(ended(), terminal, new FakeMachine())).rejects.toThrow(
        `${terminal} cannot be told to run a command here.`,
      );
    }
  });
});
