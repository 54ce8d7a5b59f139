import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { decodeReadMarks } from "../../src/files/read-marks";
import { amount, randomOf, Tally } from "./fault-table";
import { run, runFor, type Call } from "./faulted-command";
import { World } from "./world";

const RECORD = resolve(__dirname, "../../assets/bin/record");

const ANSWERED_AT = 1_780_000_000;

/** A user with all of it at once: a recorder's session, a signal document, answers to be read. */
function busyWorld(): World {
  const world = new World();
  mkdirSync(dirname(world.places.signalStateFile), { recursive: true, mode: 0o700 });
  writeFileSync(world.places.signalStateFile, '{"version":1,"sessions":{}}', { mode: 0o600 });
  mkdirSync(world.places.statusDirectory, { recursive: true });
  writeFileSync(world.ours("read-marks.json"), `{"version":1,"baseline":${ANSWERED_AT - 1},"sessions":{}}`);
  return world;
}

/** A command that never runs longer than it is let: undefined lets it end by itself. */
async function runUpTo(call: Call, milliseconds: number | undefined) {
  return runFor(call, milliseconds ?? 25_000);
}

async function record(world: World, number: number): Promise<void> {
  const payload = { session_id: "s", hook_event_name: "PreToolUse", agent_id: "sub", tool_name: `T${number}` };
  const child = spawn("/bin/sh", [RECORD, "claude", "PreToolUse"], {
    env: { PATH: "/usr/bin:/bin", ...world.environment },
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.end(JSON.stringify(payload));
  await new Promise((settle) => child.once("close", settle));
}

test("all commands at once, killed at any moment: what had ended well is there, once", async () => {
  const tally = new Tally("all commands at once, kill -9 at random times", { short: 4, whole: 30 });
  const random = randomOf(tally.what);
  const world = busyWorld();
  const call = (program: "agent-sessions" | "agent-signal", ...argv: string[]): Call => ({
    program,
    argv,
    environment: { ...world.environment, AGENT_SIGNAL_LIGHT_EVENT_LIMIT: "100000" },
  });
  /** Whose command ended well. */
  const well = new Set<string>();
  let recorded = 0;
  for (let round = 1; round <= amount(4, 80) && tally.hasTime; round += 1) {
    const answers = [1, 2, 3].map((number) => `other:answer-${round}-${number}`);
    for (const id of answers) {
      const session_id = id.slice("other:".length);
      const report = { session_id, agent: "other", state: "done", ts: ANSWERED_AT, done_at: ANSWERED_AT };
      writeFileSync(join(world.places.statusDirectory, `${session_id}.json`), JSON.stringify(report));
    }
    const delay = () => (random() < 0.6 ? random() * 400 : undefined);
    const signals = [1, 2, 3].map((number) => `signal-${round}-${number}`);
    const ends = await Promise.all([
      ...signals.map((id) => runUpTo(call("agent-signal", "working", "--session", id), delay())),
      ...answers.map((id) => runUpTo(call("agent-sessions", "read", id), delay())),
      runUpTo(call("agent-sessions", "list", "--json"), delay()),
      ...[100, 200, 300].map((spread) => setTimeout(random() * spread).then(() => record(world, (recorded += 1)))),
    ]);
    tally.rounds += 1;
    for (const [index, end] of ends.entries()) {
      if (end?.signal === "SIGKILL") tally.kills += 1;
      const id = [...signals, ...answers][index];
      if (end?.code === 0 && id !== undefined) well.add(id);
    }
    tally.note(`round ${round}`, {
      corrupt: [
        ...world.undecodable(),
        ...ends.flatMap((end) => (end?.code ? [`ended with ${end.code}: ${end.err}`] : [])),
      ],
    });
  }
  const last = run(call("agent-sessions", "list", "--json"));
  const tools =
    world
      .records()
      .get("claude:s")
      ?.calls.map(({ tool }) => tool) ?? [];
  const marks = decodeReadMarks(readFileSync(world.ours("read-marks.json"), "utf8"));
  const signaled = new Set(world.signals()?.sessions.keys());
  const marked = new Set(Object.keys(marks.outcome === "marks" ? marks.marks.sessions : {}));
  const events = world.signals()?.events.map(({ sessionId }) => sessionId) ?? [];
  const told = Array.from({ length: recorded }, (_, index) => `T${index + 1}`);
  tally.note("at the end", {
    lost: [
      ...told.filter((tool) => !tools.includes(tool)),
      ...Array.from(well).filter((id) => !signaled.has(id) && !marked.has(id)),
    ],
    twice: [
      ...tools.filter((tool, index) => tools.indexOf(tool) !== index),
      ...events.filter((id, index) => id.startsWith("signal-") && events.indexOf(id) !== index),
    ],
    corrupt: [...(last.code === 0 ? [] : [last.err]), ...world.undecodable(), ...world.locksInTheWay()],
  });
  tally.finish();
}, 600_000);
