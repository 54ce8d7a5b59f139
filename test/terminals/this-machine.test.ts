import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { factsOfPsLine, ThisMachine } from "../../src/terminals/this-machine";
import { scratchFolder } from "../scratch";
import { until } from "./tmux-stage";

const onLinux = process.platform === "linux" ? test : test.skip;

function machineWith(environment: Record<string, string> = {}): ThisMachine {
  return new ThisMachine({ PATH: process.env.PATH, HOME: "/nowhere", ...environment });
}

test("this process is in the tree, below its parent, and started before now", async () => {
  const tree = await machineWith().processes();
  const own = tree?.get(process.pid);
  expect(own?.parent).toBe(process.ppid);
  expect(tree?.identify({ pid: process.pid, knownAt: Date.now() / 1000 })).toBe("same");
  expect(tree?.identify({ pid: process.pid, knownAt: Date.now() / 1000 - 86_400 })).toBe("another");
});

onLinux("of a process's variables, only the terminal's are read", async () => {
  const child = spawn("sleep", ["60"], {
    env: { ...process.env, KITTY_WINDOW_ID: "7", WINDOW: "2", SECRET: "x", ITERM_SESSION_ID: "" },
  });
  try {
    await once(child, "spawn");
    const facts = await machineWith().factsOf(child.pid ?? -1);
    expect(facts).toMatchObject({ KITTY_WINDOW_ID: "7", WINDOW: "2" });
    expect(Object.keys(facts ?? {})).not.toContain("SECRET");
    expect(Object.keys(facts ?? {})).not.toContain("ITERM_SESSION_ID");
  } finally {
    child.kill();
  }
  expect(await machineWith().factsOf(2 ** 30)).toBeUndefined();
});

// As `ps -E -ww -o command=` of macOS prints: arguments, then the environment.
test("macOS: the variables in a line of ps; what looks like one among the arguments does not count", () => {
  const output =
    "tmux attach -t KITTY_WINDOW_ID=99 TERM=xterm KITTY_WINDOW_ID=7 MY_KITTY_WINDOW_ID=8 KITTY_LISTEN_ON=unix:/tmp/a b TOKEN=x\n";
  expect(factsOfPsLine(output)).toEqual({ KITTY_WINDOW_ID: "7", KITTY_LISTEN_ON: "unix:/tmp/a" });
});

test("what a program prints, how it ends, and that it is not there", async () => {
  const machine = machineWith({ A: "1", TMUX: "/s,1,0" });
  expect(
    await machine.run({
      argv: ["sh", "-c", 'printf "%s|%s|%s" "$A" "$B" "${TMUX-none}"'],
      environment: { B: "2", TMUX: undefined },
    }),
  ).toEqual({ outcome: "ended", code: 0, stdout: "1|2|none", stderr: "" });
  expect(await machine.run({ argv: ["sh", "-c", "echo no >&2; exit 3"] })).toEqual({
    outcome: "ended",
    code: 3,
    stdout: "",
    stderr: "no\n",
  });
  expect(await machine.run({ argv: ["no-such-program-anywhere"] })).toEqual({ outcome: "absent" });
  expect(await machine.run({ argv: ["echo", "a\u0000b"] })).toMatchObject({ outcome: "failed" });
});

test("arguments are given as they are, to no shell", async () => {
  const hostile = ["$(echo x)", "`id`", "; ls", "'", '"', "*", "-n", "a b", "\\"];
  const result = await machineWith().run({ argv: ["printf", "%s\\n", ...hostile] });
  expect(result).toMatchObject({ stdout: `${hostile.join("\n")}\n` });
});

test("a program that is started stays, in a group of its own, and has no terminal's variables", async () => {
  const folder = scratchFolder();
  const note = join(folder, "note");
  const machine = machineWith({ TMUX: "/s,1,0", KITTY_WINDOW_ID: "7", KEPT: "yes", HOME: folder });
  const script = `printf '%s|%s|%s|%s\\n' "$$" "$PWD" "\${TMUX-}\${KITTY_WINDOW_ID-}" "$KEPT" >'${note}'; exec sleep 60`;
  expect(await machine.start({ argv: ["sh", "-c", script] })).toMatchObject({ outcome: "ended", code: 0 });
  await until(() => existsSync(note) && readFileSync(note, "utf8").endsWith("\n"));
  const [pid = "", cwd, terminal, kept] = readFileSync(note, "utf8").trim().split("|");
  try {
    expect([cwd, terminal, kept]).toEqual([folder, "", "yes"]);
    expect((await machine.processes())?.get(Number(pid))?.command).toMatch(/sleep$/);
  } finally {
    process.kill(-Number(pid));
  }
});

test("a program that ends at once and badly, or is not there, is told", async () => {
  const machine = machineWith({ HOME: scratchFolder() });
  expect(await machine.start({ argv: ["sh", "-c", "exit 4"] })).toMatchObject({ outcome: "ended", code: 4 });
  expect(await machine.start({ argv: ["no-such-program-anywhere"] })).toEqual({ outcome: "absent" });
});

test("sockets: the user's own, not a file, not a link, not what is not there", async () => {
  const folder = scratchFolder();
  const socket = join(folder, "socket");
  const server = createServer().listen(socket);
  await once(server, "listening");
  try {
    writeFileSync(join(folder, "file"), "");
    symlinkSync(socket, join(folder, "link"));
    const machine = machineWith();
    expect(machine.ownsSocket(socket)).toBe(true);
    for (const name of ["file", "link", "none"]) expect(machine.ownsSocket(join(folder, name))).toBe(false);
  } finally {
    server.close();
  }
});

test("the usual tmux server comes first; a missing folder has none", () => {
  const folder = scratchFolder();
  const sockets = join(folder, `tmux-${process.getuid?.()}`);
  expect(machineWith({ TMUX_TMPDIR: folder }).tmuxSockets()).toEqual([]);
  mkdirSync(sockets);
  for (const name of ["a", "default", "z"]) writeFileSync(join(sockets, name), "");
  expect(machineWith({ TMUX_TMPDIR: folder }).tmuxSockets()[0]).toBe(join(sockets, "default"));
});

test("a relative folder on the PATH is not used", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "program"), "", { mode: 0o755 });
  expect(machineWith({ PATH: folder }).has("program")).toBe(true);
  expect(machineWith({ PATH: relative(process.cwd(), folder) }).has("program")).toBe(false);
});

test("X11's display counts only without Wayland", () => {
  expect(machineWith({ DISPLAY: ":0" }).display).toBe(":0");
  expect(machineWith({ DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0" }).display).toBeUndefined();
  expect(machineWith({ DISPLAY: "" }).display).toBeUndefined();
});
