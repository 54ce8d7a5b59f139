import { focusSession } from "../../src/terminals/focus";
import type { Argv } from "../../src/terminals/focus-plan";
import type { Whereabouts } from "../../src/terminals/place";
import { FakeMachine, HOSTILE, line } from "./fake-machine";

const UUID = "0D8F5C1E-2B7A-4C3D-9E1F-6A5B4C3D2E1F";

/** A session of claude, process 10, that runs in what is given. */
function claude(terminal?: Record<string, string>): Whereabouts {
  return { agent: "claude", cwd: "/Users/ada/shop", process: { pid: 10, knownAt: 200 }, terminal };
}

/** A Mac on which process 10 runs below a program. */
function mac(program: string, facts: Record<string, string> = {}): FakeMachine {
  const machine = new FakeMachine({
    table: line("/dev/ttys003", [10, "claude"], [9, "-zsh"], [8, "/usr/bin/login"], [7, program]),
  });
  machine.facts.set(10, facts);
  return machine;
}

/** A Linux machine on which process 10 runs below a program. */
function linux(program: string, facts: Record<string, string> = {}, installed: readonly string[] = []): FakeMachine {
  const machine = new FakeMachine({
    platform: "linux",
    table: line("/dev/pts/4", [10, "claude"], [9, "bash"], [7, program]),
    installed: new Set(installed),
  });
  machine.facts.set(10, facts);
  return machine;
}

/** A script's arguments after its source, which is the same whatever they are. */
function scriptData(argv: Argv | undefined): readonly string[] {
  expect(argv?.slice(0, 2)).toEqual(["/usr/bin/osascript", "-e"]);
  expect(argv?.[2]).toMatch(/^on run argv\n/);
  expect(argv?.[3]).toBe("--");
  return argv?.slice(4) ?? [];
}

describe("on a Mac", () => {
  test("Terminal: the tab by its device", async () => {
    const machine = mac("/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal").answer(
      "osascript",
      "done\n",
    );
    expect(await focusSession(claude(), machine)).toEqual({
      outcome: "focused",
      what: "Focused the tab in Terminal.",
      offers: [],
    });
    expect(machine.ran).toHaveLength(1);
    expect(scriptData(machine.ran[0])).toEqual(["/dev/ttys003"]);
  });

  test("iTerm2: the session by its device, also where its server is another process", async () => {
    for (const program of [
      "/Applications/iTerm.app/Contents/MacOS/iTerm2",
      "/Users/ada/Library/Application Support/iTerm2/iTermServer-3.6.4",
    ]) {
      const machine = mac(program, { ITERM_SESSION_ID: `w0t1p2:${UUID}` }).answer("osascript", "done\n");
      expect(await focusSession(claude(), machine)).toMatchObject({ outcome: "focused" });
      expect(scriptData(machine.ran[0])).toEqual(["-", "/dev/ttys003"]);
    }
  });

  test("iTerm2 without a process: the session by the id after the colon", async () => {
    const machine = new FakeMachine({ table: [] }).answer("osascript", "done\n");
    const terminal = { TERM_PROGRAM: "iTerm.app", ITERM_SESSION_ID: `w0t1p2:${UUID}` };
    expect(await focusSession({ agent: "gemini", terminal }, machine)).toMatchObject({ outcome: "focused" });
    expect(scriptData(machine.ran[0])).toEqual([UUID, "-"]);
  });

  test("without a process, what no terminal confirms is not called focused", async () => {
    const told = "Its process is not known: that is where its hooks ran.";
    const warp = { TERM_PROGRAM: "WarpTerminal", WARP_FOCUS_URL: `warp://session/${UUID}` };
    const iterm2 = { TERM_PROGRAM: "iTerm.app", ITERM_SESSION_ID: `w0t1p2:${UUID}` };
    for (const [terminal, outcome] of [
      [warp, "opened"],
      [iterm2, "focused"],
    ] as const) {
      const machine = new FakeMachine({ table: [] }).answer("osascript", "done\n");
      expect(await focusSession({ agent: "gemini", terminal }, machine)).toMatchObject({ outcome, reason: told });
    }
  });

  test("what a terminal says is not there is not looked for elsewhere", async () => {
    const machine = mac("/Applications/iTerm.app/Contents/MacOS/iTerm2").answer("osascript", "missing\n");
    expect(await focusSession(claude(), machine)).toMatchObject({
      outcome: "uncertain",
      what: "Nothing was brought forward.",
      reason: "iTerm2 says that it is not there any more.",
    });
    expect(machine.ran).toHaveLength(1);
  });

  test("a Mac that does not allow control: the program is opened, and how to allow it is told", async () => {
    const machine = mac("/Applications/iTerm.app/Contents/MacOS/iTerm2").answer("osascript", {
      code: 1,
      stderr: "execution error: Not authorized to send Apple events to iTerm. (-1743)",
    });
    expect(await focusSession(claude(), machine)).toMatchObject({
      outcome: "opened",
      what: "Opened iTerm2.",
      reason: expect.stringContaining("Privacy & Security, Automation"),
    });
    expect(machine.ran[1]).toEqual(["/usr/bin/open", "-b", "com.googlecode.iterm2"]);
  });

  test("Ghostty: by its device where it tells devices, else as a whole", async () => {
    const program = "/Applications/Ghostty.app/Contents/MacOS/ghostty";
    const exact = mac(program).answer("osascript", "done\n");
    expect(await focusSession(claude(), exact)).toMatchObject({ outcome: "focused" });
    expect(scriptData(exact.ran[0])).toEqual(["/dev/ttys003"]);
    const old = mac(program).answer("osascript", "unsupported\n");
    expect(await focusSession(claude(), old)).toMatchObject({ outcome: "opened", what: "Opened Ghostty." });
    expect(old.ran[1]).toEqual(["/usr/bin/open", "-b", "com.mitchellh.ghostty"]);
  });

  test("Warp: its link, after the program, since it says nothing of a link that is stale", async () => {
    const program = "/Applications/Warp.app/Contents/MacOS/stable";
    const machine = mac(program, { WARP_FOCUS_URL: `warp://session/${UUID}` });
    expect(await focusSession(claude(), machine)).toMatchObject({ outcome: "focused" });
    expect(machine.ran).toEqual([
      ["/usr/bin/open", "-b", "dev.warp.Warp-Stable"],
      ["/usr/bin/open", `warp://session/${UUID}`],
    ]);
    const preview = mac(program, { WARP_FOCUS_URL: `warppreview://session/${UUID.replaceAll("-", "")}` });
    await focusSession(claude(), preview);
    expect(preview.ran[0]).toEqual(["/usr/bin/open", "-b", "dev.warp.Warp-Preview"]);
  });

  test("kitty: the window by its number, when kitty says that the agent is in it", async () => {
    const program = "/Applications/kitty.app/Contents/MacOS/kitty";
    const facts = { KITTY_WINDOW_ID: "3", KITTY_LISTEN_ON: "unix:/tmp/kitty-501" };
    const windows = (id: number, pid: number) => JSON.stringify([{ id: 1, tabs: [{ id: 1, windows: [{ id, pid }] }] }]);
    const machine = mac(program, facts).answer(" ls", windows(3, 9));
    expect(await focusSession(claude(), machine)).toMatchObject({ outcome: "focused" });
    expect(machine.ran).toEqual([
      ["kitty", "@", "--to", "unix:/tmp/kitty-501", "ls"],
      ["/usr/bin/open", "-b", "net.kovidgoyal.kitty"],
      ["kitty", "@", "--to", "unix:/tmp/kitty-501", "focus-window", "--match", "id:3"],
    ]);
    for (const other of [windows(4, 9), windows(3, 77)]) {
      const moved = mac(program, facts).answer(" ls", other);
      expect(await focusSession(claude(), moved)).toMatchObject({ outcome: "uncertain" });
      expect(moved.ran).toHaveLength(1);
    }
  });

  test("kitty without remote control is opened as a whole, and how to set it is told", async () => {
    const program = "/Applications/kitty.app/Contents/MacOS/kitty";
    for (const machine of [
      mac(program, { KITTY_WINDOW_ID: "3" }),
      mac(program, { KITTY_WINDOW_ID: "3", KITTY_LISTEN_ON: "unix:/tmp/k" }).answer(" ls", { code: 1 }),
    ]) {
      expect(await focusSession(claude(), machine)).toMatchObject({
        outcome: "opened",
        what: "Opened kitty.",
        reason: expect.stringContaining("kitty.conf"),
      });
      expect(machine.acts).toContainEqual(["/usr/bin/open", "-b", "net.kovidgoyal.kitty"]);
    }
  });

  test("WezTerm: the pane by its number over its socket; it raises no window, so it is not called focused", async () => {
    const program = "/Applications/WezTerm.app/Contents/MacOS/wezterm-gui";
    const facts = { WEZTERM_PANE: "12", WEZTERM_UNIX_SOCKET: "/Users/ada/.local/share/wezterm/gui-sock-7" };
    const list = (pane: number, tty: string) => JSON.stringify([{ window_id: 0, pane_id: pane, tty_name: tty }]);
    const machine = mac(program, facts).answer("cli list", list(12, "/dev/ttys003"));
    expect(await focusSession(claude(), machine)).toMatchObject({
      outcome: "opened",
      what: "Opened pane 12 in WezTerm.",
    });
    expect(machine.ran).toEqual([
      ["wezterm", "cli", "list", "--format", "json"],
      ["wezterm", "cli", "activate-pane", "--pane-id", "12"],
      ["/usr/bin/open", "-b", "com.github.wez.wezterm"],
    ]);
    expect(machine.calls[1]?.environment).toMatchObject({ WEZTERM_UNIX_SOCKET: facts.WEZTERM_UNIX_SOCKET });
    const other = mac(program, facts).answer("cli list", list(12, "/dev/ttys009"));
    expect(await focusSession(claude(), other)).toMatchObject({ outcome: "uncertain" });
    expect(other.acts).toEqual([]);
  });

  test.each([
    [
      "/Applications/Visual Studio Code.app/Contents/Frameworks/Code Helper.app/Contents/MacOS/Code Helper",
      "com.microsoft.VSCode",
    ],
    [
      "/Applications/Cursor.app/Contents/Frameworks/Cursor Helper.app/Contents/MacOS/Cursor Helper",
      "com.todesktop.230313mzl4w4u92",
    ],
    ["/Applications/Windsurf.app/Contents/MacOS/Electron", "com.exafunction.windsurf"],
    ["/Applications/Zed.app/Contents/MacOS/zed", "dev.zed.Zed"],
  ])("%s: the window of the folder", async (program, bundle) => {
    const machine = mac(program, { TERM_PROGRAM: "vscode" });
    expect(await focusSession(claude(), machine)).toMatchObject({
      outcome: "opened",
      reason: expect.stringContaining("cannot be told which of its terminals"),
    });
    expect(machine.ran).toEqual([["/usr/bin/open", "-b", bundle, "/Users/ada/shop"]]);
  });

  test("a JetBrains IDE: the one whose process it is", async () => {
    const machine = mac("/Applications/GoLand.app/Contents/MacOS/goland", { TERMINAL_EMULATOR: "JetBrains-JediTerm" });
    await focusSession(claude(), machine);
    expect(machine.ran).toEqual([["/usr/bin/open", "-a", "/Applications/GoLand.app", "/Users/ada/shop"]]);
  });

  test("Alacritty: as a whole", async () => {
    const machine = mac("/Applications/Alacritty.app/Contents/MacOS/alacritty");
    expect(await focusSession(claude(), machine)).toMatchObject({ outcome: "opened", what: "Opened Alacritty." });
    expect(machine.ran).toEqual([["/usr/bin/open", "-b", "org.alacritty"]]);
  });
});

describe("on Linux", () => {
  test.each([
    ["xdotool", ["xdotool", "windowactivate", "--sync", "35651590"], "7\n"],
    ["wmctrl", ["wmctrl", "-i", "-a", "0x2200006"], "0x02200006  0 7      host a title 0x1\n"],
  ])("a terminal of X11 by %s, when the window is its process's", async (program, act, answer) => {
    const facts = { WINDOWID: "35651590" };
    const machine = linux("xfce4-terminal", facts, [program]).answer(program, answer);
    machine.display = ":0";
    expect(await focusSession(claude(), machine)).toMatchObject({
      outcome: "opened",
      what: "Opened the window of Xfce Terminal.",
    });
    expect(machine.acts).toEqual([act]);
    expect(machine.calls[1]?.environment).toEqual({ DISPLAY: ":0" });
    const other = linux("xfce4-terminal", facts, [program]).answer(program, answer.replace("7", "8"));
    other.display = ":0";
    expect(await focusSession(claude(), other)).toMatchObject({ outcome: "uncertain" });
    expect(other.acts).toEqual([]);
  });

  test("on Wayland, or without such a program, it is said that it cannot be done", async () => {
    const wayland = linux("gnome-terminal-", {}, ["xdotool"]);
    expect(await focusSession(claude(), wayland)).toMatchObject({
      outcome: "uncertain",
      reason: "Its terminal is GNOME Terminal, whose windows no other program can bring forward here.",
    });
    const x11 = linux("konsole", { WINDOWID: "5" });
    x11.display = ":0";
    expect(await focusSession(claude(), x11)).toMatchObject({
      outcome: "uncertain",
      reason: "Its terminal is Konsole. To have windows brought forward, install xdotool or wmctrl.",
    });
  });

  test("kitty and WezTerm by their own control", async () => {
    const kitty = linux("kitty", { KITTY_WINDOW_ID: "3", KITTY_LISTEN_ON: "unix:@mykitty" }, ["kitten"]);
    kitty.answer(" ls", JSON.stringify([{ tabs: [{ windows: [{ id: 3, pid: 9 }] }] }]));
    expect(await focusSession(claude(), kitty)).toMatchObject({ outcome: "focused" });
    expect(kitty.acts).toEqual([["kitten", "@", "--to", "unix:@mykitty", "focus-window", "--match", "id:3"]]);
    const wezterm = linux("wezterm-gui", { WEZTERM_PANE: "0", WEZTERM_UNIX_SOCKET: "/run/user/1000/wezterm/s" });
    wezterm.answer("cli list", JSON.stringify([{ pane_id: 0, tty_name: "/dev/pts/4" }]));
    expect(await focusSession(claude(), wezterm)).toMatchObject({
      outcome: "uncertain",
      what: "Selected pane 0 in WezTerm.",
      reason: expect.stringContaining("raises no window"),
    });
  });

  test("a socket of another user is not asked", async () => {
    const kitty = linux("kitty", { KITTY_WINDOW_ID: "3", KITTY_LISTEN_ON: "unix:/tmp/theirs" }, ["kitten"]);
    kitty.foreign.add("/tmp/theirs");
    expect(await focusSession(claude(), kitty)).toMatchObject({ outcome: "uncertain" });
    const wezterm = linux("wezterm-gui", { WEZTERM_PANE: "0", WEZTERM_UNIX_SOCKET: "/tmp/theirs" });
    wezterm.foreign.add("/tmp/theirs");
    expect(await focusSession(claude(), wezterm)).toMatchObject({ outcome: "uncertain" });
    expect([...kitty.ran, ...wezterm.ran]).toEqual([]);
  });

  test("an editor by its command", async () => {
    const machine = linux("code", { TERM_PROGRAM: "vscode" }, ["code"]);
    expect(await focusSession(claude(), machine)).toMatchObject({ outcome: "opened" });
    expect(machine.ran).toEqual([["code", "/Users/ada/shop"]]);
  });

  test("Zellij: the pane by its id, and the terminal of its only client", async () => {
    const machine = linux("zellij", { ZELLIJ: "0", ZELLIJ_SESSION_NAME: "api work", ZELLIJ_PANE_ID: "4" }, ["kitten"]);
    machine.table?.push(...line("/dev/pts/1", [20, "zellij"], [19, "bash"], [18, "kitty"]));
    machine.facts.set(20, { KITTY_WINDOW_ID: "3", KITTY_LISTEN_ON: "unix:@k" });
    machine
      .answer("list-clients", "CLIENT_ID ZELLIJ_PANE_ID RUNNING_COMMAND\n1         terminal_0     vim\n")
      .answer(
        "list-panes",
        JSON.stringify([
          { id: 4, is_plugin: true },
          { id: 4, is_plugin: false, exited: false },
        ]),
      )
      .answer(" ls", JSON.stringify([{ tabs: [{ windows: [{ id: 3, pid: 19 }] }] }]));
    expect(await focusSession(claude(), machine)).toMatchObject({
      outcome: "focused",
      what: "Focused pane 4 in Zellij in window 3 in kitty.",
    });
    expect(machine.ran).toEqual([
      ["zellij", "--session", "api work", "action", "list-clients"],
      ["zellij", "--session", "api work", "action", "list-panes", "--json"],
      ["kitten", "@", "--to", "unix:@k", "ls"],
      ["zellij", "--session", "api work", "action", "focus-pane-id", "terminal_4"],
      ["kitten", "@", "--to", "unix:@k", "focus-window", "--match", "id:3"],
    ]);
  });

  test("an older Zellij refuses, and that is told; a pane that ended is not focused", async () => {
    const facts = { ZELLIJ: "0", ZELLIJ_SESSION_NAME: "api", ZELLIJ_PANE_ID: "4" };
    const old = linux("zellij", facts).answer("list-clients", "CLIENT_ID\n1 terminal_0 vim\n");
    old
      .answer("list-panes", { code: 2 })
      .answer("focus-pane-id", { code: 2, stderr: "error: unrecognized subcommand" });
    expect(await focusSession(claude(), old)).toMatchObject({
      outcome: "failed",
      reason: "Zellij refused: error: unrecognized subcommand",
    });
    for (const panes of [[{ id: 4, is_plugin: false, exited: true }], [{ id: 4, is_plugin: true }], []]) {
      const gone = linux("zellij", facts).answer("list-panes", JSON.stringify(panes));
      expect(await focusSession(claude(), gone)).toMatchObject({ outcome: "uncertain" });
      expect(gone.acts).toEqual([]);
    }
  });

  test("two Zellij clients: the pane is focused, and that nobody knows who sees it is told", async () => {
    const one = "CLIENT_ID ZELLIJ_PANE_ID RUNNING_COMMAND\n1 terminal_0 vim\n";
    // Both show this session; or one of them, and nobody knows which.
    for (const listed of [`${one}2 terminal_1 sh\n`, one]) {
      const machine = linux("zellij", { ZELLIJ: "0", ZELLIJ_SESSION_NAME: "api", ZELLIJ_PANE_ID: "4" }, ["code"]);
      machine.table?.push(...line("/dev/pts/1", [20, "zellij"], [18, "code"]));
      machine.table?.push(...line("/dev/pts/2", [21, "zellij"], [19, "code"]));
      machine.answer("list-clients", listed).answer("list-panes", JSON.stringify([{ id: 4, is_plugin: false }]));
      expect(await focusSession(claude(), machine)).toMatchObject({
        outcome: "uncertain",
        what: "Selected pane 4 in Zellij.",
        reason: "Nothing tells which terminal shows it.",
      });
      expect(machine.ran.at(-1)).toEqual(["zellij", "--session", "api", "action", "focus-pane-id", "terminal_4"]);
    }
  });

  test("screen: the window by its number, and the terminal of its only client", async () => {
    const machine = linux("screen", { STY: "7.pts-0.host", WINDOW: "2" });
    machine.table?.push(...line("/dev/pts/1", [20, "screen"], [19, "bash"], [18, "code"]));
    machine.installed.add("code");
    machine.answer(
      "-ls",
      "There is a screen on:\n\t7.pts-0.host\t(11/30/26 11:00:42)\t(Attached)\n1 Socket in /run.\n",
    );
    machine.answer("-Q number", "2 (bash)");
    expect(await focusSession(claude(), machine)).toMatchObject({
      outcome: "opened",
      what: "Opened window 2 in screen in the window of the folder in Visual Studio Code.",
    });
    expect(machine.acts).toEqual([
      ["screen", "-S", "7.pts-0.host", "-X", "select", "2"],
      ["screen", "-S", "7.pts-0.host", "-Q", "number"],
      ["code", "/Users/ada/shop"],
    ]);
  });

  test("a window that screen does not have, a session that is detached, one of another server", async () => {
    const facts = { STY: "7.work", WINDOW: "2" };
    const gone = linux("screen", facts).answer("-ls", "\t7.work\t(Attached)\n").answer("-Q number", "0 (bash)");
    expect(await focusSession(claude(), gone)).toMatchObject({
      outcome: "uncertain",
      what: "Nothing was brought forward.",
      reason: "screen says that it is not there any more.",
    });
    const detached = linux("screen", facts).answer("-ls", "\t7.work\t(Detached)\n").answer("-Q number", "2 (bash)");
    expect(await focusSession(claude(), detached)).toMatchObject({
      outcome: "uncertain",
      what: "Selected window 2 in screen.",
      reason: "No terminal shows its screen session.",
    });
    const other = linux("screen", { ...facts, STY: "99.work" });
    expect(await focusSession(claude(), other)).toMatchObject({ outcome: "uncertain" });
    expect(other.ran).toEqual([]);
  });
});

describe("on Windows", () => {
  test("Windows Terminal: as a whole, by a command that holds nothing from outside", async () => {
    const machine = new FakeMachine({ platform: "win32", table: undefined }).answer("powershell", "done\r\n");
    const terminal = { WT_SESSION: "'; Remove-Item ~ #" };
    expect(await focusSession({ agent: "claude", terminal }, machine)).toMatchObject({
      outcome: "opened",
      what: "Opened Windows Terminal.",
    });
    expect(machine.ran).toHaveLength(1);
    expect(machine.ran[0]?.slice(0, 4)).toEqual(["powershell.exe", "-NoProfile", "-NonInteractive", "-Command"]);
    expect(machine.ran[0]).toHaveLength(5);
    expect(machine.ran[0]?.[4]).not.toContain("Remove-Item");
  });
});

describe("hostile values", () => {
  const places: readonly (readonly [name: string, machine: (value: string) => FakeMachine])[] = [
    ["ITERM_SESSION_ID", (value) => mac("/Applications/iTerm.app/Contents/MacOS/iTerm2", { ITERM_SESSION_ID: value })],
    ["WARP_FOCUS_URL", (value) => mac("/Applications/Warp.app/Contents/MacOS/stable", { WARP_FOCUS_URL: value })],
    [
      "KITTY_WINDOW_ID",
      (value) =>
        mac("/Applications/kitty.app/Contents/MacOS/kitty", { KITTY_WINDOW_ID: value, KITTY_LISTEN_ON: "unix:/tmp/k" }),
    ],
    [
      "KITTY_LISTEN_ON",
      (value) => mac("/Applications/kitty.app/Contents/MacOS/kitty", { KITTY_WINDOW_ID: "1", KITTY_LISTEN_ON: value }),
    ],
    ["WEZTERM_PANE", (value) => mac("/Applications/WezTerm.app/Contents/MacOS/wezterm-gui", { WEZTERM_PANE: value })],
    ["ZELLIJ_PANE_ID", (value) => linux("zellij", { ZELLIJ_SESSION_NAME: "s", ZELLIJ_PANE_ID: value })],
    ["STY", (value) => linux("screen", { STY: `7.${value}`, WINDOW: "1" })],
    ["WINDOW", (value) => linux("screen", { STY: "7.a", WINDOW: value })],
    [
      "WINDOWID",
      (value) => {
        const machine = linux("xterm", { WINDOWID: value }, ["xdotool", "wmctrl"]);
        machine.display = ":0";
        return machine;
      },
    ],
  ];

  test.each(places)("%s: none reaches a program", async (_name, machineWith) => {
    for (const value of HOSTILE) {
      const machine = machineWith(value).answer("osascript", "done");
      await focusSession(claude(), machine);
      const words = machine.ran.flatMap((argv) => argv.filter((word) => !word.startsWith("on run argv")));
      expect(words.filter((word) => value !== "" && word !== "-" && word.includes(value))).toEqual([]);
    }
  });

  test("links of other schemes and paths are not opened", async () => {
    for (const url of [
      "https://example.com/",
      "file:///etc/passwd",
      `warp://action/new_tab?path=/${UUID}`,
      `warp://session/${UUID}?x=1`,
      `WARP://session/${UUID}`,
      `warp://session/${UUID}\n`,
      `javascript:warp://session/${UUID}`,
    ]) {
      const machine = mac("/Applications/Warp.app/Contents/MacOS/stable", { WARP_FOCUS_URL: url });
      expect(await focusSession(claude(), machine)).toMatchObject({ outcome: "opened" });
      expect(machine.ran).toEqual([["/usr/bin/open", "-b", "dev.warp.Warp-Stable"]]);
    }
  });

  test("kitty is only controlled by a socket of this machine", async () => {
    for (const address of ["tcp:example.com:5000", "fd:3", "unix:relative", "unix:/tmp/a\nb"]) {
      const machine = mac("/Applications/kitty.app/Contents/MacOS/kitty", {
        KITTY_WINDOW_ID: "1",
        KITTY_LISTEN_ON: address,
      });
      await focusSession(claude(), machine);
      expect(machine.ran).toEqual([["/usr/bin/open", "-b", "net.kovidgoyal.kitty"]]);
    }
  });

  test("a folder is one word, and not used where it cannot be one", async () => {
    const program = "/Applications/Zed.app/Contents/MacOS/zed";
    for (const name of HOSTILE) {
      const folder = `/w/${name}`;
      const machine = mac(program);
      await focusSession({ ...claude(), cwd: folder }, machine);
      // eslint-disable-next-line no-control-regex
      const isPlain = !/[\u0000-\u001f]/.test(folder);
      expect(machine.ran).toEqual([["/usr/bin/open", "-b", "dev.zed.Zed", ...(isPlain ? [folder] : [])]]);
    }
    for (const folder of ["-rf", "relative", "--args", ""]) {
      const machine = mac(program);
      await focusSession({ ...claude(), cwd: folder }, machine);
      expect(machine.ran).toEqual([["/usr/bin/open", "-b", "dev.zed.Zed"]]);
    }
  });

  test("a Zellij session's name is one word after its option, and no option itself", async () => {
    for (const name of HOSTILE) {
      const machine = linux("zellij", { ZELLIJ_SESSION_NAME: name, ZELLIJ_PANE_ID: "1" });
      await focusSession(claude(), machine);
      for (const argv of machine.ran) expect(argv.slice(0, 4)).toEqual(["zellij", "--session", name, "action"]);
      // eslint-disable-next-line no-control-regex
      if (/^-|^$|\/|[\u0000-\u001f]/.test(name)) expect(machine.ran).toEqual([]);
      else expect(machine.ran.length).toBeGreaterThan(0);
    }
  });

  test("tmux is asked only over a socket of this user with an absolute path", async () => {
    const terminal = (TMUX: string) => ({ TMUX, TMUX_PANE: "%1", TERM_PROGRAM: "tmux" });
    for (const socket of ["relative", "-S", "/tmp/a\nb", "/tmp/theirs"]) {
      const machine = new FakeMachine({ platform: "linux", table: [] });
      machine.foreign.add("/tmp/theirs");
      const session = { agent: "claude", terminal: terminal(`${socket},1,0`) };
      expect(await focusSession(session, machine)).toMatchObject({ outcome: "uncertain" });
      expect(machine.ran).toEqual([]);
    }
    const machine = new FakeMachine({ platform: "linux", table: [] });
    await focusSession({ agent: "claude", terminal: terminal("/tmp/a,b c/$(x),1,0") }, machine);
    expect(machine.ran[0]?.slice(0, 4)).toEqual(["tmux", "-S", "/tmp/a,b c/$(x)", "list-panes"]);
  });
});
