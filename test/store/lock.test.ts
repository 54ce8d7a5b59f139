import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { SessionsError } from "../../src/session/failure";
import { withLock } from "../../src/store/lock";
import { isRunning, startTicksOf } from "../../src/store/process-clock";
import { built } from "../cli/signal/built-command";
import { scratchFolder } from "../scratch";

let path: string;

beforeEach(() => {
  path = join(scratchFolder(), "the.lock");
});

interface Holder {
  token?: string;
  pid: number;
  start?: string;
  host?: string;
}

function hold(holder: Holder, at = path): void {
  writeFileSync(at, JSON.stringify({ token: "them", start: "", host: hostname(), ...holder }));
}

/** Whether the lock is to be had within the patience of a test. */
function isToBeHad(): boolean {
  try {
    return withLock(path, () => true, 60);
  } catch (error) {
    if (error instanceof SessionsError && error.code === "locked") return false;
    throw error;
  }
}

function makeOld(file: string, minutes: number): void {
  const then = Date.now() / 1000 - minutes * 60;
  utimesSync(file, then, then);
}

/** The number of a process that has ended. */
function deadPid(): number {
  return spawnSync("true").pid;
}

function namesBeside(): string[] {
  return readdirSync(dirname(path));
}

test("the lock is there during the work and gone after it, also when the work fails", () => {
  expect(withLock(path, () => existsSync(path))).toBe(true);
  expect(namesBeside()).toEqual([]);
  expect(() =>
    withLock(path, () => {
      throw new Error("mine");
    }),
  ).toThrow("mine");
  expect(namesBeside()).toEqual([]);
});

test("a living holder is waited for, then named", () => {
  hold({ pid: process.ppid, start: startTicksOf(process.ppid) ?? "" });
  const began = Date.now();
  expect(() => withLock(path, () => true, 80)).toThrow(
    `${path} is held by process ${process.ppid}, which did not release it in 0.08 seconds. Try again; if that process hangs, end it.`,
  );
  expect(Date.now() - began).toBeGreaterThanOrEqual(80);
  expect(existsSync(path)).toBe(true);
});

test("a dead holder's lock is taken over, and nothing stays", () => {
  for (let time = 1; time <= 2; time += 1) {
    hold({ pid: deadPid() });
    expect(isToBeHad()).toBe(true);
    expect(namesBeside()).toEqual([]);
  }
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("a number that another process has now is no living holder", () => {
  hold({ pid: process.ppid, start: "1" });
  expect(isToBeHad()).toBe(true);
});

onLinux("a process that has ended but was not taken note of is dead", async () => {
  // The shell becomes a sleep, which never asks after the child it had.
  const parent = spawn("sh", ["-c", "sh -c 'echo $$' & exec sleep 5"], { stdio: ["ignore", "pipe", "ignore"] });
  const [output] = await once(parent.stdout, "data");
  const pid = Number(String(output).trim());
  const isZombie = () => / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  while (!isZombie()) await new Promise(setImmediate);
  try {
    expect(isRunning(pid)).toBe(false);
    hold({ pid, start: startTicksOf(pid) ?? "" });
    expect(isToBeHad()).toBe(true);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("a holder on another machine is not judged by its number, but not waited for for good", () => {
  hold({ pid: deadPid(), host: "elsewhere" });
  expect(isToBeHad()).toBe(false);
  makeOld(path, 11);
  expect(isToBeHad()).toBe(true);
});

test("where nothing tells whether it is the same process, time does", () => {
  hold({ pid: process.ppid, start: "" });
  expect(isToBeHad()).toBe(false);
  makeOld(path, 11);
  expect(isToBeHad()).toBe(true);
});

test.each(["", "{", "[]", '{"token":"../../x","pid":1,"start":"","host":""}'])(
  "a lock that says %j of its holder is broken once it is old",
  (text) => {
    writeFileSync(path, text);
    expect(isToBeHad()).toBe(false);
    makeOld(path, 1);
    expect(isToBeHad()).toBe(true);
    expect(namesBeside()).toEqual([]);
  },
);

test("who died while taking over is taken over in turn", () => {
  hold({ token: "first", pid: deadPid() });
  hold({ token: "second", pid: deadPid() }, `${path}.first`);
  hold({ token: "third", pid: deadPid() }, `${path}.first.second`);
  expect(isToBeHad()).toBe(true);
  expect(namesBeside()).toEqual([]);
});

test("a living process that is taking over is not disturbed", () => {
  hold({ token: "first", pid: deadPid() });
  hold({ token: "second", pid: process.ppid, start: startTicksOf(process.ppid) ?? "" }, `${path}.first`);
  expect(isToBeHad()).toBe(false);
});

test("what killed processes left beside the lock is swept; a living one's draft is not", () => {
  const dead = deadPid();
  hold({ pid: dead }, `${path}.a.${dead}.new`);
  hold({ pid: dead }, `${path}.b`);
  writeFileSync(`${path}.empty.${dead}.new`, "");
  hold({ pid: process.ppid, start: "1" }, `${path}.reused.${process.ppid}.new`);
  hold({ pid: process.ppid, start: startTicksOf(process.ppid) ?? "" }, `${path}.c.${process.ppid}.new`);
  writeFileSync(`${path}-not-ours`, "");
  expect(isToBeHad()).toBe(true);
  expect(namesBeside().sort()).toEqual([`${basename(path)}-not-ours`, `${basename(path)}.c.${process.ppid}.new`]);
});

test("a link to nowhere in the lock's place is an error in time, not an endless wait", () => {
  symlinkSync(join(dirname(path), "nowhere"), path);
  expect(isToBeHad()).toBe(false);
});

test("a folder that cannot hold a lock is named", () => {
  writeFileSync(path, "a file");
  expect(() => withLock(join(path, "the.lock"), () => true, 60)).toThrow(SessionsError);
});

test("of many processes one works at a time", async () => {
  const counter = join(dirname(path), "counter");
  writeFileSync(counter, "0");
  const script = built("counting", {
    text: `
      import { readFileSync, writeFileSync } from "node:fs";
      import { withLock } from "./store/lock";
      const [lock = "", counter = ""] = process.argv.slice(2);
      for (let round = 0; round < 60; round += 1) {
        withLock(lock, () => writeFileSync(counter, String(Number(readFileSync(counter, "utf8")) + 1)));
      }`,
  });
  const workers = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [script, path, counter], { stdio: "inherit" }),
  );
  const codes = await Promise.all(workers.map(async (worker) => (await once(worker, "exit"))[0]));
  expect(codes).toEqual(workers.map(() => 0));
  expect(readFileSync(counter, "utf8")).toBe("480");
  expect(namesBeside()).toEqual(["counter"]);
}, 30_000);
