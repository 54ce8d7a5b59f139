import { focusSession } from "../../src/terminals/focus";
import { findPlace, type Whereabouts } from "../../src/terminals/place";
import { FakeMachine, line } from "./fake-machine";

const SOCKET = "/tmp/tmux-501/default";

function claude(more: Partial<Whereabouts> = {}): Whereabouts {
  return { agent: "claude", process: { pid: 10, knownAt: 200 }, ...more };
}

/** A Mac with claude in pane %5 of tmux, whose client, process 30, runs below a program. */
function inTmux(program: string): FakeMachine {
  const machine = new FakeMachine({
    sockets: [SOCKET],
    table: [
      ...line("/dev/ttys009", [10, "claude"], [9, "-zsh"], [8, "/opt/homebrew/bin/tmux"]),
      ...line("/dev/ttys001", [30, "/opt/homebrew/bin/tmux"], [29, "-zsh"], [28, program]),
    ],
  });
  return machine
    .answer("list-panes", "%4 @1 $0 99 /dev/ttys008 0 zsh\n%5 @2 $0 9 /dev/ttys009 0 claude\n")
    .answer("list-clients", "30 /dev/ttys001 $0 1764498994 0\n");
}

test("tmux: the terminal is the one that shows it now, not the one whose variables its server inherited", async () => {
  const machine = inTmux("/Applications/Ghostty.app/Contents/MacOS/ghostty");
  machine.facts.set(10, { TMUX: `${SOCKET},8,0`, TMUX_PANE: "%5", TERM_PROGRAM: "tmux", ITERM_SESSION_ID: "w0t0p0:X" });
  const place = await findPlace(claude(), machine);
  expect(place).toMatchObject({
    outcome: "found",
    isConfirmed: true,
    layers: [
      { kind: "tmux", pane: { pane: "%5", window: "@2", session: "$0", socket: SOCKET }, client: { pid: 30 } },
      { kind: "app", terminal: { name: "ghostty" }, tty: "/dev/ttys001" },
    ],
  });
  expect(place).toHaveProperty("layers.1.facts", {});
});

test("tmux over SSH: the pane is certain, its terminal is elsewhere", async () => {
  for (const program of ["/usr/sbin/sshd", "sshd-session", "sshd: ada@ttys001", "mosh-server"]) {
    expect(await findPlace(claude(), inTmux(program))).toMatchObject({
      outcome: "found",
      layers: [{ kind: "tmux" }],
      openEnd: { why: "remote" },
    });
  }
});

test("iTerm2's own view of tmux draws the windows itself: no client is switched, and iTerm2 opened as a whole", async () => {
  const machine = inTmux("/Applications/iTerm.app/Contents/MacOS/iTerm2");
  machine.answer("list-clients", "30 /dev/ttys001 $0 1764498994 1\n");
  expect(await focusSession(claude(), machine)).toMatchObject({
    outcome: "opened",
    what: "Opened pane %5 in tmux in iTerm2.",
  });
  expect(machine.acts).toEqual([
    ["tmux", "-S", SOCKET, "select-window", "-t", "$0:@2", ";", "select-pane", "-t", "$0:@2.%5"],
    ["/usr/bin/open", "-b", "com.googlecode.iterm2"],
  ]);
});

test("a client that is a terminal comes before one that draws the windows itself", async () => {
  const machine = inTmux("/Applications/Ghostty.app/Contents/MacOS/ghostty");
  machine.answer("list-clients", "31 /dev/ttys002 $0 300 1\n30 /dev/ttys001 $0 200 0\n");
  expect(await findPlace(claude(), machine)).toMatchObject({ layers: [{ client: { pid: 30 } }, { kind: "app" }] });
});

test("a pane whose program has ended is none", async () => {
  const machine = inTmux("/Applications/Ghostty.app/Contents/MacOS/ghostty");
  machine.answer("list-panes", "%5 @2 $0 9 /dev/ttys009 1 claude\n");
  expect(await findPlace(claude(), machine)).toMatchObject({ outcome: "uncertain" });
});

test("a window that two sessions share: the one that is shown, and was used last", async () => {
  const machine = inTmux("/Applications/Ghostty.app/Contents/MacOS/ghostty");
  machine.answer("list-panes", ["$0", "$1", "$2"].map((each) => `%5 @2 ${each} 9 /dev/ttys009 0 claude\n`).join(""));
  machine.answer("list-clients", "31 /dev/ttys002 $1 100 0\n30 /dev/ttys001 $2 200 0\n32 /dev/ttys003 $7 300 0\n");
  expect(await findPlace(claude(), machine)).toMatchObject({
    layers: [{ pane: { session: "$2" }, client: { pid: 30 } }, { kind: "app" }],
  });
});

test("a server of another user is not asked", async () => {
  const machine = inTmux("/Applications/Ghostty.app/Contents/MacOS/ghostty");
  machine.foreign.add(SOCKET);
  expect(await findPlace(claude(), machine)).toMatchObject({
    outcome: "uncertain",
    reason: "It runs in tmux, but no server that is found has its pane.",
  });
  expect(machine.ran).toEqual([]);
});

test.each<[string, Whereabouts, RegExp]>([
  ["its process has ended", claude({ process: { pid: 77, knownAt: 200 } }), /process has ended\.$/],
  ["another process has its number", claude({ process: { pid: 10, knownAt: 50 } }), /another one has its number/],
  ["nothing is known", { agent: "claude" }, /Nothing tells which terminal/],
  ["SSH", { agent: "claude", terminal: { SSH_CONNECTION: "1", TERM_PROGRAM: "iTerm.app" } }, /over SSH/],
  ["screen without a window", { agent: "claude", terminal: { STY: "7.a" } }, /in which window/],
  ["Zellij without a pane", { agent: "claude", terminal: { ZELLIJ: "0" } }, /in which pane/],
  ["tmux without a pane", { agent: "claude", terminal: { TMUX: `${SOCKET},1,0` } }, /in which pane/],
  [
    "terminals in each other that do not tell which is inside",
    { agent: "claude", terminal: { TMUX: `${SOCKET},1,0`, TMUX_PANE: "%5", ZELLIJ: "0" } },
    /inside each other/,
  ],
  [
    "Codex by its hooks",
    { agent: "codex", terminal: { TERM_PROGRAM: "iTerm.app", ITERM_SESSION_ID: "w0t0p0:X" } },
    /several terminals share/,
  ],
])("uncertain: %s", async (_name, session, reason) => {
  const machine = inTmux("/Applications/Ghostty.app/Contents/MacOS/ghostty");
  expect(await findPlace(session, machine)).toMatchObject({
    outcome: "uncertain",
    reason: expect.stringMatching(reason),
  });
  expect(machine.acts).toEqual([]);
});

test("Codex whose process is known: its own variables count, never its hooks'", async () => {
  const machine = new FakeMachine({
    table: line("/dev/ttys003", [10, "codex"], [9, "-zsh"], [8, "/Applications/Warp.app/Contents/MacOS/stable"]),
  });
  const session = claude({ agent: "codex", terminal: { WARP_FOCUS_URL: "warp://session/of-another" } });
  const place = await findPlace(session, machine);
  expect(place).toMatchObject({ outcome: "found", layers: [{ kind: "app", terminal: { name: "warp" } }] });
  expect(place).toHaveProperty("layers.0.facts", {});
});

test("an agent that runs without a terminal is in none, save an editor's window", async () => {
  const below = (program: string) => new FakeMachine({ table: line(undefined, [10, "claude"], [8, program]) });
  expect(await findPlace(claude(), below("/Applications/iTerm.app/Contents/MacOS/iTerm2"))).toMatchObject({
    outcome: "uncertain",
    reason: "It runs without a terminal.",
  });
  expect(await findPlace(claude(), below("/Applications/Cursor.app/Contents/MacOS/Cursor"))).toMatchObject({
    outcome: "found",
    layers: [{ terminal: { name: "cursor" } }],
  });
});

test("an own terminal that is not in the line of processes is found by the variables of the process", async () => {
  const machine = new FakeMachine({ table: line("/dev/ttys003", [10, "claude"], [9, "-zsh"], [8, "login"]) });
  const session = claude({ terminal: { TERM_PROGRAM: "Apple_Terminal" } });
  expect(await findPlace(session, machine)).toMatchObject({
    outcome: "found",
    layers: [{ terminal: { name: "apple-terminal" }, tty: "/dev/ttys003" }],
  });
});

test("where the system tells no processes, what hooks told counts, and is not called confirmed", async () => {
  const machine = new FakeMachine({ platform: "win32", table: undefined });
  expect(await findPlace(claude({ terminal: { WT_SESSION: "x" } }), machine)).toMatchObject({
    outcome: "found",
    isConfirmed: false,
    layers: [{ terminal: { name: "windows-terminal" } }],
  });
});
