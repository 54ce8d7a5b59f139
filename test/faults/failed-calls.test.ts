import { DOINGS, endingFaults, type Doing } from "./doings";
import { amount, drawn, IS_WHOLE, randomOf, someOf, Tally } from "./fault-table";
import { run, stepsOf, type Ended } from "./faulted-command";
import { faultFiles, type FileFault } from "./file-faults";
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
async function runFaulted(doing: Doing, world: World, fault: FileFault): Promise<{ ended: Ended; steps: number }> {
  const { done, undo } = faultFiles(fault, () => {
    throw new Error("nothing ends this process");
  });
  try {
    return { ended: await asSomebodyElse(() => runHere(world, doing.call(world))), steps: done.length };
  } finally {
    undo();
  }
}

/** So many of the operations of one kind are tried in one doing: of the reads there are hundreds. */
const TRIED = 40;

test("whatever the system refuses at whichever operation: the reason is said, nothing is torn, the next run goes on", async () => {
  const tally = new Tally("errors injected at file operations, without a process", { short: 4, whole: 35 });
  const random = randomOf(tally.what);
  const rounds: { doing: Doing; fault: FileFault }[] = [];
  const doings = FAULTED.filter(({ kind }) => kind !== "hook");
  for (const doing of drawn(doings, 2, tally.what)) {
    // The first run loads what it needs, which is not to fail.
    await runFaulted(doing, await doing.fill(new World()), { does: "EIO", at: 0 });
    for (const failure of FAILURES) {
      const { steps } = await runFaulted(doing, await doing.fill(new World()), { ...failure, at: 0 });
      const all = Array.from({ length: steps }, (_, index) => ({ doing, fault: { ...failure, at: index + 1 } }));
      rounds.push(...(IS_WHOLE ? someOf(all, TRIED, random) : someOf(all, 1, random)));
    }
  }
  for (const { doing, fault } of rounds) {
    if (!tally.hasTime) break;
    const world = await doing.fill(new World());
    const { ended } = await runFaulted(doing, world, fault);
    const where = `${doing.name}, ${nameOf(fault)}`;
    await noteAfter({ doing, world, where, tally }, ended, () => runHere(world, doing.call(world)));
  }
  tally.finish();
}, 600_000);
