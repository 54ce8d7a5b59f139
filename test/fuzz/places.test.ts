import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/run";
import { detailText } from "../../src/cli/detail-text";
import type { CliIo } from "../../src/cli/io";
import type { SignalIo } from "../../src/cli/signal/io";
import { takeSnapshot } from "../../src/cli/take-snapshot";
import { cliIo } from "../cli-io";
import { sessionOf } from "../control/session-sample";
import { extent, part } from "../thoroughness";
import { calmFault } from "./calm";
import { fuzz } from "./fuzz";
import { HostileHome, markOf, SHOWN } from "./hostile-home";
import { brokenTextsIn } from "./literal";
import { payloadsWith } from "./payloads";

/** What one verb is called with in a hostile home: `id` is a session's, `text` an enemy's. */
type Calls = (given: { id: string; text: string }) => readonly (readonly string[])[];

/**
 * Every verb there is. A new one has to be put in here, with what it is called with: else the first test below fails.
 * What it prints is checked for everything that steers a terminal, with and without one.
 */
const VERBS: Readonly<Record<string, Calls>> = {
  list: () => [["list"], ["list", "--wide"], ["list", "--json"], ["list", "--needs-me", "--sort", "cold"]],
  show: ({ id }) => [
    ["show", id],
    ["show", "--json", id],
  ],
  explain: ({ id }) => [
    ["explain", id],
    ["explain", "--json", id],
  ],
  focus: ({ id }) => [
    ["focus", id],
    ["focus", "--json", id],
  ],
  resume: ({ id }) => [
    ["resume", "--print", id],
    ["resume", id],
    ["resume", "--json", "--print", id],
  ],
  events: ({ id }) => [["events"], ["events", "--json"], ["events", id]],
  pause: ({ id }) => [
    ["pause", id],
    ["pause", "--all", "--json"],
    ["pause", "--restart", id],
  ],
  restart: ({ id }) => [["restart", id]],
  cancel: ({ id }) => [["cancel", id]],
  stop: ({ id }) => [
    ["stop", id],
    ["stop", "--json", id],
  ],
  send: ({ id, text }) => [["send", id, "--", `x${text}`]],
  status: () => [["status"], ["status", "--json"]],
  alfred: () => [["alfred"], ["alfred", "--needs-me"]],
  swiftbar: () => [["swiftbar"], ["swiftbar", "--count-unread"]],
  waybar: () => [
    ["waybar", "--title"],
    ["waybar", "--short", "--always"],
  ],
  tmux: () => [
    ["tmux", "--title"],
    ["tmux", "--short"],
  ],
  prompt: () => [
    ["prompt", "--title"],
    ...["bash", "zsh", "fish"].map((shell) => ["prompt", "--title", "--shell", shell]),
  ],
  read: ({ id }) => [
    ["read", id],
    ["read", "--all"],
    ["read", "--json", "--all"],
  ],
  unread: ({ id }) => [["unread", id]],
  setup: () => [
    ["setup", "claude", "--dry-run"],
    ["setup", "--remove", "--dry-run"],
  ],
  doctor: () => [["doctor"], ["doctor", "--json"]],
  monitoring: () => [
    ["monitoring", "pause"],
    ["monitoring", "resume"],
  ],
  help: ({ text }) => [["help"], ["help", text]],
  record: ({ text }) => [
    ["record", "claude", text, JSON.stringify({ session_id: text, prompt: text })],
    ["record", text, "Stop", text],
  ],
  signal: ({ text }) => [
    ["signal", "working", "--session", text, "--agent", text, "--event", text],
    ["signal", "status"],
    ["signal", "status", "--json"],
    ["signal", text],
  ],
};

/** What a verb prints for another program than a terminal, and what may stand in it besides. */
const FORMATS: Readonly<Record<string, (out: string, argv: readonly string[]) => void>> = {
  alfred: (out) => {
    expect(brokenTextsIn(JSON.parse(out))).toEqual([]);
    const { items }: { items: { arg?: string[] }[] } = JSON.parse(out);
    for (const { arg } of items)
      if (arg !== undefined)
        expect(arg.join("\n")).toMatch(/^(read\n--all|monitoring\n\w+|(focus|resume|read|pause)\n--\n[^]+)$/);
  },
  swiftbar: expectSwiftbar,
  waybar: (out) => {
    expect(out.trimEnd()).not.toContain("\n");
    const { text, tooltip }: { text: string; tooltip: string } = JSON.parse(out);
    for (const markup of [text, tooltip]) {
      const plain = markup.replace(/&(?:amp|lt|gt|quot|#39);/g, "").replace(/<\/?b>/g, "");
      expect(plain).not.toMatch(/[<>&]/);
    }
  },
  tmux: (out) => {
    const plain = out.replaceAll("##", "").replaceAll(/#\[(?:default|fg=[a-z]+(?:,bold)?)\]/g, "");
    expect(plain).not.toContain("#");
    expect(out.trimEnd()).not.toContain("\n");
  },
  prompt: (out, argv) => {
    expect(out.trimEnd()).not.toContain("\n");
    expect(out).not.toMatch(/[$`\\]/);
    const plain = argv.includes("zsh")
      ? out.replaceAll("%%", "").replace(/%(?:B|b|f|F\{(?:red|green|blue|magenta|yellow)\})/g, "")
      : out;
    if (!argv.includes("bash") && !argv.includes("fish")) expect(plain).not.toContain("%");
  },
  record: (out) => expect(out).toBe(""),
};

/** A line of SwiftBar: a title, `|`, and parameters that are names with values, bare or in quotes. */
function expectSwiftbar(out: string): void {
  const names = [
    "sfimage",
    "sfcolor",
    "tooltip",
    "bash",
    "terminal",
    "refresh",
    "alternate",
    "emojize",
    "symbolize",
    "ansi",
  ];
  for (const line of out.trimEnd().split("\n")) {
    if (line === "---") continue;
    const at = line.indexOf(" | ");
    expect(line.indexOf("|")).toBe(at + 1);
    const parameters = line.slice(at + 3);
    expect(parameters.replaceAll(/[a-z]+\d*=(?:"[^"\\|]*"|[^\s"\\|]+)(?: |$)/g, "")).toBe("");
    const words: string[] = [];
    for (const [, name = "", value = ""] of parameters.matchAll(/([a-z]+\d*)=("[^"]*"|\S+)/g)) {
      if (name.startsWith("param")) words.push(value.replace(/^"|"$/g, ""));
      else expect(names).toContain(name);
    }
    if (words.length === 0) continue;
    // SwiftBar hands them to a shell as they stand; the first is the command's own path.
    const shell = spawnSync("/bin/sh", ["-c", `printf '%s\\n' ${words.slice(1).join(" ")}`], { encoding: "utf8" });
    expect(shell.stdout.trimEnd().split("\n")).toEqual(words.slice(1));
  }
}

/** The colors of our own, as they stand in what a terminal gets; everything else of that kind is somebody else's. */
// eslint-disable-next-line no-control-regex
const COLORS = /\u001b\[(?:1|22|31|32|33|34|35|39|90|0|1;31)m/g;

/** bash's marks around a color, in a prompt. */
// eslint-disable-next-line no-control-regex
const MARKED_COLORS = /\u0001\u001b\[(?:1;31|32|33|34|35|0)m\u0002/g;

function ioOf(home: HostileHome, columns: number | undefined) {
  const { places, processes, environment, now } = home;
  const io = cliIo(places, {
    environment: { ...environment, NO_COLOR: undefined },
    processes,
    clock: () => now * 1000,
    ...(columns === undefined ? {} : { columns }),
  });
  const signalIo = (program: string): SignalIo => ({
    program,
    version: "0.0.0",
    stdout: io.stdout.write,
    stderr: io.stderr.write,
    readStdin: () => "",
    isTerminal: columns !== undefined,
    environment: io.environment,
    folder: home.user,
    pid: 1,
    now: () => now,
    uuid: () => "5e551011-0000-4000-8000-ffffffffffff",
  });
  return Object.assign(io, { signalIo } satisfies Partial<CliIo>);
}

/** Where the canary would be made. */
const folder = mkdtempSync(join(tmpdir(), "c"));
const canary = join(folder, "c");
const payloads = payloadsWith(canary);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The verbs as the program itself tells them. */
async function verbsOfProgram(): Promise<string[]> {
  const io = ioOf(new HostileHome(() => ""), undefined);
  await run(["--help"], io);
  const commands = io.out().split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "";
  return Array.from(commands.matchAll(/^ {2}([a-z]+)/gm), ([, name = ""]) => name);
}

test("every verb of the program is in the table", async () => {
  const verbs = await verbsOfProgram();
  expect(verbs.length).toBeGreaterThan(20);
  expect(Object.keys(VERBS).sort()).toEqual(verbs.sort());
});

test("what the parser of arguments says of one steers nothing", async () => {
  const home = new HostileHome(() => "");
  for (const argv of [
    ["show", "--\u001b[2J\u202e"],
    ["list", "--sort", "\u009bx"],
    ["\u001b]0;x\u0007"],
    ["list", "--state", "\u001b[2J"],
  ]) {
    await expectCalm(argv, home, undefined);
  }
});

test("a session with more beside it than a stack holds is shown", () => {
  const background = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`b${index}`, {}]));
  const text = detailText(sessionOf({ background }), 1_800_000_000, false);
  expect(text.split("\n").length).toBeGreaterThan(200_000);
});

/** Runs a command line, and checks whatever it prints. */
async function expectCalm(argv: readonly string[], home: HostileHome, columns: number | undefined): Promise<string> {
  const io = ioOf(home, columns);
  const code = await run(argv, io);
  expect([argv, [0, 1, 2, 3].includes(code)]).toEqual([argv, true]);
  for (const text of [io.out(), io.err()]) {
    // What is evaluated in a pipe has to be the folder's very name.
    const isEvaluated = argv[0] === "resume" && argv[1] === "--print" && columns === undefined;
    const fault = calmFault(text.replace(MARKED_COLORS, "").replace(COLORS, ""));
    if (isEvaluated && fault?.startsWith("U+20") === true) continue;
    if (fault !== undefined) throw new Error(`${JSON.stringify(argv)} printed ${fault}: ${JSON.stringify(text)}`);
  }
  FORMATS[argv[0] ?? ""]?.(io.out(), argv);
  return io.out();
}

/**
 * What came in at each place that shows is found again in what is told of its session: else nothing was tried there. What
 * is no text is left out, and a problem says so.
 */
async function expectFound(home: HostileHome): Promise<void> {
  const { sessions, problems, at } = await takeSnapshot(ioOf(home, undefined));
  for (const [index, name] of Object.keys(SHOWN).entries()) {
    const { id = "", text = "" } = home.put.get(name) ?? {};
    // Long ones are cut, and the mark with what is cut.
    if (text.length > 30 || text.trim() !== text) continue;
    const field = name.split(": ")[1] ?? "";
    const isNamed = problems.some(
      (each) => each.file.includes(id) || (each.file.includes("/.claude/") && each.field === field),
    );
    if (!text.isWellFormed() && isNamed) continue;
    const shown = sessions
      .filter(({ sessionId }) => sessionId === id || sessionId === text.toWellFormed())
      .map((session) => detailText(session, at, false));
    expect([name, text, shown.join("").includes(markOf(index))]).toEqual([name, text, true]);
  }
}

fuzz(
  "places × payloads × verbs",
  1,
  fc.record({ shift: fc.nat({ max: payloads.length - 1 }), isMarkedFirst: fc.boolean(), pick: fc.nat() }),
  async ({ shift, isMarkedFirst, pick }) => {
    const textAt = (index: number) => payloads[(index + shift) % payloads.length]?.[1] ?? "";
    const home = new HostileHome(textAt, isMarkedFirst);
    await expectFound(home);
    const sessions = Array.from(home.put.values());
    for (const [index, calls] of Object.values(VERBS).entries()) {
      // Each verb asks about another place's session, and is given another payload; with a terminal, or without one.
      const { id = "" } = sessions[(pick + index) % sessions.length] ?? {};
      for (const [nth, argv] of calls({ id, text: textAt(pick + index) }).entries()) {
        await expectCalm(argv, home, (pick + index + nth) % 2 === 0 ? undefined : 100);
      }
      // An enemy's text in the place of an id, as the program's own parser reads it.
      const verb = ["show", "explain", "focus", "unread", "cancel", "events"][index % 6] ?? "show";
      await expectCalm([verb, ...(index % 2 === 0 ? ["--"] : []), textAt(pick + 7 * index)], home, undefined);
    }
    expect(existsSync(canary)).toBe(false);
    rmSync(join(home.places.home, ".."), { recursive: true, force: true });
  },
  { limitMs: 60_000, shrinks: false },
);

test("what resume prints runs the agent in the very folder, and nothing else, in a real shell", async () => {
  const programs = join(folder, "programs");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, "claude"), `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@"\n`, { mode: 0o755 });
  const home = new HostileHome(() => "");
  const cwds = payloads.map(([, text], index) => {
    const name = text.slice(0, 60).replaceAll("/", "_").replaceAll("\0", "").toWellFormed();
    return join(folder, `w${index}`, name);
  });
  for (const [index, cwd] of cwds.entries()) home.status(`4f2e-${index}-x`, { state: "dormant", cwd });
  const entries = Array.from(cwds.entries());
  const tried = new Map([...part(entries, 3), ...entries.filter(([, cwd]) => calmFault(cwd) !== undefined)]);
  let ran = 0;
  for (const [index, cwd] of tried) {
    mkdirSync(cwd, { recursive: true });
    const argv = ["resume", "--print", `4f2e-${index}-x`];
    const io = ioOf(home, undefined);
    if ((await run(argv, io)) !== 0) {
      expect([cwd, calmFault(io.err()), io.err()]).toEqual([cwd, undefined, expect.stringMatching(/\S/)]);
      continue;
    }
    // On a terminal it shows what it does; in a pipe it is what is evaluated.
    const onTerminal = calmFault(cwd) === undefined ? "" : await expectCalm(argv, home, 100);
    expect(onTerminal).not.toBe(io.out());
    const shell = spawnSync("/bin/sh", ["-c", io.out().trimEnd()], {
      encoding: "utf8",
      env: { PATH: `${programs}:/usr/bin:/bin` },
    });
    expect(shell.stdout).toBe(`${cwd}\n--resume\n4f2e-${index}-x\n`);
    ran += 1;
  }
  expect(ran).toBeGreaterThan(extent(10, 20));
  expect(existsSync(canary)).toBe(false);
});
