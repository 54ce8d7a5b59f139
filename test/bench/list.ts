import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Observer } from "../../src/observe/observer";
import { STATES } from "../../src/session/state";
import type { Places } from "../../src/store/places";
import { environmentOf } from "../environment";
import { median, type Row } from "./measure";

/** How long everything has to be at rest before an answer is kept, and some more, in milliseconds. */
const REST_MS = 5_000;

/** A machine with many sessions of every state, an hour to days old. */
function machineWith(count: number): { places: Places; statusFile: (index: number) => string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  const places = {
    home: join(folder, "home"),
    statusDirectory: join(folder, "status"),
    signalStateFile: join(folder, "signal", "status.json"),
  };
  mkdirSync(places.statusDirectory);
  const statusFile = (index: number) => join(places.statusDirectory, `${idOf(index)}.json`);
  for (let index = 0; index < count; index += 1) writeFileSync(statusFile(index), statusText(index, 0));
  return { places, statusFile, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function idOf(index: number): string {
  return `${String(index).padStart(8, "0")}-4f2e-8190-99e3-ee42f99623d5`;
}

function statusText(index: number, version: number): string {
  const ts = 1_790_000_000 - index * 60 + version;
  return JSON.stringify({
    session_id: idOf(index),
    agent: index % 3 === 0 ? "codex" : "claude",
    state: STATES[index % STATES.length],
    ts,
    event_ts: ts + 0.5,
    event: "PostToolUse",
    activity: "Running the unit tests of the billing package",
    message: "Bash: npm test --workspace billing",
    cwd: `/home/dev/work/project-${index % 40}`,
    permission_mode: "default",
    title: `Task number ${index}, version ${version}`,
    turn_started_at: ts - 30,
    done_at: ts - 600,
    subagents: 0,
    background: {},
    monitors: {},
  });
}

/** Milliseconds of one call. */
function timed(work: () => void): number {
  const begun = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begun) / 1e6;
}

/** How lists of many sessions do: within a process, and as one beside a bare Node in the same run. */
export async function benchList(counts: readonly number[], rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of counts) {
    const machine = machineWith(count);
    try {
      rows.push(...inProcess(machine, count, rounds), ...(await asProcess(machine, count, rounds)));
    } finally {
      machine.remove();
    }
  }
  return rows;
}

function inProcess({ places, statusFile }: ReturnType<typeof machineWith>, count: number, rounds: number): Row[] {
  const cold = median(rounds, () =>
    timed(() => {
      const observer = new Observer({ places, cache: false });
      observer.look();
      observer.snapshot();
    }),
  );
  // Long after the files were written: none is in the tick of its last change any more.
  const clock = () => Date.now() + 60_000;
  const observer = new Observer({ places, clock, cache: false });
  observer.look();
  observer.snapshot();
  let version = 0;
  const change = () => {
    version += 1;
    const file = statusFile(count >> 1);
    writeFileSync(`${file}.part`, statusText(count >> 1, version));
    renameSync(`${file}.part`, file);
    return file;
  };
  let parsed = 0;
  const told = median(rounds, () => {
    const file = change();
    return timed(() => {
      parsed = observer.look([file]).parsed;
    });
  });
  const listed = median(rounds, () => {
    change();
    return timed(() => observer.look());
  });
  const shown = median(rounds, () => {
    observer.look([change()]);
    return timed(() => observer.snapshot());
  });
  const name = (what: string) => `${what}, ${count.toLocaleString("en-US")} files`;
  return [
    { name: name("cold list in one process"), value: cold, unit: "ms" },
    {
      name: name("refresh after one change, told by the watch"),
      value: told,
      unit: "ms",
      note: `${parsed} file parsed`,
    },
    { name: name("refresh after one change, by listing the directory"), value: listed, unit: "ms" },
    { name: name("snapshot after one change"), value: shown, unit: "ms" },
    { name: name("cold list / told refresh"), value: cold / told, unit: "×" },
  ];
}

async function asProcess(
  { places, statusFile }: ReturnType<typeof machineWith>,
  count: number,
  rounds: number,
): Promise<Row[]> {
  const command = join(process.cwd(), "build", "agent-sessions.js");
  const env = { PATH: process.env.PATH ?? "", HOME: places.home, ...environmentOf(places) };
  const spawn = (argv: string[]) =>
    timed(() => {
      const { status } = spawnSync(process.execPath, argv, {
        env,
        stdio: ["ignore", "ignore", "inherit"],
      });
      if (status !== 0) throw new Error(`node ${argv.join(" ")} ended with ${status}`);
    });
  const list = [command, "list", "--json"];
  spawn(list);
  // Once more after the tick of the last change is over, so that the cache holds every file for good.
  spawn(list);
  const times = { bare: [] as number[], changed: [] as number[], list: [] as number[], kept: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(spawn(["-e", "0"]));
    times.list.push(spawn(list));
    writeFileSync(statusFile(round % count), statusText(round % count, 1000 + round));
    times.changed.push(spawn(list));
    // Has the changed file parsed for good, after the tick of its change.
    spawn(list);
  }
  // An answer is kept once everything was at rest for some seconds.
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  spawn(list);
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(spawn(["-e", "0"]));
    times.kept.push(spawn(list));
  }
  const middle = (values: number[]) => median(values.length, (index) => values[index] ?? 0);
  const bare = middle(times.bare);
  const name = (what: string) => `${what}, ${count.toLocaleString("en-US")} files`;
  return [
    {
      name: name("list --json as a process, at rest"),
      value: middle(times.kept),
      unit: "ms",
      note: `bare node: ${bare.toFixed(1)} ms`,
    },
    { name: name("list --json / bare node -e 0, at rest"), value: middle(times.kept) / bare, unit: "×" },
    { name: name("the same in the seconds after a change"), value: middle(times.list) / bare, unit: "×" },
    { name: name("the same right after a change"), value: middle(times.changed) / bare, unit: "×" },
  ];
}
