import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRY_LIMIT } from "../../src/files/inbox-entry";
import { scratchFolder } from "../scratch";
import { extent } from "../thoroughness";
import {
  ended,
  entries,
  hasNamespaces,
  hasStrace,
  install,
  names,
  onlyEntry,
  run,
  SCRIPT,
  SHELLS,
  SILENT,
  start,
  testWhere,
  type RunOptions,
  type Shell,
} from "./recorder";

/** Runs the recorder under strace and gives the programs it started, in order. */
function startedBy(options: RunOptions): { programs: string[]; forks: number } {
  const log = join(scratchFolder(), "trace");
  const calls = "trace=execve,execveat,fork,vfork,clone,clone3";
  const prefix = ["strace", "-f", "-qq", "-o", log, "-e", calls];
  expect(run({ ...options, prefix })).toEqual(SILENT);
  const lines = readFileSync(log, "utf8").split("\n");
  const programs = lines.flatMap(
    (line) => /execve\("(?:[^"]*\/)?([^"/]+)".*(?: = 0|<unfinished \.\.\.>)$/.exec(line)?.[1] ?? [],
  );
  const forks = lines.filter((line) => /\b(fork|vfork|clone3?)\(/.test(line)).length;
  return { programs: programs.slice(1), forks };
}

/** Whether a shell has printf built in, as all do that are called sh on a desktop; mksh has not. */
function hasPrintf({ argv: [command = "", ...options] }: Shell): boolean {
  return spawnSync(command, [...options, "-c", "PATH=/nonexistent; printf x"], { encoding: "utf8" }).stdout === "x";
}

/** Debian's own program that renames, which loads less than mv. */
const RENAME = existsSync("/usr/bin/rename.ul") ? "rename.ul" : "mv";

describe("the processes it starts", () => {
  const large = "x".repeat(ENTRY_LIMIT * 2);

  testWhere(hasStrace, "strace")("two at an event, of any size", () => {
    for (const shell of SHELLS.filter(hasPrintf)) {
      for (const input of ['{"session_id":"s"}', large]) {
        const home = scratchFolder();
        const script = install(home);
        const { programs, forks } = startedBy({ shell, script, args: ["claude", "PreToolUse"], input });
        expect([shell.name, programs.length, forks]).toEqual([shell.name, 2, 2]);
        expect(entries(home)).toHaveLength(1);
      }
    }
  });

  testWhere(hasStrace, "strace")("one when the payload is an argument", () => {
    const home = scratchFolder();
    const { programs, forks } = startedBy({ script: install(home), args: ["codex", "notify", "{}"] });
    expect([programs, forks]).toEqual([[RENAME], 1]);
  });

  testWhere(hasStrace, "strace")("a third only to make the inbox", () => {
    const home = join(scratchFolder(), "home");
    const { programs, forks } = startedBy({ env: { AGENT_SESSIONS_HOME: home }, input: "{}" });
    expect([programs.sort(), forks]).toEqual([["mkdir", RENAME, "tee"].sort(), 3]);
  });

  testWhere(hasStrace, "strace")("no more at a Stop while nobody answers this agent", () => {
    const home = scratchFolder();
    const script = install(home);
    mkdirSync(join(home, "control", "stop", "codex"), { recursive: true, mode: 0o700 });
    const { programs, forks } = startedBy({ script, args: ["claude", "Stop"], input: '{"session_id":"s"}' });
    expect([programs, forks]).toEqual([["tee", RENAME], 2]);
  });

  testWhere(hasStrace && RENAME !== "mv", "strace and Debian's rename")("where that one cannot rename, mv does", () => {
    const home = scratchFolder();
    const log = join(home, "log");
    // The first renaming fails: that of rename.ul.
    const prefix = ["strace", "-f", "-qq", "-o", log, "-e", "inject=rename:error=EIO:when=1"];
    expect(run({ prefix, script: install(home), input: "{}" })).toEqual(SILENT);
    expect(readFileSync(log, "utf8")).toMatch(/rename\(.*EIO/);
    expect(onlyEntry(home).entry.payload).toBe("{}");
  });

  testWhere(hasStrace, "strace")("no more than two when nothing can be left", () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "inbox"), "");
    const surroundings: Record<string, string>[] = [
      {},
      { AGENT_SESSIONS_HOME: folder },
      { AGENT_SESSIONS_HOME: "/proc/x" },
    ];
    for (const env of surroundings) {
      expect(startedBy({ env, input: large }).forks).toBeLessThanOrEqual(2);
    }
  });
});

describe("killed", () => {
  /** After it: what is visible is whole, and at most one hidden file is left. */
  function expectSound(home: string, payload: string): void {
    for (const { entry } of entries(home)) expect(entry).toMatchObject({ agent: "claude", payload });
    const { visible, hidden } = names(home);
    expect(hidden.length).toBeLessThanOrEqual(1);
    expect(visible.length + hidden.length).toBeLessThanOrEqual(1);
  }

  testWhere(hasStrace, "strace")("at every one of its system calls, it leaves at most a hidden file", () => {
    const payload = '{"session_id":"s"}';
    const log = join(scratchFolder(), "calls");
    const trace = { prefix: ["strace", "-qq", "-o", log], script: install(scratchFolder()), input: payload };
    expect(run(trace)).toEqual(SILENT);
    const calls = readFileSync(log, "utf8").matchAll(/^(\w+)\(/gm);
    const counts = new Map<string, number>();
    let kills = 0;
    let delivered = 0;
    for (const [, call = ""] of calls) {
      const count = (counts.get(call) ?? 0) + 1;
      counts.set(call, count);
      // A home each: tee or mv may outlive the shell for a moment.
      const home = scratchFolder();
      const prefix = ["strace", "-qq", "-o", "/dev/null", "-e", `inject=${call}:signal=SIGKILL:when=${count}`];
      const { signal, status } = run({ prefix, script: install(home), input: payload, isKilled: true });
      expectSound(home, payload);
      delivered += names(home).visible.length;
      kills += signal === null && status === 0 ? 0 : 1;
    }
    expect(kills).toBeGreaterThan(80);
    // The last calls come after the entry is there.
    expect(delivered).toBeGreaterThan(1);
  });

  test("with its children, at any moment", async () => {
    const payload = "x".repeat(150_000);
    for (let round = 0; round < 60; round++) {
      const home = scratchFolder();
      const script = install(home);
      const child = start({ script, detached: true });
      const end = ended(child);
      child.stdin?.on("error", () => undefined);
      child.stdin?.write(payload.slice(0, (payload.length * (round % 4)) / 3));
      if (round % 4 === 3) child.stdin?.end();
      for (let turn = 0; turn < round * round; turn++) await new Promise(setImmediate);
      try {
        process.kill(-(child.pid ?? 0), "SIGKILL");
      } catch {
        // It was done already.
      }
      await end;
      child.stdin?.destroy();
      expectSound(home, payload);
    }
  });

  test("what a killed one left does not stop the next with its pid, nor is it overwritten", () => {
    const home = scratchFolder();
    const script = install(home);
    const inbox = join(home, "inbox");
    for (const shell of SHELLS) {
      // The shell of the recorder knows its pid, and hands itself over to it.
      const around =
        'p=0000000$$; p=${p#"${p%???????}"}; echo old >"$INBOX/.claude-$p-0"; echo old >"$INBOX/claude-$p-1"; exec "$@"';
      const env = { INBOX: inbox };
      expect(run({ shell, script, around, env, input: shell.name })).toEqual(SILENT);
    }
    const { visible, hidden } = names(home);
    expect(hidden.map((name) => readFileSync(join(inbox, name), "utf8"))).toEqual(SHELLS.map(() => "old\n"));
    const texts = visible.map((name) => readFileSync(join(inbox, name), "utf8"));
    expect(texts.filter((text) => text === "old\n")).toHaveLength(SHELLS.length);
    expect(visible.filter((name) => name.endsWith("-2"))).toHaveLength(SHELLS.length);
  });
});

describe("many at once", () => {
  const events = extent(25, 100);

  test(`20 recorders of ${events} events each: every entry is there once, whole, and in the order of its recorder`, async () => {
    const home = scratchFolder();
    const script = install(home);
    const loop = `i=0; while [ $i -lt ${events} ]; do printf '{"session_id":"%s","n":%s,"text":"%s"}' "$1" $i "$2" | "$3" claude Stop; i=$((i+1)); done`;
    const text = "x".repeat(2000);
    const drivers = Array.from({ length: 20 }, (_, n) =>
      ended(
        spawn("sh", ["-c", loop, "sh", `s${n}`, text, script], { env: { PATH: process.env.PATH }, stdio: "ignore" }),
      ),
    );
    expect(await Promise.all(drivers)).toEqual(drivers.map(() => ({ code: 0, signal: null })));
    const all = entries(home);
    expect(names(home).hidden.filter((name) => name !== ".full")).toEqual([]);
    const orders = new Map<string, number[]>();
    for (const { entry } of all) {
      const { session_id: session, n, text: kept } = JSON.parse(entry.payload);
      expect(kept).toBe(text);
      orders.set(session, [...(orders.get(session) ?? []), n]);
    }
    const inOrder = Array.from({ length: events }, (_, n) => n);
    expect(Array.from(orders.keys()).sort()).toEqual(Array.from({ length: 20 }, (_, n) => `s${n}`).sort());
    for (const order of orders.values()) expect(order).toEqual(inOrder);
  }, 60_000);

  testWhere(hasNamespaces, "unshare and root")(
    "the same pid from many containers: none replaces another's",
    async () => {
      const home = scratchFolder();
      const script = install(home);
      const count = 60;
      const runs = Array.from({ length: count }, (_, n) => {
        const child = spawn("unshare", ["--pid", "--fork", script, "claude", "Stop", `payload ${n}`], {
          stdio: "ignore",
        });
        return ended(child);
      });
      expect(await Promise.all(runs)).toEqual(runs.map(() => ({ code: 0, signal: null })));
      const payloads = entries(home).map(({ entry }) => entry.payload);
      expect(payloads.sort()).toEqual(Array.from({ length: count }, (_, n) => `payload ${n}`).sort());
      // A pid namespace begins with 1.
      for (const name of names(home).visible) expect(name).toMatch(/^claude-0000001-\d+$/);
    },
  );

  /**
   * Runs the recorder until its first system call of a kind, does something meanwhile, and lets it go on. The pid is
   * given as it stands in names.
   */
  async function interruptAt(part: RegExp, options: RunOptions & { home: string }, meanwhile: (pid: string) => void) {
    const { home } = options;
    const log = join(home, "log");
    const prefix = (...more: string[]) => ["strace", "-qq", "-o", log, ...more];
    // Once to see which call it is: the so manieth of its kind.
    expect(run({ ...options, prefix: prefix(), input: "first" })).toEqual(SILENT);
    const lines = readFileSync(log, "utf8").split("\n");
    const opened = lines.findIndex((line) => /bin\/record", O_RDONLY/.test(line));
    const found = lines.findIndex((line, index) => index > opened && part.test(line));
    const call = /^\w+/.exec(lines[found] ?? "")?.[0] ?? "";
    const when = lines.slice(0, found + 1).filter((line) => line.startsWith(`${call}(`)).length;
    for (const name of Object.values(names(home)).flat()) rmSync(join(home, "inbox", name));

    const inject = `inject=${call}:signal=SIGSTOP:when=${when}`;
    const child = start({ ...options, prefix: prefix("-e", inject) });
    const end = ended(child);
    child.stdin?.end("second");
    const isStopped = () => readFileSync(log, "utf8").includes("stopped by SIGSTOP");
    while (!isStopped() && child.exitCode === null) await new Promise(setImmediate);
    const [hidden = ""] = names(home).hidden;
    const pid = /\d{7}/.exec(hidden)?.[0] ?? "";
    meanwhile(pid);
    process.kill(Number(pid), "SIGCONT");
    await expect(end).resolves.toEqual({ code: 0, signal: null });
  }

  const FOREIGN = "agent-sessions 1\nagent=other\n\nfrom another container";

  testWhere(hasStrace, "strace")(
    "a name that is taken between the first look and the hidden file is not replaced",
    async () => {
      const home = scratchFolder();
      const options = { home, script: install(home) };
      let name = "";
      // It has made the hidden file, and not looked again yet.
      await interruptAt(/\/\.claude-\d+-0".*O_EXCL/, options, (pid) => {
        name = `claude-${pid}-0`;
        writeFileSync(join(home, "inbox", name), FOREIGN);
      });
      expect(entries(home).map(({ entry }) => entry.payload)).toEqual(["from another container", "second"]);
      expect(names(home).visible).toEqual([name, name.replace(/0$/, "1")]);
    },
  );

  testWhere(hasStrace, "strace")("names that others take one after the other are no reason to give up", async () => {
    const home = scratchFolder();
    const script = install(home);
    // Others with its pid have four hidden files.
    const around =
      'p=0000000$$; p=${p#"${p%???????}"}; for n in 0 1 2 3; do : >"$INBOX/.claude-$p-$n"; done; exec "$@"';
    const options = { home, script, around, env: { INBOX: join(home, "inbox") } };
    // It is refused the fourth, whose owner just then delivers it.
    await interruptAt(/\/\.claude-\d+-3"/, options, (pid) => {
      for (const n of [0, 1, 2, 3]) {
        writeFileSync(join(home, "inbox", `.claude-${pid}-${n}`), FOREIGN);
        renameSync(join(home, "inbox", `.claude-${pid}-${n}`), join(home, "inbox", `claude-${pid}-${n}`));
      }
    });
    const payloads = entries(home).map(({ entry }) => entry.payload);
    expect(payloads.filter((payload) => payload === "second")).toHaveLength(1);
    expect(payloads).toHaveLength(5);
  });

  test("the first ones make the inbox together", async () => {
    const home = join(scratchFolder(), "a", "home");
    const children = Array.from({ length: 20 }, (_, n) =>
      ended(start({ args: ["claude", "Stop", String(n)], env: { AGENT_SESSIONS_HOME: home } })),
    );
    expect(await Promise.all(children)).toEqual(children.map(() => ({ code: 0, signal: null })));
    expect(entries(home)).toHaveLength(20);
  });
});

test("the script is its shipped self", () => {
  expect(readFileSync(SCRIPT, "utf8").startsWith("#!/bin/sh\n")).toBe(true);
  const home = scratchFolder();
  expect(run({ env: { AGENT_SESSIONS_HOME: home }, input: "{}" })).toEqual(SILENT);
  expect(onlyEntry(home).name).toMatch(/^claude-\d{7}-0$/);
});
