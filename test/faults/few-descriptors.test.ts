import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { DOINGS, endingFaults } from "./doings";
import { IS_WHOLE, randomOf, someOf, Tally } from "./fault-table";
import { run, start, type Call } from "./faulted-command";
import { World } from "./world";

/** With fewer open files Node itself does not start. */
const LEAST = 20;
const MOST = 40;

/** Runs a command with so many open files at most. */
const limited = (files: number) => ["sh", "-c", 'ulimit -n "$0" && exec "$@"', String(files)];

test("with hardly any files that may be open: it works or says why, nothing is lost", async () => {
  const tally = new Tally("few open files (ulimit -n 20 to 40)", { short: 4, whole: 25 });
  const limits = Array.from({ length: MOST - LEAST + 1 }, (_, index) => LEAST + index);
  const all = limits.flatMap((files) => DOINGS.map((doing) => ({ files, doing })));
  for (const { files, doing } of someOf(all, IS_WHOLE ? 80 : 3, randomOf(tally.what))) {
    if (!tally.hasTime) break;
    const world = await doing.fill(new World());
    const call = doing.call(world);
    const ended = run({ ...call, prefix: limited(files) });
    tally.rounds += 1;
    const where = `${doing.name}, ${files} files`;
    tally.note(where, { corrupt: [...doing.faults(world), ...endingFaults(doing, world, ended)] });
    const isDone = doing.isDone(world, ended);
    const next = isDone ? ended : run(call);
    const isDoneNow = doing.kind === "hook" ? world.waiting().length > 0 : doing.isDone(world, next);
    tally.note(`${where}, next run`, { lost: isDoneNow ? [] : [next.err], corrupt: doing.faults(world) });
  }
  tally.finish();
}, 600_000);

/** A look at everything comes every ten seconds, and the machine may be slow. */
const WHOLE_LOOK_MS = 25_000;

test("list --watch with so few files that nothing can be watched goes on, and shows what is new", async () => {
  const tally = new Tally("list --watch with few open files", { short: 15, whole: 20 });
  const limits = IS_WHOLE ? [LEAST, 22, 24, 28, 34, MOST] : [22];
  await Promise.all(
    limits.map(async (files) => {
      const world = new World();
      mkdirSync(world.places.statusDirectory, { recursive: true });
      const call: Call = {
        program: "agent-sessions",
        argv: ["list", "--watch", "--json"],
        environment: world.environment,
        prefix: limited(files),
      };
      const watching = start(call);
      try {
        const until = async (text: string) => {
          for (let waited = 0; waited < WHOLE_LOOK_MS && !watching.out().includes(text); waited += 100) {
            if (watching.ended() !== undefined) return;
            await setTimeout(100);
          }
        };
        await until('"sessions":[');
        writeFileSync(join(world.places.statusDirectory, "new.json"), '{"session_id":"new","state":"working","ts":1}');
        await until('"session_id":"new"');
        tally.rounds += 1;
        const how = `${JSON.stringify(watching.ended())}: ${watching.out().slice(0, 200)}${watching.err().slice(0, 400)}`;
        tally.note(`${files} files`, {
          lost: watching.out().includes('"session_id":"new"') ? [] : [`not shown: ${how}`],
          corrupt: watching.ended() === undefined ? [] : [`ended: ${how}`],
        });
      } finally {
        await watching.stop();
      }
    }),
  );
  tally.finish();
}, 120_000);
