import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Observer } from "../../src/observe/observer";
import { reduce } from "../../src/session/reduce";
import type { SessionRecord } from "../../src/session/record";
import { SessionStore } from "../../src/store/session-store";
import { placesOf } from "../../src/store/places";
import { menuContentOf } from "../../src/views/menu-content";
import { benchHeap } from "./heap";
import { median, type Row } from "./measure";

/** The size of a large transcript, in bytes. */
const LARGE = 500_000_000;

/** How long everything has to be at rest before an answer is kept, and some more, in milliseconds. */
const REST_MS = 5_000;

/** Long before: files are not in the tick of their last change any more. */
const STARTED = 1_790_000_000;

/** A user's machine: sessions of three configuration folders, some of which run. */
interface BusyMachine {
  environment: Record<string, string>;
  /** Gives one session another title. */
  change: { title: string; make: () => void };
  /** Has one session write on in its transcript. */
  work: () => void;
  remove: () => void;
}

/**
 * What a list costs on a busy machine: all sessions are known by their events, and of those that run there are a
 * process, an entry in the registry and a transcript.
 */
export async function benchMachine(count: number, alive: number, rounds: number): Promise<Row[]> {
  const machine = busyMachine(count, alive);
  try {
    const { environment, change } = machine;
    return [
      ...(await asProcess(machine, count, alive, rounds)),
      ...menuWork(machine, rounds),
      ...(await benchHeap("search-sessions", "view", environment, change)),
      ...(await benchHeap("sessions-in-menu-bar", "menu-bar", environment)),
    ];
  } finally {
    machine.remove();
  }
}

function busyMachine(count: number, alive: number): BusyMachine {
  const folder = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  const configs = [".claude", ".claude-work", ".claude-client"].map((name) => join(folder, name));
  const environment = {
    HOME: folder,
    AGENT_SESSIONS_HOME: join(folder, "home"),
    AGENT_SESSIONS_STATUS_DIR: join(folder, "status"),
    AGENT_SIGNAL_LIGHT_STATE_FILE: join(folder, "signal.json"),
    AGENT_SESSIONS_CLAUDE_DIRS: configs.slice(1).join(","),
    PATH: process.env.PATH ?? "",
    LANG: "en_US.UTF-8",
  };
  for (const config of configs) mkdirSync(join(config, "sessions"), { recursive: true });
  const store = new SessionStore(join(folder, "home"));
  const processes: ChildProcess[] = [];
  for (let index = 0; index < count; index += 1) {
    const config = configs[index % configs.length] ?? folder;
    const record = recordOf(index, config, index < alive);
    store.save({ record, folded: [] });
    if (index >= alive) continue;
    const child = spawn("sleep", ["600"], { stdio: "ignore" });
    processes.push(child);
    if (child.pid !== undefined)
      writeFileSync(join(config, "sessions", `${child.pid}.json`), entryOf(record, child.pid));
    const transcript = record.transcript ?? "";
    writeFileSync(transcript, transcriptOf(record));
    // Some are as large as after weeks of work. The middle is a hole: nobody reads it.
    if (index % 20 === 0) truncateSync(transcript, LARGE);
    if (index % 20 === 0) appendFileSync(transcript, `\n${transcriptOf(record)}`);
  }
  const remove = () => {
    for (const child of processes) child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const title = "Another title";
  const make = () => store.save({ record: { ...recordOf(0, configs[0] ?? folder, true), title }, folded: [] });
  const first = recordOf(0, configs[0] ?? folder, true);
  const work = () => appendFileSync(first.transcript ?? "", transcriptOf(first));
  return { environment, change: { title, make }, work, remove };
}

function recordOf(index: number, config: string, isAlive: boolean): SessionRecord {
  const sessionId = `${String(index).padStart(8, "0")}-4f2e-8190-99e3-ee42f99623d5`;
  const cwd = `/home/dev/work/project-${index % 40}`;
  const facts = {
    cwd,
    permissionMode: "default",
    configDirectory: config,
    transcript: join(config, `${sessionId}.jsonl`),
  };
  const identity = { agent: "claude", sessionId };
  const at = STARTED - index * 60;
  let record = reduce(undefined, identity, {
    ...facts,
    at,
    name: "SessionStart",
    kind: "session-started",
    source: "startup",
  });
  record = reduce(record, identity, {
    ...facts,
    at: at + 5,
    name: "UserPromptSubmit",
    kind: "prompt-submitted",
    origin: "user",
    text: `Task number ${index} of the billing package`,
  });
  record = reduce(record, identity, { ...facts, at: at + 20, name: "Stop", kind: "answer-finished" });
  return isAlive
    ? record
    : reduce(record, identity, { ...facts, at: at + 60, name: "SessionEnd", kind: "session-ended", byUser: false });
}

function entryOf({ sessionId, cwd, since }: SessionRecord, pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const at = since * 1000;
  return JSON.stringify({
    pid,
    sessionId,
    cwd,
    startedAt: at - 10_000,
    procStart,
    version: "2.1.332",
    kind: "interactive",
    entrypoint: "cli",
    name: `project-${pid}`,
    nameSource: "derived",
    status: "idle",
    updatedAt: at,
    statusUpdatedAt: at + 200,
  });
}

function transcriptOf({ sessionId, cwd, since }: SessionRecord): string {
  const base = { sessionId, cwd, version: "2.1.332", gitBranch: "main", userType: "external" };
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: 80_000,
    cache_creation_input_tokens: 900,
    output_tokens: 300,
  };
  const lines: object[] = [];
  for (let turn = 0; turn < 100; turn += 1) {
    const timestamp = new Date((since - 100 + turn) * 1000).toISOString();
    lines.push({
      ...base,
      type: "user",
      timestamp,
      message: { role: "user", content: "Go on with the next step. ".repeat(10) },
    });
    const content = [{ type: "text", text: "Here is what I did. ".repeat(40) }];
    lines.push({
      ...base,
      type: "assistant",
      timestamp,
      message: { id: `m${turn}`, role: "assistant", model: "claude-opus-5-5", content, usage },
    });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

async function asProcess(
  { environment, work }: BusyMachine,
  count: number,
  alive: number,
  rounds: number,
): Promise<Row[]> {
  const list = [join(process.cwd(), "build", "agent-sessions.js"), "list", "--json"];
  const run = (argv: string[], stdout: "pipe" | "ignore" = "ignore") => {
    const options = { env: environment, maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", stdout, "inherit"] as const };
    const begun = process.hrtime.bigint();
    const ended = spawnSync(process.execPath, argv, { ...options, stdio: [...options.stdio] });
    if (ended.status !== 0) throw new Error(`node ${argv.join(" ")} ended with ${ended.status}`);
    return { milliseconds: Number(process.hrtime.bigint() - begun) / 1e6, output: ended.stdout?.toString() ?? "" };
  };
  run(list);
  const shown: unknown = JSON.parse(run(list, "pipe").output);
  const states = countStates(shown);
  const times = { bare: [] as number[], working: [] as number[], atRest: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(run(["-e", "0"]).milliseconds);
    work();
    times.working.push(run(list).milliseconds);
  }
  // An answer is kept once everything was at rest for some seconds.
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  run(list);
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(run(["-e", "0"]).milliseconds);
    times.atRest.push(run(list).milliseconds);
  }
  const middle = (values: number[]) => median(values.length, (index) => values[index] ?? 0);
  const bare = middle(times.bare);
  const name = `${count.toLocaleString("en-US")} sessions over 3 config folders, ${alive} alive`;
  return [
    { name: `list --json, ${name}, at rest`, value: middle(times.atRest), unit: "ms", note: states },
    { name: "the same while one of them works", value: middle(times.working), unit: "ms" },
    { name: "list --json / bare node -e 0 there, at rest", value: middle(times.atRest) / bare, unit: "×" },
    { name: "list --json / bare node -e 0 there, while one works", value: middle(times.working) / bare, unit: "×" },
  ];
}

function countStates(snapshot: unknown): string {
  const counts = new Map<string, number>();
  if (typeof snapshot === "object" && snapshot !== null && "sessions" in snapshot && Array.isArray(snapshot.sessions)) {
    for (const { state } of snapshot.sessions) counts.set(String(state), (counts.get(String(state)) ?? 0) + 1);
  }
  return Array.from(counts, ([state, number]) => `${number} ${state}`).join(", ");
}

/** The menu bar's run, but for the launcher's own part: a look with what was kept of the run before, and the menu. */
function menuWork({ environment }: BusyMachine, rounds: number): Row[] {
  const work = median(rounds, () => {
    const begun = process.cpuUsage();
    const observer = new Observer({ places: placesOf(environment), environment });
    observer.look();
    menuContentOf(observer.snapshot());
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return [{ name: "the menu bar's work there, without the launcher's", value: work, unit: "ms CPU" }];
}
