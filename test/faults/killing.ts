import { drawn, IS_WHOLE, randomOf, type Faults, type Tally } from "./fault-table";
import { run, runFor, stepsOf, type Call, type Ended } from "./faulted-command";
import { faultFiles, hasHalves, type FileFault, type Step } from "./file-faults";

/** A command that is killed, in a world of its own each time. */
export interface Victim<W> {
  /** Makes the world. */
  prepare(): W | Promise<W>;
  call(world: W): Call;
  /** What is wrong right after the kill, or after a command that ended by itself. */
  afterwards(world: W, ended: Ended): Faults;
  /** Has the next command run, and says what is wrong then. */
  next(world: W, ended: Ended): Faults | Promise<Faults>;
}

/** How a command ends that is killed. */
export const KILLED: Ended = { code: null, signal: "SIGKILL", out: "", err: "" };

/**
 * Kills commands at each of their writing file operations, just before it and when it is half done, and looks after each
 * kill and after the next run. In the short version some of the steps; where time is over, no command's are left out.
 *
 * @param some so many of the steps in the short version
 */
export async function killAtSteps<W>(victims: readonly Victim<W>[], tally: Tally, some: number): Promise<void> {
  const random = randomOf(tally.what);
  const steps: { victim: Victim<W>; does: string; at: number; name: string; order: number }[] = [];
  for (const victim of drawn(victims, 1, tally.what)) {
    const all = await countedSteps(victim);
    expect(all.length).toBeGreaterThan(0);
    for (const does of ["kill", "tear"]) {
      const counted = does === "tear" ? all.filter(({ name }) => hasHalves(name)) : all;
      steps.push(...counted.map(({ name }, index) => ({ victim, does, at: index + 1, name, order: random() })));
    }
  }
  steps.sort((one, other) => one.order - other.order);
  for (const { victim, does, at, name } of IS_WHOLE ? steps : steps.slice(0, some)) {
    tally.isCut ||= !tally.hasTime;
    if (tally.isCut) break;
    const world = await victim.prepare();
    const call = victim.call(world);
    const ended = run(call, { does, at });
    tally.rounds += 1;
    if (ended.signal === "SIGKILL") tally.kills += 1;
    const where = `${call.argv.join(" ")}: ${does} at step ${at} (${name})`;
    tally.note(where, victim.afterwards(world, ended));
    tally.note(`${where}, next run`, await victim.next(world, ended));
  }
}

const counted = new Map<string, readonly Step[]>();

/** The writing file operations of a command, in their order; it is run once for that. */
async function countedSteps<W>(victim: Victim<W>): Promise<readonly Step[]> {
  const call = victim.call(await victim.prepare());
  const key = JSON.stringify([call.program, call.argv]);
  const steps = counted.get(key) ?? stepsOf(call, { does: "kill" });
  counted.set(key, steps);
  return steps;
}

/**
 * Kills commands in turn, each again and again in one world: twice at a step that is drawn, then after a time that is
 * drawn. The world is looked at after each kill, and each command is the next one of the kill before.
 */
export async function killAtRandom<W>(victims: readonly Victim<W>[], tally: Tally, rounds: number): Promise<void> {
  const random = randomOf(`${tally.what} at random`);
  const chosen = drawn(victims, 1, tally.what);
  for (let round = 0; round < rounds && tally.hasTime; round += 1) {
    const victim = chosen[round % chosen.length];
    if (victim === undefined) return;
    const steps = (await countedSteps(victim)).length;
    const world = await victim.prepare();
    const call = victim.call(world);
    const first = { does: random() < 0.3 ? "tear" : "kill", at: 1 + Math.floor(random() * steps) };
    const second = { does: "kill", at: 1 + Math.floor(random() * steps) };
    const delay = 20 + random() * 160;
    const where = `${call.argv.join(" ")}, round ${round}: ${first.does} ${first.at}, kill ${second.at}, ${Math.round(delay)} ms`;
    let ended = KILLED;
    for (const kill of [() => run(call, first), () => run(call, second), () => runFor(call, delay)]) {
      ended = await kill();
      tally.rounds += 1;
      if (ended.signal === "SIGKILL") tally.kills += 1;
      tally.note(where, victim.afterwards(world, ended));
    }
    tally.note(`${where}, next run`, await victim.next(world, ended));
  }
}

/** What is cut short without a process of its own: the same work, in this one. */
export interface CutWork<W> extends Pick<Victim<W>, "prepare" | "next"> {
  work(world: W): unknown;
  /** What is wrong right after the cut. */
  afterwards(world: W): Faults;
}

/** No system gives a process this number (Linux: PID_MAX_LIMIT is 2 ** 22). */
const NOBODY = 2 ** 22 + 1;

/** Not an error that anybody may handle: from there on no operation changes anything. */
class Cut extends Error {}

/**
 * Does a work up to a step, as if the process had been killed there: from then on nothing is written any more, and its
 * locks are those of a process that has ended.
 *
 * @returns the steps; of a work that was cut those before the cut
 */
export async function cutShort(work: () => unknown, fault: FileFault): Promise<Step[]> {
  const { done, undo } = faultFiles(fault, () => {
    throw new Cut();
  });
  try {
    await asSomebodyElse(work);
  } catch (error) {
    if (fault.at === 0) throw error;
  } finally {
    undo();
  }
  return done;
}

/** Does a work as a process that has ended by the time anybody looks: what it locked and left is nobody's then. */
export async function asSomebodyElse<T>(work: () => T): Promise<Awaited<T>> {
  const own = process.pid;
  Object.defineProperty(process, "pid", { value: NOBODY, configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, "pid", { value: own, configurable: true });
  }
}

/**
 * Cuts works short, in turn, at every step, and the work that comes after that at a step that is drawn; so many times as
 * there are rounds. Thousands of cuts in the time of some kills.
 */
export async function cutAtSteps<W>(cuts: readonly CutWork<W>[], tally: Tally, rounds: number): Promise<void> {
  const random = randomOf(`${tally.what} cut`);
  const works = new Map<CutWork<W>, { steps: number; halves: number; next: number }>();
  for (const cut of drawn(cuts, 1, tally.what)) {
    const begun = await cut.prepare();
    const all = await cutShort(() => cut.work(begun), { does: "kill", at: 0 });
    expect(all.length).toBeGreaterThan(0);
    const next = Math.floor(random() * all.length);
    works.set(cut, { steps: all.length, halves: all.filter(({ name }) => hasHalves(name)).length, next });
  }
  for (let round = 0; round < rounds && tally.hasTime;) {
    for (const [cut, work] of works) {
      const { steps, halves } = work;
      work.next = (work.next + 1) % steps;
      const faults: FileFault[] = [
        { does: "kill", at: 1 + work.next },
        random() < 0.5
          ? { does: "kill", at: 1 + Math.floor(random() * steps) }
          : { does: "tear", at: 1 + Math.floor(random() * halves) },
      ];
      if (random() < 0.3) faults.reverse();
      const where = `cut ${faults.map(({ does, at }) => `${does} ${at}`).join(", then ")} of ${steps}`;
      const world = await cut.prepare();
      for (const fault of faults) {
        await cutShort(() => cut.work(world), fault);
        tally.note(where, cut.afterwards(world));
      }
      round += 1;
      tally.rounds += 1;
      tally.note(`${where}, next run`, await cut.next(world, KILLED));
    }
  }
}
