import { join } from "node:path";
import { DOINGS, endingFaults, type Doing } from "./doings";
import { drawn, Tally } from "./fault-table";
import { run } from "./faulted-command";
import { SmallDisk, testWithDisks } from "./small-disk";
import { World } from "./world";

/** So many pages of 4 KiB are free at most: with more there is room for everything. */
const PAGES = 10;

/** Does something on a disk with so many free pages, and once more when there is room again. */
async function onFullDisk(doing: Doing, pages: number, tally: Tally): Promise<boolean> {
  const disk = new SmallDisk();
  try {
    const world = await doing.fill(new World(join(disk.path, "world")));
    disk.fill(pages);
    const ended = run(doing.call(world));
    tally.rounds += 1;
    const where = `${doing.name}, ${pages} free pages`;
    const isDone = doing.isDone(world, ended);
    tally.note(where, { corrupt: [...doing.faults(world), ...endingFaults(doing, world, ended)] });
    disk.empty();
    const next = run(doing.call(world));
    const isDoneNow = doing.kind === "hook" ? world.waiting().length > 0 : isDone || doing.isDone(world, next);
    const corrupt = [...doing.faults(world), ...endingFaults(doing, world, next), ...world.locksInTheWay()];
    tally.note(`${where}, room again`, { lost: isDoneNow ? [] : [`not done: ${next.err}`], corrupt });
    return isDone;
  } finally {
    disk.remove();
  }
}

testWithDisks(
  "a disk that is full, or fills up at any page: the reason is said, nothing is torn, and it goes on with room again",
  async () => {
    const tally = new Tally("full disk, at each free page", { short: 6, whole: 40 });
    const all = Array.from({ length: PAGES + 1 }, (_, pages) => DOINGS.map((doing) => ({ doing, pages }))).flat();
    for (const { doing, pages } of drawn(all, 5, tally.what)) {
      if (tally.hasTime) await onFullDisk(doing, pages, tally);
    }
    tally.finish();
  },
  600_000,
);
