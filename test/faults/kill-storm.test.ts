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
  const signaled: string[] = [];
  const read: string[] = [];
  let recorded = 0;
  for (let round = 1; round <= amount(4, 80) && tally.hasTime; round += 1) {
    const answer = `answer-${round}`;
    const report = { session_id: answer, agent: "other", state: "done", ts: ANSWERED_AT, done_at: ANSWERED_AT };
    writeFileSync(join(world.places.statusDirectory, `${answer}.json`), JSON.stringify(report));
    const delay = () => (random() < 0.6 ? random() * 400 : undefined);
    const [signal, mark, ...others] = await Promise.all([
      runUpTo(call("agent-signal", "working", "--session", `signal-${round}`), delay()),
      runUpTo(call("agent-sessions", "read", `other:${answer}`), delay()),
      runUpTo(call("agent-sessions", "list", "--json"), delay()),
      runUpTo(call("agent-sessions", "status"), delay()),
      record(world, (recorded += 1)),
      setTimeout(random() * 100).then(() => record(world, (recorded += 1))),
      setTimeout(random() * 200).then(() => record(world, (recorded += 1))),
    ]);
    const ends = [signal, mark, ...others.filter((each) => each !== undefined)];
    tally.rounds += 1;
    tally.kills += ends.filter((each) => each.signal === "SIGKILL").length;
    if (signal.code === 0) signaled.push(`signal-${round}`);
    if (mark.code === 0) read.push(`other:${answer}`);
    tally.note(`round ${round}`, {
      corrupt: [
        ...world.undecodable(),
        ...ends.filter(({ code }) => code !== 0 && code !== null).map(({ code, err }) => `ended with ${code}: ${err}`),
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
  const events = world.signals()?.events.map(({ sessionId }) => sessionId) ?? [];
  const told = Array.from({ length: recorded }, (_, index) => `T${index + 1}`);
  tally.note("at the end", {
    lost: [
      ...told.filter((tool) => !tools.includes(tool)),
      ...signaled.filter((id) => world.signals()?.sessions.has(id) !== true),
      ...read.filter((id) => marks.outcome !== "marks" || marks.marks.sessions[id] === undefined),
    ],
    twice: [
      ...tools.filter((tool, index) => tools.indexOf(tool) !== index),
      ...events.filter((id, index) => id.startsWith("signal-") && events.indexOf(id) !== index),
    ],
    corrupt: [...(last.code === 0 ? [] : [last.err]), ...world.undecodable(), ...world.locksInTheWay()],
  });
  tally.finish();
}, 600_000);
