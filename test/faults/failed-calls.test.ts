import { DOINGS, endingFaults, type Doing } from "./doings";
import { amount, drawn, IS_WHOLE, randomOf, Tally } from "./fault-table";
import { run, stepsOf, type Ended } from "./faulted-command";
import { faultFiles, type FileFault, type Step } from "./file-faults";
import { runHere } from "./in-process";
import { asSomebodyElse } from "./killing";
import { World } from "./world";

/** What the system may say at any of the operations, and whether it goes on saying so. */
const FAILURES: readonly Omit<FileFault, "at">[] = [
  { does: "ENOSPC", of: "write", span: "on" },
  { does: "EIO", of: "write", span: "once" },
  { does: "EROFS", of: "write", span: "on" },
  { does: "EIO", of: "read", span: "once" },
  { does: "EMFILE", of: "read", span: "on" },
  { does: "EIO", of: "list", span: "on" },
];

const FAULTED = DOINGS.filter(({ name }) => name !== "record (sh)");

/** Looks at the world after a failure, has the same done once more without one, and looks again. */
async function noteAfter(
  { doing, world, where, tally }: { doing: Doing; world: World; where: string; tally: Tally },
  ended: Ended,
  again: () => Ended | Promise<Ended>,
): Promise<void> {
  tally.rounds += 1;
  const isDone = doing.isDone(world, ended);
  tally.note(where, { corrupt: [...doing.faults(world), ...endingFaults(doing, world, ended)] });
  const next = await again();
  const isDoneNow = doing.kind === "hook" ? world.waiting().length > 0 : isDone || doing.isDone(world, next);
  const corrupt = [...doing.faults(world), ...endingFaults(doing, world, next), ...world.locksInTheWay()];
  tally.note(`${where}, next run`, { lost: isDoneNow ? [] : [`not done: ${next.err}`], corrupt });
}

const nameOf = ({ does, of, at, span }: FileFault) => `${does} at ${of} ${at}${span === "on" ? " and on" : ""}`;

test("whatever the system refuses a command: the reason is said, nothing is torn, the next run goes on", async () => {
  const tally = new Tally("errors injected at file operations, in commands", { short: 3, whole: 20 });
  const random = randomOf(tally.what);
  for (let round = 0; round < amount(2, 150) && tally.hasTime; round += 1) {
    const doing = FAULTED[Math.floor(random() * FAULTED.length)];
    const failure = FAILURES[Math.floor(random() * FAILURES.length)];
    if (doing === undefined || failure === undefined) continue;
    const counted = stepsOf(doing.call(await doing.fill(new World())), failure);
    const fault = { ...failure, at: 1 + Math.floor(random() * counted.length) };
    const world = await doing.fill(new World());
    const where = `${doing.name}, ${nameOf(fault)}`;
    await noteAfter({ doing, world, where, tally }, run(doing.call(world), fault), () => run(doing.call(world)));
  }
  tally.finish();
}, 600_000);

/** Runs something here while an operation fails. */
async function runFaulted(doing: Doing, world: World, fault: FileFault): Promise<{ ended: Ended; steps: Step[] }> {
  const { done, undo } = faultFiles(fault, () => {
    throw new Error("nothing ends this process");
  });
  try {
    return { ended: await asSomebodyElse(() => runHere(world, doing.call(world))), steps: done };
  } finally {
    undo();
  }
}

/** Of the steps that do the same to files of one kind one, which is drawn: of the reads there are hundreds. */
function oneOfEachKind(steps: readonly Step[], random: () => number): number[] {
  const kinds = new Map<string, number[]>();
  let last = "";
  for (const [index, { name, path }] of steps.entries()) {
    // What is done to an open file follows its opening.
    last = path === "" ? last : path;
    const kind = `${name} ${last.replace(/[0-9a-f]{8,}(-[0-9a-f]+)*|\d+/g, "#").replace(/agent-sessions-\w{6}/, "")}`;
    const known = kinds.get(kind) ?? [];
    known.push(index + 1);
    kinds.set(kind, known);
  }
  return Array.from(kinds.values(), (all) => all[Math.floor(random() * all.length)] ?? 1);
}

test("whatever the system refuses at whichever operation: the reason is said, nothing is torn, the next run goes on", async () => {
  const tally = new Tally("errors injected at file operations, without a process", { short: 4, whole: 45 });
  const random = randomOf(tally.what);
  const rounds: { doing: Doing; fault: FileFault; order: number }[] = [];
  const doings = FAULTED.filter(({ kind }) => kind !== "hook");
  for (const doing of drawn(doings, 2, tally.what)) {
    // The first run loads what it needs, which is not to fail.
    await runFaulted(doing, await doing.fill(new World()), { does: "EIO", at: 0 });
    for (const failure of FAILURES) {
      const { steps } = await runFaulted(doing, await doing.fill(new World()), { ...failure, at: 0 });
      for (const at of oneOfEachKind(steps, random)) {
        rounds.push({ doing, fault: { ...failure, at }, order: random() });
      }
    }
  }
  rounds.sort((one, other) => one.order - other.order);
  for (const { doing, fault } of IS_WHOLE ? rounds : rounds.slice(0, 30)) {
    tally.isCut ||= !tally.hasTime;
    if (tally.isCut) break;
    const world = await doing.fill(new World());
    const { ended } = await runFaulted(doing, world, fault);
    const where = `${doing.name}, ${nameOf(fault)}`;
    await noteAfter({ doing, world, where, tally }, ended, () => runHere(world, doing.call(world)));
  }
  tally.finish();
}, 600_000);
