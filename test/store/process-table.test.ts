import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import type { AgentProcess } from "../../src/session/report";
import { isRunning, parseStat, processDomain, startTicksOf, statOf } from "../../src/store/process-clock";
import { MachineProcesses } from "../../src/store/process-table";

const onLinux = process.platform === "linux" ? describe : describe.skip;

const started: ChildProcess[] = [];

async function sleeper(): Promise<number> {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  started.push(child);
  await once(child, "spawn");
  return child.pid ?? 0;
}

async function kill(pid: number): Promise<void> {
  const child = started.find((each) => each.pid === pid);
  const over = child === undefined ? undefined : once(child, "exit");
  child?.kill("SIGKILL");
  await over;
}

/** Waits for what Linux tells without saying when. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("it did not come to be");
}

afterAll(() => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
});

describe("the line of a process", () => {
  const rest = `S 620 1 1 0 -1 4194304 ${Array.from({ length: 12 }, (_, index) => index).join(" ")} 1131944 5871390720 53275`;

  test.each(["claude", "a b", "x) Z 1 (y", "", "(((", ")"])("with the name %j", (name) => {
    expect(parseStat(13582, `13582 (${name}) ${rest}`)).toEqual({
      pid: 13582,
      name,
      state: "S",
      parent: 620,
      startTicks: "1131944",
    });
  });

  test.each(["", "13582", "13582 (x", "13582 (x) S 1"])("%j is none", (line) => {
    expect(parseStat(13582, line)).toBeUndefined();
  });
});

onLinux("this machine's processes on Linux", () => {
  const now = () => Date.now() / 1000;

  test("this one runs, by the start that Linux tells in field 22", () => {
    const start = readFileSync("/proc/self/stat", "latin1").replace(/^.*\)/s, "x x").split(" ")[21];
    expect(startTicksOf(process.pid)).toBe(start);
    const look = (noted: Partial<AgentProcess>) =>
      new MachineProcesses().look({ pid: process.pid, knownAt: now(), ...noted });
    expect(look({})).toBe("running");
    expect(look({ start })).toBe("running");
    expect(look({ start, knownAt: 0 })).toBe("running");
    expect(look({ start: String(Number(start) - 1) })).toBe("gone");
    expect(look({ knownAt: now() - process.uptime() - 3600 })).toBe("gone");
  });

  test("one that was killed is gone, at once", async () => {
    const pid = await sleeper();
    const start = startTicksOf(pid);
    const processes = new MachineProcesses();
    expect(processes.look({ pid, knownAt: now(), start })).toBe("running");
    await kill(pid);
    expect(processes.look({ pid, knownAt: now(), start })).toBe("gone");
  });

  test("a number that another process has by now is not the session's", async () => {
    const [first, second] = [await sleeper(), await sleeper()];
    const noted = { pid: second, knownAt: now(), start: String(Number(startTicksOf(first)) - 500) };
    expect(new MachineProcesses().look(noted)).toBe("gone");
  });

  test("one that has ended and whose parent took no note is gone", async () => {
    // The shell becomes a sleep, which waits for no child.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    started.push(parent);
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    const start = startTicksOf(pid);
    let clock = Date.now();
    const processes = new MachineProcesses({ clock: () => clock });
    expect(processes.look({ pid, knownAt: now(), start })).toBe("running");
    await until(() => statOf(parent.pid ?? 0)?.name === "sleep");
    process.kill(pid, "SIGKILL");
    await until(() => statOf(pid)?.state === "Z");
    expect(isRunning(pid)).toBe(false);
    expect(new MachineProcesses().look({ pid, knownAt: now(), start })).toBe("gone");
    // What was read of it a moment ago holds for two seconds.
    clock += 2_000;
    expect(processes.look({ pid, knownAt: now(), start })).toBe("gone");
    expect(processes.childrenOf(parent.pid ?? 0)).toEqual([]);
  });

  test("a number of another container or machine tells nothing here", () => {
    const look = (domain: string) => new MachineProcesses().look({ pid: process.pid, knownAt: now(), domain });
    expect(look(processDomain() ?? "")).toBe("running");
    expect(look("linux:0123456789abcdef0123456789abcdef:pid:[4026531836]")).toBe("unknown");
    expect(look("darwin")).toBe("unknown");
    expect(processDomain()).toMatch(/^linux:/);
    expect(processDomain()?.endsWith(readlinkSync("/proc/self/ns/pid"))).toBe(true);
  });

  test.each(["Mon Nov 30 10:37:20 2026", "134098765432109876", ""])(
    "a start as another system spells it (%j) tells nothing here",
    (start) => {
      expect(new MachineProcesses().look({ pid: process.pid, knownAt: now(), start })).toBe("unknown");
    },
  );

  test.each([0, -1, 1.5, NaN, 2 ** 31, 2 ** 40])("%d is no process's number", (pid) => {
    expect(new MachineProcesses().look({ pid, knownAt: now() })).toBe("unknown");
  });

  test("knows parents, children and command lines", async () => {
    const pid = await sleeper();
    const processes = new MachineProcesses();
    expect(processes.parentOf(pid)).toBe(process.pid);
    expect(processes.childrenOf(process.pid)).toContain(pid);
    expect(processes.argumentsOf(pid)).toEqual(["sleep", "60"]);
    expect(processes.parentOf(1)).toBeUndefined();
    await kill(pid);
    expect(processes.parentOf(pid)).toBeUndefined();
    expect(processes.childrenOf(process.pid)).not.toContain(pid);
    expect(processes.argumentsOf(pid)).toBeUndefined();
  });

  test("starts no process to know them", async () => {
    const processes = new MachineProcesses({ run: () => Promise.reject(new Error("must not run")) });
    await processes.refresh();
    expect(processes.problem).toBeUndefined();
  });

  test("200 looks within a second or two of the last cost little", () => {
    const processes = new MachineProcesses();
    const noted = { pid: process.pid, knownAt: now(), start: startTicksOf(process.pid) };
    processes.look(noted);
    const rounds = Array.from({ length: 20 }, () => {
      const begun = process.hrtime.bigint();
      for (let index = 0; index < 200; index += 1) processes.look(noted);
      return Number(process.hrtime.bigint() - begun) / 1e6;
    });
    // The best round: the machine may be busy with something else. Reading all anew takes some four milliseconds.
    expect(Math.min(...rounds)).toBeLessThan(2);
  });
});

/** Noon of the day on which the recorded processes started. */
const NOON = Date.UTC(2026, 10, 30, 12) / 1000;

const MAC = `  501     1 S    Mon Nov 30 09:12:44 2026     /Applications/iTerm.app/Contents/MacOS/iTerm2
13582   501 S+   Mon Nov 30 10:37:20 2026     claude --resume x
13590 13582 Z    Mon Nov 30 10:37:21 2026     (sh)
`;

/** A machine whose list of processes is told, with a clock of its own. */
function machine(platform: NodeJS.Platform, output: string | Error = MAC) {
  const seen = { now: NOON * 1000, runs: 0, output, dead: new Set<number>() };
  const processes = new MachineProcesses({
    platform,
    clock: () => seen.now,
    isThere: (pid) => !seen.dead.has(pid),
    run: () => {
      seen.runs += 1;
      return typeof seen.output === "string" ? Promise.resolve(seen.output) : Promise.reject(seen.output);
    },
  });
  return { processes, seen };
}

const CLAUDE = { pid: 13582, knownAt: Date.UTC(2026, 10, 30, 10, 37, 21) / 1000, start: "Mon Nov 30 10:37:20 2026" };

describe("this machine's processes where they are listed at once", () => {
  test("before there is a list nothing is known of a number in use; one that nobody has is gone", () => {
    const { processes, seen } = machine("darwin");
    expect(processes.look(CLAUDE)).toBe("unknown");
    expect(processes.parentOf(13582)).toBeUndefined();
    expect(processes.argumentsOf(13582)).toBeUndefined();
    expect(processes.childrenOf(501)).toEqual([]);
    seen.dead.add(13582);
    expect(processes.look(CLAUDE)).toBe("gone");
  });

  test.each<[what: string, noted: Partial<AgentProcess>, answer: string]>([
    ["the same start", {}, "running"],
    ["the same start, padded as ps does", { start: "Mon Nov 30  10:37:20 2026\n" }, "running"],
    ["a start one second off, as ps may reckon", { start: "Mon Nov 30 10:37:21 2026" }, "running"],
    ["an earlier start", { start: "Mon Nov 30 10:30:07 2026" }, "gone"],
    ["a start of another day", { start: "Sun Nov 29 10:37:20 2026" }, "gone"],
    ["a start in another time zone, known since", { start: "Mon Nov 30 11:37:20 2026" }, "running"],
    ["a start in another time zone, known before", { start: "Mon Nov 30 05:07:20 2026", knownAt: NOON - 8000 }, "gone"],
    ["a start in another language, known since", { start: "lun. 30 nov. 10:37:20 2026" }, "running"],
    ["no start, known since", { start: undefined }, "running"],
    ["no start, known before", { start: undefined, knownAt: CLAUDE.knownAt - 60 }, "gone"],
    ["a start as Linux counts it", { start: "1131944" }, "unknown"],
    ["a number of a Linux container", { domain: "linux:abc:pid:[4026532000]" }, "unknown"],
    ["a number of this machine", { domain: "darwin" }, "running"],
    ["a number that is not listed", { pid: 777 }, "unknown"],
    ["one that has ended", { pid: 13590, start: "Mon Nov 30 10:37:21 2026" }, "gone"],
    ["one known only after the list", { start: "Mon Nov 30 10:30:07 2026", knownAt: NOON + 1 }, "unknown"],
  ])("%s", async (_what, noted, answer) => {
    const { processes } = machine("darwin");
    await processes.refresh();
    expect(processes.look({ ...CLAUDE, ...noted })).toBe(answer);
  });

  test("an old list never says gone", async () => {
    const { processes, seen } = machine("darwin");
    await processes.refresh();
    const other = { ...CLAUDE, start: "Mon Nov 30 10:30:07 2026" };
    const ended = { ...CLAUDE, pid: 13590 };
    expect([processes.look(other), processes.look(ended)]).toEqual(["gone", "gone"]);
    seen.now += 60_000;
    expect([processes.look(other), processes.look(ended)]).toEqual(["unknown", "unknown"]);
    expect(processes.look(CLAUDE)).toBe("running");
  });

  test("knows parents, children and command lines from the list", async () => {
    const { processes } = machine("darwin");
    await processes.refresh();
    expect(processes.parentOf(13582)).toBe(501);
    expect(processes.childrenOf(501)).toEqual([13582]);
    expect(processes.argumentsOf(13582)).toEqual(["claude", "--resume", "x"]);
  });

  test("is listed once for all who ask meanwhile, and not again within two seconds", async () => {
    const { processes, seen } = machine("darwin");
    await Promise.all([processes.refresh(), processes.refresh()]);
    await processes.refresh();
    expect(seen.runs).toBe(1);
    seen.now += 2_000;
    await processes.refresh();
    expect(seen.runs).toBe(2);
  });

  test("a list that fails is no error: the last one stays, the reason is kept, and it rests", async () => {
    const { processes, seen } = machine("darwin");
    await processes.refresh();
    seen.output = new Error("Resource temporarily unavailable");
    seen.now += 5_000;
    await processes.refresh();
    expect(processes.problem).toMatch(/Resource temporarily unavailable/);
    expect(processes.look(CLAUDE)).toBe("running");
    seen.now += 5_000;
    await processes.refresh();
    expect(seen.runs).toBe(2);
    seen.output = MAC;
    seen.now += 30_000;
    await processes.refresh();
    expect(seen.runs).toBe(3);
    expect(processes.problem).toBeUndefined();
  });

  test.each([
    ["nothing", ""],
    ["what is not understood", "PID TT STAT\n"],
  ])("a list of %s counts as failed", async (_what, output) => {
    const { processes } = machine("darwin", output);
    await processes.refresh();
    expect(processes.problem).toBeDefined();
    expect(processes.look(CLAUDE)).toBe("unknown");
  });

  describe("on Windows", () => {
    const file = 11_644_473_600n * 10_000_000n + BigInt(NOON - 60) * 10_000_000n + 1_234_560n;
    const output = JSON.stringify([
      {
        ProcessId: 4711,
        ParentProcessId: 8,
        CreationDate: String(file),
        Name: "claude.exe",
        CommandLine: "claude.exe -c",
      },
    ]);

    test.each<[what: string, start: string | undefined, answer: string]>([
      ["the file time, with the digit that the list does not have", String(file + 7n), "running"],
      ["the same in ticks since the year 1", String(file + 7n + 504_911_232_000_000_000n), "running"],
      ["another file time", String(file - 10_000_000n), "gone"],
      ["no start", undefined, "running"],
      ["a start as ps spells it", "Mon Nov 30 10:37:20 2026", "unknown"],
    ])("%s", async (_what, start, answer) => {
      const { processes } = machine("win32", output);
      await processes.refresh();
      expect(processes.look({ pid: 4711, knownAt: NOON - 50, start })).toBe(answer);
    });
  });
});
