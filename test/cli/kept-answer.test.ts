import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { snapshotSchema } from "../../src/cli/snapshot-schema";
import { stillHold, userNow, type Premises } from "../../src/cli/kept/premises";
import { startTicksOf } from "../../src/store/process-clock";
import type { Places } from "../../src/store/places";
import { environmentOf } from "../environment";
import { scratchFolder, scratchPlaces } from "../scratch";

const BUILT = resolve(__dirname, "../../build");
const RECORD = resolve(__dirname, "../../assets/bin/record");
const SHIFTED = join(__dirname, "shifted-clock.js");

const built = existsSync(join(BUILT, "agent-sessions.js")) ? describe : describe.skip;

/** Only root can give files away. */
const isRoot = process.getuid?.() === 0;

/** What is at rest by then, in milliseconds from now. */
const AT_REST = 20_000;

/** A session that Claude's registry has, with a process, a transcript and a status file. */
class Machine {
  readonly places: Places = scratchPlaces();
  readonly user = scratchFolder();
  /** A copy, since another build may replace the command while the test runs. */
  readonly command = join(scratchFolder(), "build", "agent-sessions.js");
  readonly environment: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    ...environmentOf(this.places),
    HOME: this.user,
  };
  private readonly agent: ChildProcess = spawn("sleep", ["600"], { stdio: "ignore" });
  readonly transcript = join(this.user, ".claude", "projects", "-w", `${SESSION}.jsonl`);

  constructor() {
    cpSync(BUILT, join(this.command, ".."), { recursive: true });
    mkdirSync(join(this.user, ".claude", "sessions"), { recursive: true });
    mkdirSync(join(this.transcript, ".."), { recursive: true });
    this.write(this.transcript, `${JSON.stringify({ type: "summary", summary: "The first title" })}\n`);
    this.write(this.registered, JSON.stringify({ ...this.entry, status: "idle" }));
    this.write(this.status("told"), statusOf("told", "idle"));
  }

  get registered(): string {
    return join(this.user, ".claude", "sessions", `${this.agent.pid}.json`);
  }

  get entry() {
    const at = Date.now() - 60_000;
    const procStart = startTicksOf(this.agent.pid ?? 0);
    return { pid: this.agent.pid, procStart, sessionId: SESSION, cwd: "/w", startedAt: at, statusUpdatedAt: at };
  }

  status(id: string): string {
    return join(this.places.statusDirectory, `${id}.json`);
  }

  write(file: string, text: string): void {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }

  /** Runs the command. */
  run({ argv = LIST, ahead = AT_REST, extra = {} }: Partial<{ argv: string[]; ahead: number; extra: object }> = {}) {
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--require", SHIFTED, this.command, ...argv], {
      env: { ...this.environment, CLOCK_SHIFT: String(ahead), ...extra },
      encoding: "utf8",
    });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    return stdout;
  }

  kept(name = "list-json"): string {
    return join(this.places.home, "cache", `answer-${name}`);
  }

  /** Runs until an answer is kept: the whole program first, then the quick one. */
  rest(argv = LIST, name = "list-json"): void {
    this.run({ argv });
    this.run({ argv });
    expect(existsSync(this.kept(name))).toBe(true);
  }

  /** Whether a run prints the kept answer: it says what no file does. */
  printsKept(how: Parameters<Machine["run"]>[0] = {}): boolean {
    const file = this.kept();
    const text = readFileSync(file, "latin1");
    writeFileSync(file, text.replace('"agent":"codex"', '"agent":"c~dex"'), "latin1");
    const prints = this.run(how).includes('"agent":"c~dex"');
    if (prints) writeFileSync(file, text, "latin1");
    return prints;
  }

  /** Ends the agent's process. */
  async end(): Promise<void> {
    if (this.agent.exitCode !== null || this.agent.signalCode !== null) return;
    this.agent.kill("SIGKILL");
    await once(this.agent, "exit");
  }
}

const LIST = ["list", "--json"];
const SESSION = "5f6b6a3e-93a5-4d2e-8a4c-0c7e4f3a1b2c";

function statusOf(id: string, state: string): string {
  return JSON.stringify({ session_id: id, agent: "codex", state, ts: Date.now() / 1000 - 100, cwd: "/w" });
}

let machines: Machine[] = [];

function machine(): Machine {
  const made = new Machine();
  machines.push(made);
  return made;
}

afterEach(async () => {
  for (const each of machines) await each.end();
  machines = [];
});

function parsed(text: string) {
  const list = snapshotSchema.parse(JSON.parse(text));
  return {
    ...list,
    generated_at: "",
    sessions: list.sessions.map((session) => ({ ...session, age_seconds: 0 })),
  };
}

built("the kept answer", () => {
  test("is printed again while everything is as it was, with the ages of then", () => {
    const each = machine();
    each.rest();
    const before = snapshotSchema.parse(JSON.parse(each.run()));
    expect(each.printsKept()).toBe(true);
    const later = snapshotSchema.parse(JSON.parse(each.run({ ahead: AT_REST + 30_000 })));
    const seconds = (Date.parse(later.generated_at) - Date.parse(before.generated_at)) / 1000;
    expect(Math.abs(seconds - 30)).toBeLessThan(10);
    for (const [index, session] of later.sessions.entries()) {
      const grown = session.age_seconds - (before.sessions[index]?.age_seconds ?? 0);
      expect(Math.abs(grown - seconds)).toBeLessThanOrEqual(1);
    }
    expect(statSync(each.kept()).mode & 0o777).toBe(0o600);
  });

  test("is kept where one of many files changed since the cache was written", () => {
    const each = machine();
    for (let n = 0; n < 150; n += 1) each.write(each.status(`s${n}`), statusOf(`s${n}`, "idle"));
    each.run();
    each.write(each.status("s7"), statusOf("s7", "waiting"));
    each.rest();
    expect(each.printsKept()).toBe(true);
  });

  test("is not kept while something changed a moment ago", () => {
    const each = machine();
    each.run({ ahead: 0 });
    each.run({ ahead: 0 });
    expect(existsSync(each.kept())).toBe(false);
  });

  test("holds a minute at most", () => {
    const each = machine();
    each.rest();
    expect(each.printsKept({ ahead: AT_REST + 65_000 })).toBe(false);
  });

  test("does not hold before it was given: the clock was set back", () => {
    const each = machine();
    each.rest();
    expect(each.printsKept({ ahead: AT_REST - 15_000 })).toBe(false);
  });

  test("is not kept over a moment at which time alone changes something", () => {
    const each = machine();
    // Its wake-up is overdue (120 s of grace) within the minute: by then the state is another.
    const wakeup = { session_id: "woken", state: "scheduled", ts: Date.now() / 1000 - 900, cwd: "/w" };
    each.write(each.status("woken"), JSON.stringify({ ...wakeup, wakeup_at: (Date.now() + AT_REST) / 1000 - 90 }));
    each.run();
    const [now] = [each.run(), each.run()];
    const then = each.run({ ahead: AT_REST + 45_000 });
    const stateOf = (text: string) => parsed(text).sessions.find(({ session_id }) => session_id === "woken")?.state;
    expect(stateOf(now)).toBe("scheduled");
    expect(stateOf(then)).not.toBe("scheduled");
  });

  test.each(["status --json", "tmux", "prompt --short"])("%s is kept as well", (words) => {
    const each = machine();
    each.write(each.status("asks"), statusOf("asks", "waiting"));
    const argv = words.split(" ");
    const name = words.replace(" --", "-");
    each.rest(argv, name);
    const kept = readFileSync(each.kept(name), "utf8");
    const answer = each.run({ argv });
    expect(kept.slice(kept.indexOf("\n") + 1)).toBe(answer);
    writeFileSync(each.kept(name), `${kept}~`);
    expect(each.run({ argv })).toBe(`${answer}~`);
  });

  test.each(["list", "list --json --state idle", "status", "tmux --title", "show told --json"])(
    "%s is not",
    (words) => {
      const each = machine();
      each.run({ argv: words.split(" ") });
      each.run({ argv: words.split(" ") });
      expect(readFolder(join(each.places.home, "cache")).filter((name) => name.startsWith("answer"))).toEqual([]);
    },
  );

  const changes: Record<string, (each: Machine) => void | Promise<void>> = {
    "a status file is replaced": (each) => each.write(each.status("told"), statusOf("told", "waiting")),
    "a status file is written in place": (each) => writeFileSync(each.status("told"), statusOf("told", "failed")),
    "a status file is new": (each) => each.write(each.status("new"), statusOf("new", "working")),
    "a status file is gone": (each) => rmSync(each.status("told")),
    ...(isRoot && {
      "a status file's owner is another": (each: Machine) => void spawnSync("chown", ["12345", each.status("told")]),
    }),
    "the process ended": (each) => each.end(),
    "the registry has another status": (each) =>
      each.write(each.registered, JSON.stringify({ ...each.entry, status: "busy" })),
    "the transcript goes on": (each) =>
      appendFileSync(each.transcript, `${JSON.stringify({ type: "custom-title", customTitle: "Another title" })}\n`),
    "an event waits": (each) => {
      spawnSync("/bin/sh", [RECORD, "claude", "Stop"], {
        input: JSON.stringify({ session_id: SESSION, hook_event_name: "Stop" }),
        env: each.environment,
      });
    },
    "an answer is marked as read": (each) => {
      each.write(
        each.status("told"),
        JSON.stringify({ ...JSON.parse(statusOf("told", "done")), done_at: Date.now() / 1000 }),
      );
      each.run();
      each.rest();
      each.run({ argv: ["read", "--all"] });
    },
    "monitoring is paused": (each) => void each.run({ argv: ["monitoring", "pause"] }),
    "the signal document is there": (each) => {
      const at = new Date(Date.now() - 30_000).toISOString();
      const sessions = { s9: { signal: "permission", agent: "gemini", updated_at: at } };
      mkdirSync(join(each.places.signalStateFile, ".."), { recursive: true });
      each.write(each.places.signalStateFile, JSON.stringify({ schema_version: 1, updated_at: at, sessions }));
    },
    "a session has the plugin": (each) => {
      mkdirSync(join(each.places.home, "plugin"), { mode: 0o700 });
      each.write(
        join(each.places.home, "plugin", `${SESSION}.json`),
        JSON.stringify({ version: 1, at: 1, pickup: "go on", file: "/w/m.md" }),
      );
    },
  };

  test.each(Object.keys(changes))("is not printed after a change: %s", async (name) => {
    const each = machine();
    each.rest();
    const before = parsed(each.run());
    await changes[name]?.(each);
    const after = parsed(each.run());
    expect(after).not.toEqual(before);
    rmSync(each.kept(), { force: true });
    expect(after).toEqual(parsed(each.run()));
  });

  test("is not printed in another environment", () => {
    const each = machine();
    each.rest();
    const elsewhere = scratchFolder();
    expect(parsed(each.run({ extra: { AGENT_SESSIONS_STATUS_DIR: elsewhere } })).sessions).toHaveLength(1);
    each.rest();
    expect(each.printsKept({ extra: { AGENT_SIGNAL_LANG: "zh" } })).toBe(false);
    each.rest();
    expect(each.printsKept({ extra: { EDITOR: "vi", PWD: "/elsewhere" } })).toBe(true);
  });

  test("is not printed by another version of the program", () => {
    const each = machine();
    each.rest();
    each.write(each.command, readFileSync(each.command, "utf8"));
    expect(each.printsKept()).toBe(false);
  });

  test.each([
    ["is half", (text: string) => text.slice(0, 200)],
    ["is empty", () => ""],
    ["is of another version", (text: string) => text.replace('{"version":1', '{"version":0')],
    ["has no premises", (text: string) => text.replace('"premises":{', '"premises":null,"x":{')],
    ["has broken files", (text: string) => text.replace('"files":[[', '"files":[7,[')],
  ])("counts as none when it %s", (_name, damage) => {
    const each = machine();
    each.rest();
    const answer = parsed(each.run());
    writeFileSync(each.kept(), damage(readFileSync(each.kept(), "utf8")));
    expect(parsed(each.run())).toEqual(answer);
  });

  (isRoot ? test : test.skip)("is read from a file of the user's own, in a folder of the user's own, alone", () => {
    const each = machine();
    each.rest();
    const kept = readFileSync(each.kept());
    rmSync(each.kept());
    writeFileSync(join(each.user, "elsewhere"), kept);
    spawnSync("ln", ["-s", join(each.user, "elsewhere"), each.kept()]);
    expect(each.printsKept()).toBe(false);
    rmSync(each.kept());
    writeFileSync(each.kept(), kept);
    spawnSync("chown", ["12345", each.kept()]);
    expect(each.printsKept()).toBe(false);
    for (const folder of [join(each.places.home, "cache"), each.places.home]) {
      rmSync(each.kept(), { force: true });
      each.rest();
      expect(each.printsKept()).toBe(true);
      spawnSync("chown", ["12345", folder]);
      expect(each.printsKept()).toBe(false);
      spawnSync("chown", [String(process.getuid?.()), folder]);
    }
  });
});

function readFolder(folder: string): string[] {
  return existsSync(folder) ? spawnSync("ls", [folder], { encoding: "utf8" }).stdout.split("\n") : [];
}

describe("premises", () => {
  const none: Premises = { files: [], processes: [], numbers: [], locks: null, environment: [], user: userNow() };

  test("hold for a number of a process as long as there is one with it", async () => {
    const child = spawn("sleep", ["600"], { stdio: "ignore" });
    const premises = { ...none, numbers: [[child.pid ?? 0, true]] as Premises["numbers"] };
    expect(stillHold(premises, {})).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(stillHold(premises, {})).toBe(false);
  });

  test("do not hold for a process whose number another has now, nor for another user", () => {
    const start = startTicksOf(process.pid);
    const ofStart = (ticks: string) => ({ ...none, processes: [[process.pid, ticks]] as Premises["processes"] });
    if (start !== undefined) expect(stillHold(ofStart(start), {})).toBe(true);
    expect(stillHold(ofStart("1"), {})).toBe(false);
    expect(stillHold({ ...none, user: 12345 }, {})).toBe(false);
  });

  test("do not hold when another lock is taken", () => {
    expect(stillHold({ ...none, locks: " FLOCK  ADVISORY  WRITE 1 00:00:1 0 EOF" }, {})).toBe(false);
  });
});
