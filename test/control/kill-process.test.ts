import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { killSession } from "../../src/control/kill-process";
import { machineSurroundings } from "../../src/control/machine";
import type { Session } from "../../src/session/session";
import { startTicksOf } from "../../src/store/process-clock";
import { scratchFolder } from "../scratch";
import { controlScene } from "./control-scene";
import { sessionOf } from "./session-sample";

const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("a real process", () => {
  let child: ChildProcess;
  const surroundings = () =>
    machineSurroundings({
      home: scratchFolder(),
      environment: {},
      author: "command",
      refresh: () => Promise.resolve(undefined),
    });

  const started = async (script: string) => {
    child = spawn(process.execPath, ["-e", `${script}; console.log("up"); setInterval(() => {}, 1e6)`]);
    await once(child.stdout ?? child, "data");
    return child.pid ?? 0;
  };

  afterEach(() => void child.kill("SIGKILL"));

  test("is ended by SIGTERM", async () => {
    const pid = await started("0");
    const ended = once(child, "exit");
    const session = sessionOf({ process: { pid, start: startTicksOf(pid), knownAt: Date.now() / 1000 } });
    expect(await killSession(session, surroundings())).toEqual({ outcome: "ended", by: "SIGTERM" });
    expect(await ended).toEqual([null, "SIGTERM"]);
  });

  test("that does not end by itself is ended by SIGKILL", async () => {
    const pid = await started('process.on("SIGTERM", () => {})');
    const ended = once(child, "exit");
    const session = sessionOf({ process: { pid, knownAt: Date.now() / 1000 } });
    const hurried = { ...surroundings(), pause: (ms: number) => pause(ms / 10) };
    expect(await killSession(session, hurried)).toEqual({ outcome: "ended", by: "SIGKILL" });
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  test("with the same number is another one when it started at another time", async () => {
    const pid = await started("0");
    const ticks = String(Number(startTicksOf(pid)) - 1);
    for (const process of [
      { pid, start: ticks, knownAt: Date.now() / 1000 },
      { pid, knownAt: Date.now() / 1000 - 3600 },
    ]) {
      expect(await killSession(sessionOf({ process }), surroundings())).toMatchObject({ outcome: "refused" });
    }
    expect(child.exitCode ?? child.signalCode).toBeNull();
  });
});

test("whatever is not certain is not ended", async () => {
  const scene = controlScene();
  const process = { pid: 42, knownAt: 1 };
  scene.processes.look = () => Promise.resolve("unknown");
  expect(await killSession(sessionOf({ process }), scene)).toMatchObject({ outcome: "refused" });
  scene.processes.look = () => Promise.resolve("gone");
  expect(await killSession(sessionOf({ process }), scene)).toMatchObject({ outcome: "refused" });
  scene.processes.look = () => Promise.resolve("running");
  expect(await killSession(sessionOf(), scene)).toMatchObject({ outcome: "refused" });
  const others: Partial<Session>[] = [{ state: "dormant" }, { sameProcess: ["claude:other"] }];
  for (const other of others) {
    expect(await killSession(sessionOf({ process, ...other }), scene)).toMatchObject({ outcome: "refused" });
  }
  const job = { kind: "background", jobId: "j1" } as const;
  expect(await killSession(sessionOf({ process, live: job }), scene)).toMatchObject({
    outcome: "refused",
    reason: expect.stringContaining("claude stop j1") as string,
  });
});

test("the number that is another process's by the second signal gets none", async () => {
  const scene = controlScene();
  const looks = ["running", ...Array<string>(51).fill("running"), "unknown"];
  const signals: string[] = [];
  scene.processes.look = () => Promise.resolve((looks.shift() ?? "unknown") as "running" | "unknown");
  scene.processes.signal = (_pid, name) => void signals.push(name);
  const process = { pid: 42, knownAt: 1 };
  expect(await killSession(sessionOf({ process }), scene)).toMatchObject({ outcome: "refused" });
  expect(signals).toEqual(["SIGTERM"]);
});
