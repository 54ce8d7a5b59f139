import { CLEARING } from "../../src/control/clearing-keys";
import { keyboardOf } from "../../src/control/keyboard";
import type { Command, CommandResult } from "../../src/control/run-program";
import type { TypingPlace } from "../../src/control/typing-place";
import { ended } from "./control-scene";

const PID = 4242;
const TTY = "/dev/ttys003";
const front = { path: TTY, isAt: (path: string) => path === TTY, isInFront: true };
const agent = { pid: PID, terminal: front, parentOf: () => undefined };

/** A keyboard whose programs answer so, and what it ran. */
function typed(place: TypingPlace, answer: (command: Command) => CommandResult = () => ended()) {
  const ran: Command[] = [];
  const keyboard = keyboardOf(place, (command) => {
    ran.push(command);
    return Promise.resolve(answer(command));
  });
  return { keyboard, ran };
}

describe("tmux", () => {
  const place: TypingPlace = { terminal: "tmux", pane: "%3" };
  const parents = new Map([
    [PID, 40],
    [40, 30],
    [30, 1],
  ]);
  const inPane = { ...agent, parentOf: (pid: number) => parents.get(pid) };
  const facts = (given: Partial<Record<"id" | "pid" | "dead" | "mode" | "all" | "off" | "tty", string>> = {}) => {
    const { id = "%3", pid = "30", dead = "0", mode = "0", all = "0", off = "0", tty = TTY } = given;
    return ended(`${[id, pid, dead, mode, all, off, tty].join("|")}\n`);
  };

  test("is asked for the pane over its own server", async () => {
    const { keyboard, ran } = typed(place, () => facts());
    expect(await keyboard.prove(inPane)).toBeUndefined();
    expect(ran).toMatchObject([
      { program: "tmux", parameters: ["display-message", "-p", "-t", "%3", expect.anything()] },
    ]);
  });

  test.each([
    ["the pane's process did not start the agent", facts({ pid: "31" })],
    ["the agent has another terminal: something stands between", facts({ tty: "/dev/ttys004" })],
    ["another pane answers", facts({ id: "%4" })],
    ["what ran there has ended", facts({ dead: "1" })],
    ["it is scrolled", facts({ mode: "1" })],
    ["it types into all panes", facts({ all: "1" })],
    ["it takes no input", facts({ off: "1" })],
    ["it answers something else", ended("")],
    ["the pane is gone", ended("", 1, "can't find pane: %3")],
    ["there is no tmux", { outcome: "missing" as const }],
  ])("is not typed into when %s", async (_what, answer) => {
    expect(await typed(place, () => answer).keyboard.prove(inPane)).toMatch(/./);
  });

  test("a line of parents that goes round ends", async () => {
    const round = { ...agent, parentOf: (pid: number) => (pid === PID ? 40 : PID) };
    expect(await typed(place, () => facts()).keyboard.prove(round)).toMatch("another process");
  });
});

describe("kitty", () => {
  const place: TypingPlace = { terminal: "kitty", window: "7", listensOn: "unix:/tmp/kitty-1" };
  const ls = (windows: unknown) => JSON.stringify([{ tabs: [{ windows }] }]);

  test("is asked whether the window is the agent's, and takes text as it is on its input", async () => {
    const { keyboard, ran } = typed(place, () =>
      ended(ls([{ id: 7, foreground_processes: [{ pid: 1 }, { pid: PID }] }])),
    );
    expect(await keyboard.prove(agent)).toBeUndefined();
    await keyboard.clear();
    await keyboard.write("\\x1b is text");
    await keyboard.write("two\nlines");
    await keyboard.enter();
    const to = ["@", "--to", "unix:/tmp/kitty-1"];
    expect(ran).toEqual([
      { program: "kitty", parameters: [...to, "ls"] },
      { program: "kitty", parameters: [...to, "send-text", "--match", "id:7", "--stdin"], input: CLEARING },
      { program: "kitty", parameters: [...to, "send-text", "--match", "id:7", "--stdin"], input: "\\x1b is text" },
      {
        program: "kitty",
        parameters: [...to, "send-text", "--match", "id:7", "--bracketed-paste=enable", "--stdin"],
        input: "two\nlines",
      },
      { program: "kitty", parameters: [...to, "send-text", "--match", "id:7", "--stdin"], input: "\r" },
    ]);
  });

  test.each([
    ["the window is another's", ended(ls([{ id: 7, foreground_processes: [{ pid: 1 }] }]))],
    ["the window is gone", ended(ls([{ id: 8, foreground_processes: [{ pid: PID }] }]))],
    ["it answers something else", ended("[[[")],
    ["it answers nothing of the kind", ended('{"tabs":1}')],
    ["it refuses", ended("", 1, "Remote control is disabled")],
    ["it is not installed", { outcome: "missing" as const }],
  ])("is not typed into when %s", async (_what, answer) => {
    expect(await typed(place, () => answer).keyboard.prove(agent)).toMatch(/./);
  });
});

describe("WezTerm", () => {
  const place: TypingPlace = { terminal: "wezterm", pane: "3", socket: "/run/user/1/wezterm/gui-sock-9" };
  const list = JSON.stringify([
    { pane_id: 2, tty_name: "/dev/ttys002" },
    { pane_id: 3, tty_name: TTY },
  ]);

  test("is asked for the pane's terminal, and takes text on its input", async () => {
    const { keyboard, ran } = typed(place, () => ended(list));
    expect(await keyboard.prove(agent)).toBeUndefined();
    await keyboard.clear();
    await keyboard.write("--text");
    await keyboard.write("two\nlines");
    await keyboard.enter();
    const cli = ["cli", "--no-auto-start"];
    const environment = { WEZTERM_UNIX_SOCKET: "/run/user/1/wezterm/gui-sock-9" };
    const send = [...cli, "send-text", "--pane-id", "3"];
    expect(ran).toEqual([
      { program: "wezterm", parameters: [...cli, "list", "--format", "json"], environment },
      { program: "wezterm", parameters: [...send, "--no-paste"], input: CLEARING, environment },
      { program: "wezterm", parameters: [...send, "--no-paste"], input: "--text", environment },
      { program: "wezterm", parameters: send, input: "two\nlines", environment },
      { program: "wezterm", parameters: [...send, "--no-paste"], input: "\r", environment },
    ]);
  });

  test("is not typed into when the pane's terminal is another one", async () => {
    const other = { ...agent, terminal: { ...front, isAt: () => false } };
    expect(await typed(place, () => ended(list)).keyboard.prove(other)).toMatch("another process");
    expect(await typed({ ...place, pane: "9" }, () => ended(list)).keyboard.prove(agent)).toMatch("another process");
  });
});

describe("iTerm2", () => {
  const place: TypingPlace = { terminal: "iterm2", session: "A1B2C3D4-0000-0000-0000-000000000001" };

  test("gets session, terminal and text as arguments; the script is always the same", async () => {
    const { keyboard, ran } = typed(place, () => ended("done\n"));
    expect(await keyboard.prove(agent)).toBeUndefined();
    const evil = '" & (do shell script "id") & "';
    expect(await keyboard.write(evil)).toBeUndefined();
    expect(await keyboard.enter()).toBeUndefined();
    const scripts = new Set(ran.map(({ parameters }) => parameters[1]));
    expect(scripts.size).toBe(1);
    expect([...scripts][0]).not.toContain(place.session);
    expect(ran.map(({ program, parameters }) => [program, parameters[0], ...parameters.slice(2)])).toEqual([
      ["/usr/bin/osascript", "-e", place.session, TTY, ""],
      ["/usr/bin/osascript", "-e", place.session, TTY, evil],
      ["/usr/bin/osascript", "-e", place.session, TTY, "\r"],
    ]);
  });

  test.each(["another\n", "gone\n", "", "not running"])("is not typed into when the script says %j", async (said) => {
    expect(await typed(place, () => ended(said)).keyboard.prove(agent)).toMatch(/./);
  });

  test("takes no lines, and nothing before it is proven", async () => {
    const { keyboard, ran } = typed(place, () => ended("done"));
    expect(await keyboard.enter()).toMatch(/./);
    expect(await keyboard.write("two\nlines")).toMatch(/./);
    expect(ran).toEqual([]);
  });
});

test.each<TypingPlace>([
  { terminal: "kitty", window: "7", listensOn: "unix:/tmp/k" },
  { terminal: "wezterm", pane: "3" },
  { terminal: "iterm2", session: "A1B2C3D4-0000-0000-0000-000000000001" },
])("a stopped agent's shell is not typed into: $terminal", async (place) => {
  const answers: Record<string, CommandResult> = {
    kitty: ended(JSON.stringify([{ tabs: [{ windows: [{ id: 7, foreground_processes: [{ pid: PID }] }] }] }])),
    wezterm: ended(JSON.stringify([{ pane_id: 3, tty_name: TTY }])),
  };
  const stopped = { ...agent, terminal: { ...front, isInFront: false } };
  const answer = answers[place.terminal] ?? ended("done");
  expect(await typed(place, () => answer).keyboard.prove(stopped)).toMatch("shell");
});
