import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { askSessions, type AskRequest, type AskSurroundings } from "../../src/cli/verbs/ask-sessions";
import { ControlFolder } from "../../src/control/control-folder";
import { requestIds, readFiled } from "../../src/control/request-files";
import { settleRequests } from "../../src/control/request-log";
import { encodeOutcome } from "../../src/files/control-outcome";
import { decodeStopAnswer } from "../../src/files/control-stop-answer";
import { isOver } from "../../src/session/request-progress";
import { cliIo } from "../cli-io";
import { amount, IS_WHOLE, Tally, type Faults } from "./fault-table";
import { run, type Call, type Ended } from "./faulted-command";
import { cutAtSteps, KILLED, killAtRandom, killAtSteps, type Victim } from "./killing";
import { BUSY, fillWithSessions, PLUGGED } from "./sessions-scene";
import { leftoverCheck, World } from "./world";

const RECORD = resolve(__dirname, "../../assets/bin/record");

interface Asked {
  name: string;
  argv: readonly string[];
  request: AskRequest;
  of: typeof BUSY;
  /** What was asked before. */
  before?: AskRequest;
}

const ASKED: readonly Asked[] = [
  {
    name: "pause by the stop hook",
    argv: ["pause", BUSY.sessionId],
    request: { kind: "save", sessions: [BUSY.sessionId] },
    of: BUSY,
  },
  {
    name: "send by the stop hook",
    argv: ["send", BUSY.sessionId, "Look at the tests"],
    request: { kind: "prompt", text: "Look at the tests", sessions: [BUSY.sessionId] },
    of: BUSY,
  },
  {
    name: "cancel by the stop hook",
    argv: ["cancel", BUSY.sessionId],
    request: { kind: "cancel", sessions: [BUSY.sessionId] },
    of: BUSY,
    before: { kind: "save", sessions: [BUSY.sessionId] },
  },
  {
    name: "restart by the plugin",
    argv: ["restart", PLUGGED.sessionId],
    request: { kind: "save-restart", sessions: [PLUGGED.sessionId] },
    of: PLUGGED,
  },
  {
    name: "stop by the plugin",
    argv: ["stop", PLUGGED.sessionId],
    request: { kind: "interrupt", sessions: [PLUGGED.sessionId] },
    of: PLUGGED,
  },
  {
    name: "cancel by the plugin",
    argv: ["cancel", PLUGGED.sessionId],
    request: { kind: "cancel", sessions: [PLUGGED.sessionId] },
    of: PLUGGED,
    before: { kind: "save-restart", sessions: [PLUGGED.sessionId] },
  },
];

/** Nothing else is installed, and nobody waits. */
const SURROUNDINGS: AskSurroundings = {
  run: () => Promise.resolve({ outcome: "missing" }),
  pause: () => Promise.resolve(),
};

/** Asks in this process; `later` seconds from now. */
async function ask(world: World, request: AskRequest, later = 0) {
  const io = cliIo(world.places, { environment: world.environment, clock: () => Date.now() + later * 1000 });
  return askSessions(request, io, SURROUNDINGS);
}

const stopAnswerFile = (world: World) => new ControlFolder(world.places.home).stopAnswer(BUSY);

/** The requests of a session that are not over. */
function openRequests(world: World, session: typeof BUSY) {
  const folder = new ControlFolder(world.places.home).requests(session);
  return requestIds(folder)
    .map((id) => readFiled(folder, id))
    .filter((filed) => filed !== undefined)
    .filter(({ outcome }) => !isOver(outcome));
}

/** What is wrong with the requests: each can be read, one at a time runs, and what is to be printed is whole. */
function faultsOf(world: World, asked: Asked, ended: Ended): Faults & { corrupt: string[]; twice: string[] } {
  const corrupt = world.undecodable();
  const twice: string[] = [];
  for (const session of [BUSY, PLUGGED]) {
    const running = openRequests(world, session).filter(({ outcome: { kind } }) => !/cancel|interrupt/.test(kind));
    if (running.length > 1) twice.push(`${running.length} requests run`);
  }
  const answer = existsSync(stopAnswerFile(world)) ? readFileSync(stopAnswerFile(world), "utf8") : undefined;
  if (answer !== undefined && !isWhole(decodeStopAnswer(answer)?.printed)) corrupt.push(`the stop answer is ${answer}`);
  const folder = new ControlFolder(world.places.home).requests(asked.of);
  const lost = ended.code === 0 && requestIds(folder).length === 0 ? ["what was asked"] : [];
  return { corrupt, twice, lost };
}

function isWhole(printed: string | undefined): boolean {
  try {
    const answer: unknown = JSON.parse(printed ?? "");
    return typeof answer === "object" && answer !== null && "decision" in answer && answer.decision === "block";
  } catch {
    return false;
  }
}

/** The turn ends: what the recorder prints is whole, and printed once. */
function stopFaults(world: World): Faults {
  const stop = () =>
    spawnSync("/bin/sh", [RECORD, "claude", "Stop"], {
      input: JSON.stringify({ session_id: BUSY.sessionId, hook_event_name: "Stop" }),
      env: { PATH: "/usr/bin:/bin", ...world.environment },
      encoding: "utf8",
    });
  const [first, second] = [stop(), stop()];
  return {
    corrupt: [
      ...(first.stdout !== "" && !isWhole(first.stdout) ? [`a Stop printed ${first.stdout}`] : []),
      ...[first, second].filter(({ status }) => status !== 0).map(({ status }) => `a Stop ended with ${status}`),
    ],
    twice: second.stdout === "" ? [] : ["the stop answer"],
  };
}

/** Whatever was left, it keeps nobody from asking for longer than a request lasts; `later` is when that is over. */
async function askingFaults(world: World): Promise<string[]> {
  const found: string[] = [];
  for (const later of [0, 700]) {
    const { reached, refused } = await ask(world, { kind: "save", sessions: [PLUGGED.sessionId] }, later);
    const reason = refused[0]?.reason ?? "";
    const isAsked = reached.length === 1 || (later === 0 && reason.startsWith("it was asked already"));
    if (!isAsked) found.push(`${later} s later it is not reached: ${reason}`);
  }
  return found;
}

const call = (world: World, argv: readonly string[]): Call => ({
  program: "agent-sessions",
  argv,
  environment: world.environment,
});

const stays = leftoverCheck((world) => {
  // What lies in `control/` is cleared a day later by whoever looks.
  const control = world.ours("control");
  const then = Date.now() / 1000 - 2 * 24 * 3600;
  const names = existsSync(control) ? readdirSync(control, { recursive: true, encoding: "utf8" }) : [];
  for (const name of names.toReversed()) utimesSync(join(control, name), then, then);
  run(call(world, ["pause", PLUGGED.sessionId]));
  run(call(world, ["read", "--all"]));
});

async function worldFor({ before }: Asked): Promise<World> {
  const world = fillWithSessions(new World());
  if (before !== undefined) await ask(world, before);
  return world;
}

async function nextFaults(world: World, asked: Asked, ended: Ended): Promise<Faults & { corrupt: string[] }> {
  const stop = stopFaults(world);
  const asking = await askingFaults(world);
  const { lost = [], twice, corrupt } = faultsOf(world, asked, ended);
  return {
    lost,
    twice: [...twice, ...(stop.twice ?? [])],
    corrupt: [...corrupt, ...(stop.corrupt ?? []), ...asking, ...world.locksInTheWay()],
  };
}

function victimOf(asked: Asked): Victim<World> {
  return {
    prepare: () => worldFor(asked),
    call: (world) => call(world, asked.argv),
    afterwards: (world, ended) => faultsOf(world, asked, ended),
    async next(world, ended) {
      const next = run(call(world, ["list", "--json"]));
      const corrupt = next.code === 0 ? [] : [`ended with ${next.code}: ${next.err}`];
      const faults = await nextFaults(world, asked, ended);
      return { ...faults, corrupt: [...corrupt, ...faults.corrupt, ...stays(world)] };
    },
  };
}

test("asking that is killed at its steps leaves whole requests, and keeps nobody from asking", async () => {
  const tally = new Tally("pause, restart, cancel, stop, send: kill -9 at each step", { short: 4, whole: 35 });
  await killAtSteps(ASKED.map(victimOf), tally, 2);
  tally.finish();
}, 600_000);

test("asking that is killed again and again leaves whole requests, and keeps nobody from asking", async () => {
  const tally = new Tally("pause, restart, cancel, stop, send: kill -9 at random", { short: 3, whole: 20 });
  await killAtRandom(ASKED.map(victimOf), tally, amount(1, 36));
  tally.finish();
}, 600_000);

test("asking that is cut short at every step, and the next one too, leaves whole requests", async () => {
  const tally = new Tally("pause, restart, cancel, stop, send: cut at two steps without a process", {
    short: 3,
    whole: 20,
  });
  const cuts = ASKED.map((asked) => ({
    prepare: () => worldFor(asked),
    work: (world: World) => ask(world, asked.request),
    afterwards: (world: World) => faultsOf(world, asked, KILLED),
    next: (world: World) => nextFaults(world, asked, KILLED),
  }));
  await cutAtSteps(cuts, tally, amount(8, 900));
  tally.finish();
}, 600_000);

test("a receiver that dies while it writes its outcome, wherever, keeps nobody from asking later", async () => {
  const tally = new Tally("outcome of a request, cut at each letter by its receiver", { short: 4, whole: 8 });
  const steps = [
    { outcome: "delivered", at: Date.now() / 1000 },
    { outcome: "saving", at: Date.now() / 1000 },
  ] as const;
  const length = encodeOutcome({ id: "x".repeat(46), kind: "save", by: "plugin", steps: [...steps] }).length;
  const stride = IS_WHOLE ? 1 : Math.ceil(length / 12);
  for (let at = 0; at < length && tally.hasTime; at += stride) {
    const world = fillWithSessions(new World());
    const { reached } = await ask(world, { kind: "save", sessions: [PLUGGED.sessionId] });
    const [first] = reached;
    if (first === undefined) throw new Error("it was not reached");
    const text = encodeOutcome({ ...first.request, steps: [...steps] }).slice(0, at);
    const folder = new ControlFolder(world.places.home).requests(PLUGGED);
    writeFileSync(join(folder, `${first.request.id}.done.json`), text, { mode: 0o600 });
    tally.rounds += 1;
    // Half an hour later nothing more is heard of one that had begun.
    const later = Date.now() / 1000 + 31 * 60;
    settleRequests(world.places.home, [], later);
    const again = await ask(world, { kind: "save", sessions: [PLUGGED.sessionId] }, 31 * 60);
    const corrupt = again.reached.length === 1 ? [] : [`not reached: ${again.refused[0]?.reason}`];
    tally.note(`${at} letters`, { corrupt });
  }
  tally.finish();
}, 120_000);
