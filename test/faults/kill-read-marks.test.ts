import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { markSessions, type MarkRequest } from "../../src/cli/verbs/read-marks";
import type { ReadMarks } from "../../src/session/seen";
import { cliIo } from "../cli-io";
import { BASELINE, doneAt, fillWithAnswers, idOf, marksBefore, marksOf, SESSIONS } from "./answers-scene";
import { amount, Tally, type Faults } from "./fault-table";
import { run, type Call, type Ended } from "./faulted-command";
import { cutAtSteps, KILLED, killAtRandom, killAtSteps, type Victim } from "./killing";
import { leftoverCheck, World } from "./world";

/** What is marked, and whether it is. */
interface Marked {
  request: MarkRequest;
  argv: readonly string[];
  isDone(marks: ReadMarks): boolean;
}

const FRESH = `claude:${idOf(SESSIONS - 1)}`;

const MARKED: readonly Marked[] = [
  {
    request: { verb: "read", ids: [FRESH] },
    argv: ["read", FRESH],
    isDone: ({ sessions }) => sessions[FRESH]?.readUntil === doneAt(SESSIONS - 1),
  },
  {
    request: { verb: "read-all" },
    argv: ["read", "--all"],
    isDone: ({ sessions }) => Object.keys(sessions).length === SESSIONS,
  },
  {
    request: { verb: "unread", ids: [`claude:${idOf(0)}`] },
    argv: ["unread", `claude:${idOf(0)}`],
    isDone: ({ sessions }) => sessions[`claude:${idOf(0)}`]?.keptUnread === doneAt(0),
  },
];

/** What is wrong with the marks: those before stay, and those that were told to be made are there. */
function faultsOf(world: World, { code }: Ended, isDone: Marked["isDone"]): Faults & { corrupt: string[] } {
  const corrupt = world.undecodable();
  const marks = marksOf(world);
  if (marks === undefined) return { corrupt };
  const lost = Object.entries(marksBefore().sessions)
    .filter(([id, { readUntil }]) => marks.sessions[id]?.readUntil !== readUntil)
    .map(([id]) => `the mark of ${id}`);
  if (marks.baseline !== BASELINE) lost.push("the time of first use");
  if (code === 0 && !isDone(marks)) lost.push("what was marked");
  return { lost, corrupt };
}

const call = ({ environment }: World, argv: readonly string[]): Call => ({
  program: "agent-sessions",
  argv,
  environment,
});

const stays = leftoverCheck((world) => {
  // A cache is written when what it is of has changed.
  writeFileSync(join(world.places.statusDirectory, "new.json"), '{"session_id":"new","state":"idle","ts":1}');
  run(call(world, ["read", "--all"]));
  run(call(world, ["unread", idOf(1)]));
});

function victimOf({ argv, isDone }: Marked): Victim<World> {
  return {
    prepare: () => fillWithAnswers(new World()),
    call: (world) => call(world, argv),
    afterwards: (world, ended) => faultsOf(world, ended, isDone),
    next(world, ended) {
      const next = run(call(world, ["read", "--all"]));
      if (next.code !== 0 || next.err !== "") return { corrupt: [`ended with ${next.code}: ${next.err}`] };
      const faults = faultsOf(world, { ...ended, code: 0 }, isAllRead);
      return { ...faults, corrupt: [...faults.corrupt, ...world.locksInTheWay(), ...stays(world)] };
    },
  };
}

const isAllRead = ({ sessions }: ReadMarks) => Object.keys(sessions).length === SESSIONS;

test("marking that is killed at its steps leaves the old marks or the new ones", async () => {
  const tally = new Tally("read marks, kill -9 at each step", { short: 3, whole: 25 });
  await killAtSteps(MARKED.map(victimOf), tally, 2);
  tally.finish();
}, 600_000);

test("marking that is killed again and again loses no mark", async () => {
  const tally = new Tally("read marks, kill -9 at random steps and times", { short: 2, whole: 12 });
  await killAtRandom(MARKED.map(victimOf), tally, amount(1, 30));
  tally.finish();
}, 600_000);

test("marking that is cut short at every step, and the next one too, loses no mark", async () => {
  const tally = new Tally("read marks, cut at two steps without a process", { short: 2, whole: 12 });
  const io = (world: World) => cliIo(world.places, { environment: world.environment });
  const cuts = MARKED.map(({ request, isDone }) => ({
    prepare: () => fillWithAnswers(new World()),
    work: (world: World) => markSessions(request, io(world)),
    afterwards: (world: World) => faultsOf(world, KILLED, isDone),
    async next(world: World) {
      await markSessions({ verb: "read-all" }, io(world));
      const faults = faultsOf(world, { ...KILLED, code: 0 }, isAllRead);
      return { ...faults, corrupt: [...faults.corrupt, ...world.locksInTheWay()] };
    },
  }));
  await cutAtSteps(cuts, tally, amount(10, 900));
  tally.finish();
}, 600_000);
