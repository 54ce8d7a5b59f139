import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { claudeRegistry } from "../../src/agents/claude/registry";
import { codexRegistry, decodeCodexLock } from "../../src/agents/codex/registry";
import { decodeClaudeRegistry } from "../../src/files/claude-registry";
import { chooseLive } from "../../src/session/live-choice";
import type { AgentProcess } from "../../src/session/report";
import { judgeByLock, judgeByProcess } from "../../src/store/live-judges";
import { LiveRegistry, REGISTRY_LIMIT, type LiveSource } from "../../src/store/live-registry";
import type { LockHolders } from "../../src/store/lock-holders";
import { ParseCache } from "../../src/store/parse-cache";
import { startTicksOf } from "../../src/store/process-clock";
import { MachineProcesses, type Liveness, type ProcessTable } from "../../src/store/process-table";
import { scratchFolder } from "../scratch";

/** A process table whose answers are told. */
class ToldProcesses implements ProcessTable {
  readonly answers = new Map<number, Liveness>();
  readonly asked: AgentProcess[] = [];

  look(noted: AgentProcess): Liveness {
    this.asked.push(noted);
    return this.answers.get(noted.pid) ?? "running";
  }
}

/** A configuration folder with a registry in it. */
class Config {
  readonly folder = scratchFolder();
  readonly place = claudeRegistry(this.folder);
  readonly processes = new ToldProcesses();
  decoded = 0;

  constructor() {
    mkdirSync(this.place.path);
  }

  registry(processes: ProcessTable = this.processes): LiveRegistry {
    const source: LiveSource = {
      ...this.place,
      decode: (text, name) => {
        this.decoded += 1;
        return decodeClaudeRegistry(text, name, this.folder);
      },
      judge: judgeByProcess(processes),
    };
    return new LiveRegistry(source);
  }

  file(name: string | number): string {
    return join(this.place.path, typeof name === "number" ? `${name}.json` : name);
  }

  /** Writes an entry as it was written half a minute ago: no read is suspicious of it. */
  write(pid: number, fields: Record<string, unknown> = {}): string {
    return this.writeText(pid, JSON.stringify({ pid, sessionId: `session-${pid}`, status: "idle", ...fields }));
  }

  writeText(pid: number, text: string): string {
    writeFileSync(this.file(pid), text);
    this.writes += 1;
    const at = Date.now() / 1000 - 30 + this.writes / 1000;
    utimesSync(this.file(pid), at, at);
    return this.file(pid);
  }

  private writes = 0;
}

/** A clock some seconds on: the files' changes lie before its tick. */
const later = () => Date.now() + 5_000;

const rowsOf = (registry: LiveRegistry) => Array.from(registry.rows());

const idsOf = (registry: LiveRegistry) =>
  rowsOf(registry)
    .map(({ entry }) => entry.sessionId)
    .sort();

describe("a look at a registry", () => {
  test("gives its entries with their files, and whether their processes run", () => {
    const config = new Config();
    const file = config.write(11, { procStart: "5", pidDomain: "here", startedAt: 1000 });
    config.write(12);
    config.processes.answers.set(12, "gone");
    const registry = config.registry();
    const now = later();
    expect(registry.look(now)).toEqual({ changed: true, parsed: 2 });
    expect(rowsOf(registry)).toContainEqual({
      entry: expect.objectContaining({
        agent: "claude",
        sessionId: "session-11",
        pid: 11,
        configDirectory: config.folder,
      }),
      file,
      stamp: expect.any(Array),
      readAt: now / 1000,
      liveness: "running",
    });
    expect(
      rowsOf(registry)
        .map(({ entry, liveness }) => [entry.pid, liveness])
        .sort(),
    ).toEqual([
      [11, "running"],
      [12, "gone"],
    ]);
    expect(config.processes.asked).toContainEqual({ pid: 11, knownAt: 1, start: "5", domain: "here" });
    expect(registry.exists).toBe(true);
    expect(registry.problems()).toEqual([]);
  });

  test("reads only what changed", () => {
    const config = new Config();
    for (const pid of [11, 12, 13]) config.write(pid);
    const registry = config.registry();
    registry.look(later());
    expect(registry.look(later())).toEqual({ changed: false, parsed: 0 });
    config.write(12, { status: "waiting", waitingFor: "permission prompt" });
    expect(registry.look(later())).toEqual({ changed: true, parsed: 1 });
    expect(rowsOf(registry).map(({ entry }) => entry.waitingFor)).toContain("permission prompt");
  });

  test("told which file changed, leaves the others alone", () => {
    const config = new Config();
    for (const pid of [11, 12]) config.write(pid);
    const registry = config.registry();
    registry.look(later());
    config.write(11, { status: "busy" });
    config.write(12, { status: "busy" });
    expect(registry.look(later(), ["/elsewhere/11.json", config.file("11.hash.key")])).toEqual({
      changed: false,
      parsed: 0,
    });
    expect(registry.look(later(), [config.file(11)]).parsed).toBe(1);
    expect(registry.look(later(), [config.place.path]).parsed).toBe(1);
  });

  test("that a process ended is a change, without a change of any file", () => {
    const config = new Config();
    config.write(11);
    const registry = config.registry();
    registry.look(later());
    config.processes.answers.set(11, "gone");
    expect(registry.look(later())).toEqual({ changed: true, parsed: 0 });
    expect(rowsOf(registry)[0]?.liveness).toBe("gone");
  });

  test("an entry without a start is judged by when it was written, one without a number not at all", () => {
    const config = new Config();
    const file = config.write(11);
    config.writeText(12, '{"sessionId":"no-number","pid":99}');
    const registry = config.registry();
    registry.look(later());
    const writtenAt = rowsOf(registry).find((row) => row.file === file)?.stamp[0] ?? 0;
    expect(config.processes.asked).toEqual([{ pid: 11, knownAt: writtenAt / 1000 }]);
    expect(rowsOf(registry).find(({ entry }) => entry.sessionId === "no-number")?.liveness).toBe("unknown");
  });

  test("a file read within the clock tick of its change is read again", () => {
    const config = new Config();
    writeFileSync(config.file(11), '{"sessionId":"s"}');
    const registry = config.registry();
    const now = Date.now();
    registry.look(now);
    expect(registry.look(now).parsed).toBe(1);
    registry.look(now + 60_000);
    expect(registry.look(now + 60_000).parsed).toBe(0);
  });

  test("what lies beside the entries is none", () => {
    const config = new Config();
    config.write(11);
    for (const name of [
      "11.b0c0.key",
      "x.json",
      "._11.json",
      "011.json",
      "0.json",
      "11.json.tmp",
      "99999999999.json",
    ]) {
      writeFileSync(config.file(name), "{}");
    }
    const registry = config.registry();
    expect(registry.look(later()).parsed).toBe(1);
    expect(registry.problems()).toEqual([]);
  });

  test("several entries of one session are all there; the one that counts is the open terminal's", () => {
    const config = new Config();
    config.write(11, { sessionId: "s", entrypoint: "cli", updatedAt: 1000 });
    config.write(12, { sessionId: "s", entrypoint: "sdk-cli", updatedAt: 9000 });
    config.write(13, { sessionId: "s", entrypoint: "cli", updatedAt: 8000 });
    config.processes.answers.set(13, "gone");
    const registry = config.registry();
    registry.look(later());
    expect(rowsOf(registry)).toHaveLength(3);
    expect(chooseLive(rowsOf(registry))?.entry.pid).toBe(11);
  });
});

describe("an entry that cannot be read", () => {
  test("keeps its last good version, says since when, and is tried again while it is young", () => {
    const config = new Config();
    const file = config.write(11, { status: "busy" });
    const registry = config.registry();
    registry.look(later());
    writeFileSync(file, '{"sessionId":"session-11","sta');
    const now = Date.now() + 5;
    expect(registry.look(now).retryIn).toBeGreaterThan(0);
    expect(rowsOf(registry)).toMatchObject([
      { entry: { sessionId: "session-11", status: "busy" }, unreadableSince: now / 1000, liveness: "running" },
    ]);
    expect(registry.problems()).toMatchObject([{ file, outcome: "unreadable" }]);
    registry.look(now + 1_000);
    expect(rowsOf(registry)[0]?.unreadableSince).toBe(now / 1000);
    expect(registry.look(now + 60_000).retryIn).toBeUndefined();
    config.write(11, { status: "idle" });
    registry.look(later());
    expect(rowsOf(registry)[0]).not.toHaveProperty("unreadableSince");
    expect(registry.problems()).toEqual([]);
  });

  test("that was never good is a problem and no session", () => {
    const config = new Config();
    const file = config.writeText(11, "{}");
    const registry = config.registry();
    registry.look(later());
    expect(rowsOf(registry)).toEqual([]);
    expect(registry.problems()).toEqual([{ file, field: "sessionId", reason: "is missing", outcome: "refused" }]);
  });

  test("costs one field when only that is wrong, and is named", () => {
    const config = new Config();
    const file = config.write(11, { cwd: 5 });
    const registry = config.registry();
    registry.look(later());
    expect(idsOf(registry)).toEqual(["session-11"]);
    expect(registry.problems()).toMatchObject([{ file, field: "cwd", outcome: "repaired" }]);
  });

  test("whatever stands in an entry's place, a look ends, names it, and reads the others", () => {
    const config = new Config();
    const good = config.write(11);
    mkdirSync(config.file(12));
    symlinkSync(good, config.file(13));
    symlinkSync("/nowhere", config.file(14));
    execFileSync("mkfifo", [config.file(15)]);
    config.writeText(16, `{"sessionId":"s","more":"${"x".repeat(70_000)}"}`);
    symlinkSync("/dev/zero", config.file(17));
    const registry = config.registry();
    registry.look(later());
    expect(idsOf(registry)).toEqual(["session-11"]);
    expect(
      registry
        .problems()
        .map(({ file }) => file)
        .sort(),
    ).toEqual([12, 13, 14, 15, 16, 17].map((pid) => config.file(pid)));
    expect(registry.problems().every(({ outcome }) => outcome === "refused")).toBe(true);
  });

  const isRoot = process.getuid?.() === 0;

  (isRoot ? test : test.skip)("of another user is refused, and so is another user's folder (needs root)", () => {
    const config = new Config();
    const file = config.write(11);
    config.write(12);
    chownSync(file, 65534, 65534);
    const registry = config.registry();
    registry.look(later());
    expect(idsOf(registry)).toEqual(["session-12"]);
    expect(registry.problems()).toEqual([{ file, reason: "belongs to another user", outcome: "refused" }]);
    chownSync(config.place.path, 65534, 65534);
    // Told of one file only, too.
    expect(registry.look(later(), [config.file(12)]).changed).toBe(true);
    expect(rowsOf(registry)).toEqual([]);
    expect(registry.problems()).toMatchObject([{ file: config.place.path, outcome: "refused" }]);
  });

  test("among 2,000 is not one too many; what is beyond is named", () => {
    const config = new Config();
    for (let pid = 1; pid <= REGISTRY_LIMIT + 5; pid += 1) writeFileSync(config.file(pid), `{"sessionId":"s${pid}"}`);
    const registry = config.registry();
    expect(registry.look(later()).parsed).toBe(REGISTRY_LIMIT);
    expect(rowsOf(registry)).toHaveLength(REGISTRY_LIMIT);
    expect(registry.problems()).toMatchObject([
      { file: config.place.path, reason: expect.stringMatching(/2005 .* 2000/) },
    ]);
  });
});

describe("an entry that goes", () => {
  test("is gone with its process", () => {
    const config = new Config();
    const file = config.write(11);
    const registry = config.registry();
    registry.look(later());
    rmSync(file);
    config.processes.answers.set(11, "gone");
    expect(registry.look(later())).toEqual({ changed: true, parsed: 0 });
    expect(rowsOf(registry)).toEqual([]);
  });

  test("stays a moment while its process runs: it may be written anew", () => {
    const config = new Config();
    const file = config.write(11);
    const registry = config.registry();
    const now = later();
    registry.look(now);
    renameSync(file, config.file("aside"));
    expect(registry.look(now + 10).retryIn).toBeGreaterThan(0);
    expect(rowsOf(registry)).toHaveLength(1);
    config.write(11, { status: "busy" });
    registry.look(now + 50);
    expect(rowsOf(registry)).toMatchObject([{ entry: { status: "busy" } }]);
    rmSync(file);
    registry.look(now + 100);
    expect(registry.look(now + 500).changed).toBe(true);
    expect(rowsOf(registry)).toEqual([]);
  });

  test("with its folder takes the others along; a folder that comes later is found", () => {
    const config = new Config();
    config.write(11);
    const registry = config.registry();
    registry.look(later());
    rmSync(config.place.path, { recursive: true });
    config.processes.answers.set(11, "gone");
    expect(registry.look(later()).changed).toBe(true);
    expect([registry.exists, rowsOf(registry), registry.problems()]).toEqual([false, [], []]);
    expect(registry.look(later())).toEqual({ changed: false, parsed: 0 });
    mkdirSync(config.place.path);
    config.write(12);
    expect(registry.look(later()).changed).toBe(true);
    expect(idsOf(registry)).toEqual(["session-12"]);
  });

  test("a file in the folder's place is a problem, not a crash", () => {
    const config = new Config();
    rmSync(config.place.path, { recursive: true });
    writeFileSync(config.place.path, "");
    const registry = config.registry();
    registry.look(later());
    expect(registry.problems()).toEqual([{ file: config.place.path, reason: "is not a folder", outcome: "refused" }]);
  });
});

describe("rows of an earlier run", () => {
  function cacheOf(config: Config): ParseCache {
    return new ParseCache(join(config.folder, "home"), "registry", config.place.path);
  }

  test("spare the reading while the files are unchanged; whether the processes run is asked anew", () => {
    const config = new Config();
    for (const pid of [11, 12, 13]) config.write(pid);
    config.writeText(14, "{");
    const first = config.registry();
    first.look(later());
    cacheOf(config).save(first.cacheable());
    config.processes.answers.set(12, "gone");
    config.write(13, { status: "busy" });
    config.decoded = 0;
    const second = config.registry();
    second.restore(cacheOf(config).load());
    second.look(later());
    expect(config.decoded).toBe(1);
    expect(idsOf(second)).toEqual(["session-11", "session-12", "session-13"]);
    expect(rowsOf(second).find(({ entry }) => entry.pid === 12)?.liveness).toBe("gone");
    expect(rowsOf(second).find(({ entry }) => entry.pid === 13)?.entry.status).toBe("busy");
    expect(second.problems()).toEqual(first.problems());
  });

  test("keep the last good version of one that broke meanwhile, and drop one that was removed", () => {
    const config = new Config();
    config.write(11);
    const removed = config.write(12);
    const first = config.registry();
    first.look(later());
    cacheOf(config).save(first.cacheable());
    config.writeText(11, "{");
    rmSync(removed);
    const second = config.registry();
    second.restore(cacheOf(config).load());
    expect(second.look(later()).retryIn).toBeUndefined();
    expect(rowsOf(second)).toMatchObject([{ entry: { sessionId: "session-11" }, unreadableSince: expect.any(Number) }]);
  });

  test.each([
    null,
    5,
    {},
    { findings: [], entry: { agent: "claude", sessionId: "s" } },
    { findings: [], readAt: 1, entry: null },
    { findings: [], readAt: 1, entry: { agent: "claude" } },
    { findings: [], readAt: 1, entry: { agent: "claude", sessionId: "s", pid: "11" } },
  ])("of another shape (%j) are not believed", (value) => {
    const config = new Config();
    config.write(11);
    const first = config.registry();
    first.look(later());
    const [[name, row] = ["", undefined]] = first.cacheable();
    if (row === undefined) throw new Error("nothing cached");
    const second = config.registry();
    second.restore(new Map([[name, { stamp: row.stamp, value }]]));
    expect(second.look(later()).parsed).toBe(1);
    expect(idsOf(second)).toEqual(["session-11"]);
  });
});

test("what was recorded of real sessions plays through: each file as it was, until it was removed", () => {
  const captures = join(__dirname, "..", "captures", "claude");
  const courses = readdirSync(captures).filter((name) => name.endsWith(".status.jsonl"));
  expect(courses.length).toBeGreaterThan(15);
  for (const course of courses) {
    const config = new Config();
    const registry = config.registry();
    let now = later();
    for (const line of readFileSync(join(captures, course), "utf8").trim().split("\n")) {
      const { t, file, removed, ...fields } = JSON.parse(line) as Record<string, unknown> & { file: string };
      const pid = Number(file.replace(".json", ""));
      now += 1_000;
      if (removed === true) {
        rmSync(config.file(pid), { force: true });
        config.processes.answers.set(pid, "gone");
      } else config.writeText(pid, JSON.stringify(fields));
      registry.look(now);
      const row = rowsOf(registry).find(({ entry }) => entry.pid === pid);
      expect([course, t, row?.entry.status, row?.entry.waitingFor]).toEqual([
        course,
        t,
        fields.status,
        fields.waitingFor,
      ]);
      expect(row === undefined).toBe(removed === true);
    }
    expect(registry.problems()).toEqual([]);
  }
});

test("whatever is written, removed and told in whatever order, a look ends and its rows are whole", () => {
  const step = fc.oneof(
    fc.record({
      pid: fc.integer({ min: 1, max: 4 }),
      text: fc.oneof(fc.json(), fc.string(), fc.constant('{"sessionId":"s"}')),
    }),
    fc.record({ pid: fc.integer({ min: 1, max: 4 }), gone: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const config = new Config();
      const registry = config.registry();
      let now = later();
      for (const { pid, ...what } of steps) {
        if ("text" in what) config.writeText(pid, what.text);
        else {
          rmSync(config.file(pid), { force: true });
          config.processes.answers.set(pid, what.gone ? "gone" : "running");
        }
        now += 10;
        registry.look(now, pid % 2 === 0 ? [config.file(pid)] : undefined);
      }
      registry.look(now + 1_000);
      registry.look(now + 2_000);
      const files = readdirSync(config.place.path).map((name) => config.file(name));
      for (const { entry, file } of registry.rows()) {
        expect(files).toContain(file);
        expect(entry.sessionId).not.toBe("");
      }
      const seen = new Set([...rowsOf(registry), ...registry.problems()].map(({ file }) => file));
      expect(files.filter((file) => !seen.has(file))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("a real process is running until it is killed; then its entry is what it left behind (Linux)", async () => {
  const config = new Config();
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const over = once(child, "exit");
  try {
    config.write(pid, { procStart: startTicksOf(pid), startedAt: Date.now() });
    // Its number is that of a process, but of another one.
    config.write(process.pid, { procStart: "1", startedAt: Date.now() });
    const registry = config.registry(new MachineProcesses());
    const livenessOf = (number: number) => rowsOf(registry).find(({ entry }) => entry.pid === number)?.liveness;
    registry.look(later());
    expect([livenessOf(pid), livenessOf(process.pid)]).toEqual(["running", "gone"]);
    child.kill("SIGKILL");
    await over;
    expect(registry.look(later())).toEqual({ changed: true, parsed: 0 });
    expect(livenessOf(pid)).toBe("gone");
  } finally {
    child.kill("SIGKILL");
  }
});

describe("Codex's locks", () => {
  const THREAD = "01a22c07-cf75-7bb0-9c46-faaa9e213dbd";
  const LINES: Readonly<Record<number, string>> = {
    21: "codex --no-daemon",
    22: "codex app-server --listen unix://",
    23: "codex exec text",
  };

  function lock(holders: LockHolders): { registry: LiveRegistry; home: string } {
    const home = scratchFolder();
    const place = codexRegistry(home);
    mkdirSync(place.path);
    writeFileSync(join(place.path, ".coordination.lock"), "");
    writeFileSync(join(place.path, `${THREAD}.lock`), "");
    const processes = { argumentsOf: (pid: number) => LINES[pid]?.split(" ") };
    const decode = (_text: string, name: string) => decodeCodexLock(name, home);
    return { home, registry: new LiveRegistry({ ...place, decode, judge: judgeByLock(() => holders, processes) }) };
  }

  test.each<[what: string, pid: number | undefined, areAll: boolean, liveness: Liveness, more: object]>([
    ["held by its terminal", 21, true, "running", { pid: 21, kind: "interactive" }],
    ["held by a run without a terminal", 23, true, "running", { pid: 23, headless: true }],
    ["held by the shared daemon", 22, true, "unknown", {}],
    ["held by nobody", undefined, true, "gone", {}],
    ["held by nobody that can be seen", undefined, false, "unknown", {}],
  ])("one %s", (_what, pid, areAll, liveness, more) => {
    const name = `${THREAD}.lock`;
    const { registry, home } = lock({ pids: new Map(pid === undefined ? [] : [[name, pid]]), areAll });
    registry.look(later());
    const [row, ...others] = rowsOf(registry);
    expect(others).toEqual([]);
    expect(row?.liveness).toBe(liveness);
    expect({ ...row?.entry, processStart: undefined }).toEqual({
      agent: "codex",
      sessionId: THREAD,
      configDirectory: home,
      // When the lock was made.
      startedAt: (row?.stamp[0] ?? NaN) / 1000,
      ...more,
    });
    expect(registry.problems()).toEqual([]);
  });

  test("nothing changed: the entry is the same object, whoever holds it", () => {
    const pids = new Map([[`${THREAD}.lock`, 21]]);
    const { registry } = lock({ pids, areAll: true });
    registry.look(later());
    const [first] = rowsOf(registry);
    expect(registry.look(later())).toEqual({ changed: false, parsed: 0 });
    expect(rowsOf(registry)[0]?.entry).toBe(first?.entry);
    pids.set(`${THREAD}.lock`, 23);
    registry.look(later());
    expect(rowsOf(registry)[0]?.entry).not.toBe(first?.entry);
  });

  test("one that another process takes over is a change", () => {
    const pids = new Map([[`${THREAD}.lock`, 21]]);
    const { registry } = lock({ pids, areAll: true });
    registry.look(later());
    expect(registry.look(later()).changed).toBe(false);
    pids.clear();
    expect(registry.look(later()).changed).toBe(true);
    expect(rowsOf(registry)[0]).toMatchObject({ liveness: "gone" });
    expect(rowsOf(registry)[0]?.entry.pid).toBeUndefined();
  });
});
