import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { decodeSignalDocument } from "../../../src/files/signal-document";
import { systemCodeOf } from "../../../src/session/failure";
import type { SignalDocument } from "../../../src/session/signal-document";
import { scratchFolder } from "../../scratch";
import { extent } from "../../thoroughness";
import { built, builtAgentSignal, run, start } from "./built-command";

const PROCESSES = 16;
const SIGNALS_EACH = extent(30, 200);

/** So many events stay in the document that a reader which now and then comes late still meets every one. */
const EVENT_LIMIT = 150;

let worker: string;
let folder: string;
let environment: Record<string, string>;

beforeAll(() => {
  // As many commands in one process as a hook would start processes for: the start of Node is not what is tested.
  worker = built("worker", {
    text: `
      import { randomUUID } from "node:crypto";
      import { runSignal } from "./cli/signal/run-signal";
      const [session = "", count = ""] = process.argv.slice(2);
      const signals = ["working", "thinking", "subagent_start", "blocked"];
      const io = {
        program: "agent-signal", version: "", environment: process.env, folder: "/", pid: process.pid, isTerminal: false,
        stdout: () => undefined, stderr: (text: string) => process.stderr.write(text), readStdin: () => "",
        now: () => Date.now() / 1000, uuid: randomUUID,
      };
      async function send() {
        for (let number = 1; number <= Number(count); number += 1) {
          const signal = signals[number % signals.length] ?? "";
          const code = await runSignal([signal, "--session", session, "--event", session + "-" + number], io);
          if (code !== 0) process.exit(code);
          process.stdout.write(number + "\\n");
        }
      }
      void send();`,
  });
});

beforeEach(() => {
  folder = join(scratchFolder(), "state");
  environment = { AGENT_SIGNAL_LIGHT_STATE_DIR: folder, AGENT_SIGNAL_LIGHT_EVENT_LIMIT: String(EVENT_LIMIT) };
});

/** The document as it lies there; it must be whole at any moment, once it is there. */
function read(): SignalDocument | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, "status.json"), "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const decoded = decodeSignalDocument(text);
  if (decoded.outcome !== "document") throw new Error(`${decoded.field}: ${decoded.reason} in ${text}`);
  return decoded.document;
}

/** Keeps what a worker said last: the number of its last signal whose command has ended well. */
function follow(child: ChildProcess): { acknowledged: number } {
  const followed = { acknowledged: 0 };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const whole = text.slice(0, text.lastIndexOf("\n"));
    followed.acknowledged = Number(whole.split("\n").at(-1) ?? followed.acknowledged);
  });
  return followed;
}

test(`16 processes with ${SIGNALS_EACH} signals each: nothing is lost, and the document is whole at every moment`, async () => {
  const names = Array.from({ length: PROCESSES }, (_, index) => `p${index}`);
  const workers = names.map((name) => start(worker, [name, String(SIGNALS_EACH)], environment));
  const ends = Promise.all(workers.map(async (child) => (await once(child, "exit"))[0]));
  let running = true;
  void ends.finally(() => (running = false));
  const seen = new Set<string | undefined>();
  let reads = 0;
  try {
    while (running) {
      const document = read();
      if (document !== undefined) reads += 1;
      for (const { event } of document?.events ?? []) seen.add(event);
      // Most of the processor is the writers'.
      await setTimeout(8);
    }
  } finally {
    for (const child of workers) child.kill("SIGKILL");
  }
  expect(await ends).toEqual(names.map(() => 0));
  const final = read();
  for (const { event } of final?.events ?? []) seen.add(event);
  expect(reads).toBeGreaterThan(extent(20, 100));
  expect(seen.size).toBe(PROCESSES * SIGNALS_EACH);
  expect(final?.events).toHaveLength(EVENT_LIMIT);
  expect(Object.fromEntries(Array.from(final?.sessions ?? [], ([id, { lastEvent }]) => [id, lastEvent]))).toEqual(
    Object.fromEntries(names.map((name) => [name, `${name}-${SIGNALS_EACH}`])),
  );
  expect(readdirSync(folder)).toEqual(["status.json"]);
}, 120_000);

/** A small generator of numbers from 0 to 1, so that a run can be repeated by its seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("processes are killed at random: no acknowledged signal is lost, the next command works, no lock stays", async () => {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 32);
  const next = random(seed);
  const began = Date.now();
  const all: { name: string; child: ChildProcess; followed: { acknowledged: number } }[] = [];
  const startOne = () => {
    const name = `k${all.length}`;
    const child = start(worker, [name, "1000000"], environment, "pipe");
    all.push({ name, child, followed: follow(child) });
  };
  try {
    for (let index = 0; index < 5; index += 1) startOne();
    // Time is bounded, not the number of kills: a slow machine kills fewer.
    for (let kills = 0; kills < 60 && Date.now() - began < extent(6_000, 12_000); kills += 1) {
      await setTimeout(20 + next() * 120);
      read();
      const alive = all.filter(({ child }) => child.exitCode === null && child.signalCode === null);
      const victim = alive[Math.floor(next() * alive.length)];
      if (victim === undefined) throw new Error(`Every worker has ended by itself (KILL_SEED=${seed})`);
      victim.child.kill("SIGKILL");
      await once(victim.child, "close");
      startOne();
    }
  } finally {
    for (const { child } of all) child.kill("SIGKILL");
  }
  await Promise.all(all.map(({ child }) => (child.signalCode === null ? once(child, "close") : undefined)));
  const document = read();
  const lost = all.filter(({ name, followed }) => {
    const written = Number(document?.sessions.get(name)?.lastEvent?.split("-")[1] ?? 0);
    return written < followed.acknowledged;
  });
  expect({ seed, lost: lost.map(({ name }) => name) }).toEqual({ seed, lost: [] });
  expect(all.some(({ followed }) => followed.acknowledged > 0)).toBe(true);
  const { code, err } = run(builtAgentSignal(), ["working", "--session", "next"], { environment });
  expect({ seed, code, err }).toEqual({ seed, code: 0, err: "" });
  expect(read()?.sessions.get("next")?.signal).toBe("working");
  expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual([]);
}, 120_000);
