import type { AgentProcess } from "../../src/session/report";
import { sessionInFront } from "../../src/terminals/in-front";
import type { RunningProcess } from "../../src/terminals/process-tree";
import { FakeMachine, line } from "./fake-machine";

const ITERM = "/Applications/iTerm.app/Contents/MacOS/iTerm2";
const SOCKET = "/tmp/tmux-501/default";

interface Candidate {
  id: string;
  agent: string;
  process?: AgentProcess;
}

function session(pid: number | undefined, id = `s${pid}`): Candidate {
  return { id, agent: "claude", ...(pid === undefined ? {} : { process: { pid, knownAt: 1000 } }) };
}

/** macOS with a program in front, whose front tab has this device. */
function mac(bundle: string, device: string | { code: number }, table: RunningProcess[]): FakeMachine {
  return new FakeMachine({ table })
    .answer("tty of", typeof device === "string" ? `${device}\n` : device)
    .answer("frontmost application", `${bundle}\n`);
}

const iterm = (device: string | { code: number } = "/dev/ttys003") =>
  mac("com.googlecode.iterm2", device, [
    ...line("/dev/ttys003", [10, "claude"], [9, "-zsh"], [8, ITERM]),
    ...line("/dev/ttys004", [20, "claude"], [19, "-zsh"]).map((each) =>
      each.pid === 19 ? { ...each, parent: 8 } : each,
    ),
  ]);

async function inFront(machine: FakeMachine, ...sessions: Candidate[]): Promise<string | undefined> {
  return (await sessionInFront(sessions, machine))?.id;
}

describe("on macOS", () => {
  test("the session whose device the front tab has, and no other", async () => {
    expect(await inFront(iterm(), session(10), session(20))).toBe("s10");
    expect(await inFront(iterm("/dev/ttys004"), session(10), session(20))).toBe("s20");
  });

  test.each([
    [
      "another program is in front",
      () => mac("com.apple.Safari", "/dev/ttys003", line("/dev/ttys003", [10, "claude"], [8, ITERM])),
    ],
    [
      "another terminal is, which has a tab of that name",
      () => mac("com.apple.Terminal", "/dev/ttys003", line("/dev/ttys003", [10, "claude"], [8, ITERM])),
    ],
    ["it does not tell its tab", () => iterm({ code: 1 })],
    ["what it tells is no device", () => iterm('"; rm')],
    ["a tab without an agent is", () => iterm("/dev/ttys009")],
    [
      "a terminal that tells nothing is",
      () =>
        mac(
          "dev.warp.Warp-Stable",
          "/dev/ttys003",
          line("/dev/ttys003", [10, "claude"], [8, "/Applications/Warp.app/Contents/MacOS/stable"]),
        ),
    ],
  ])("not certain: %s", async (_name, machine) => {
    expect(await inFront(machine(), session(10), session(20))).toBeUndefined();
  });

  test("two sessions on one device are not certain; neither is one whose process is not known, or is gone", async () => {
    expect(await inFront(iterm(), session(10, "one"), session(10, "two"))).toBeUndefined();
    expect(await inFront(iterm(), session(undefined))).toBeUndefined();
    expect(await inFront(iterm(), session(99))).toBeUndefined();
    expect(await inFront(iterm())).toBeUndefined();
  });

  test("nothing is asked where nobody can be meant, and nothing is brought forward", async () => {
    const machine = iterm();
    await inFront(machine, session(undefined));
    expect(machine.ran).toEqual([]);
    await inFront(machine, session(10));
    expect(machine.ran.flat().join("\n")).not.toMatch(/select |activate|focus a|set /);
  });

  /** tmux in iTerm2: two panes, of which one is shown. */
  function tmux(active: string): FakeMachine {
    const machine = mac("com.googlecode.iterm2", "/dev/ttys003", [
      ...line("/dev/ttys003", [40, "tmux"], [9, "-zsh"], [8, ITERM]),
      { pid: 50, parent: 1, command: "tmux: server", startedAt: 100 },
      { pid: 61, parent: 50, command: "-zsh", startedAt: 100, tty: "/dev/ttys010" },
      { pid: 10, parent: 61, command: "claude", startedAt: 100, tty: "/dev/ttys010" },
      { pid: 62, parent: 50, command: "-zsh", startedAt: 100, tty: "/dev/ttys011" },
      { pid: 20, parent: 62, command: "claude", startedAt: 100, tty: "/dev/ttys011" },
    ]);
    machine.sockets = [SOCKET];
    return machine
      .answer("list-panes", "%1 @1 $1 61 /dev/ttys010 0 claude\n%2 @2 $1 62 /dev/ttys011 0 claude\n")
      .answer("list-clients", "40 /dev/ttys003 $1 1700000000 0\n")
      .answer("display-message", `${active}\n`);
  }

  test("in tmux it is the active pane of the session that the front tab shows", async () => {
    expect(await inFront(tmux("%1"), session(10), session(20))).toBe("s10");
    expect(await inFront(tmux("%2"), session(10), session(20))).toBe("s20");
    expect(await inFront(tmux("%3"), session(10), session(20))).toBeUndefined();
    expect(await inFront(tmux("what"), session(10), session(20))).toBeUndefined();
  });

  test("many sessions ask the same question once", async () => {
    const machine = tmux("%1");
    await inFront(machine, session(10), session(20));
    const lines = machine.ran.map((argv) => argv.join(" "));
    expect(lines).toHaveLength(new Set(lines).size);
  });

  test("in kitty it is the focused window, by its process", async () => {
    const facts = { KITTY_LISTEN_ON: "unix:/tmp/kitty-1", KITTY_WINDOW_ID: "1", TERM: "xterm-kitty" };
    const kitty = (focused: number) => {
      const windows = [9, 19].map((pid) => ({ id: pid, pid, is_focused: pid === focused }));
      const machine = mac("net.kovidgoyal.kitty", "", [
        ...line("/dev/ttys003", [10, "claude"], [9, "-zsh"], [8, "/Applications/kitty.app/Contents/MacOS/kitty"]),
        ...line("/dev/ttys004", [20, "claude"], [19, "-zsh"]).map((each) =>
          each.pid === 19 ? { ...each, parent: 8 } : each,
        ),
      ]).answer("ls", JSON.stringify([{ is_focused: true, tabs: [{ is_focused: true, windows }] }]));
      for (const pid of [10, 20]) machine.facts.set(pid, facts);
      return machine;
    };
    expect(await inFront(kitty(9), session(10), session(20))).toBe("s10");
    expect(await inFront(kitty(19), session(10), session(20))).toBe("s20");
    expect(await inFront(kitty(0), session(10), session(20))).toBeUndefined();
    const foreign = kitty(9);
    foreign.foreign.add("/tmp/kitty-1");
    expect(await inFront(foreign, session(10))).toBeUndefined();
    expect(foreign.ran.some((argv) => argv.includes("ls"))).toBe(false);
  });
});

describe("on Linux", () => {
  function x11(terminal: string, window = "77"): FakeMachine {
    const machine = new FakeMachine({
      platform: "linux",
      display: ":0",
      installed: new Set(["xdotool"]),
      table: line("/dev/pts/4", [10, "claude"], [9, "bash"], [8, terminal]),
    }).answer("getactivewindow", `${window}\n`);
    machine.facts.set(10, { WINDOWID: "77" });
    return machine;
  }

  test("the window of a terminal without tabs is the session; one with tabs may show another", async () => {
    expect(await inFront(x11("xterm"), session(10))).toBe("s10");
    expect(await inFront(x11("alacritty"), session(10))).toBe("s10");
    expect(await inFront(x11("xterm", "78"), session(10))).toBeUndefined();
    expect(await inFront(x11("konsole"), session(10))).toBeUndefined();
  });

  test("what only its hooks told is not certain: another program may run there by now", async () => {
    const machine = x11("alacritty");
    const told = { ...session(10), terminal: { ALACRITTY_WINDOW_ID: "5", WINDOWID: "77" } };
    expect((await sessionInFront([told], machine))?.id).toBe("s10");
    machine.table = undefined;
    expect(await sessionInFront([told], machine)).toBeUndefined();
  });

  test("on Wayland, without xdotool, and on Windows nothing is certain", async () => {
    const wayland = x11("xterm");
    delete wayland.display;
    const bare = x11("xterm");
    bare.installed.clear();
    const windows = x11("xterm");
    windows.platform = "win32";
    for (const machine of [wayland, bare, windows]) expect(await inFront(machine, session(10))).toBeUndefined();
  });
});
