import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { follow, type Live } from "../../src/observe/live";
import type { Snapshot } from "../../src/observe/snapshot";
import type { Places } from "../../src/store/places";
import { deliver } from "../inbox-file";
import { scratchPlaces } from "../scratch";
import { Tally } from "./fault-table";
import { start, type Call } from "./faulted-command";
import { World } from "./world";

/** A system that tells nothing, though it says that it watches. */
jest.mock("../../src/store/watch", () => ({ watchFolder: () => Promise.resolve(() => Promise.resolve()) }));

/** Everything is looked at so often, in milliseconds. */
const WHOLE_MS = 10_000;

afterEach(() => jest.useRealTimers());

function write(places: Places, id: string, state: string): void {
  const file = join(places.statusDirectory, `${id}.json`);
  writeFileSync(file, JSON.stringify({ session_id: id, state, ts: 1_780_000_000 }));
}

const shown = ({ sessions }: Snapshot) => sessions.map(({ sessionId, state }) => `${sessionId} ${state}`).sort();

test("a watcher that never tells anything: the look every ten seconds finds what is new, changed and gone", async () => {
  const tally = new Tally("watchers that miss every event", { short: 10, whole: 5 });
  jest.useFakeTimers({ doNotFake: ["Date", "nextTick", "setImmediate", "performance", "queueMicrotask", "hrtime"] });
  const places = scratchPlaces();
  write(places, "stays", "working");
  write(places, "goes", "working");
  let last: string[] = [];
  const live: Live = await follow({ places }, { onSnapshot: (snapshot) => (last = shown(snapshot)) });
  try {
    const steps: { name: string; change: () => void; then: string[] }[] = [
      {
        name: "a new file",
        change: () => write(places, "new", "waiting"),
        then: ["goes working", "new waiting", "stays working"],
      },
      {
        name: "a changed file",
        change: () => write(places, "new", "failed"),
        then: ["goes working", "new failed", "stays working"],
      },
      {
        name: "an event in the inbox",
        change: () => {
          const payload = { session_id: "told", hook_event_name: "UserPromptSubmit", prompt: "x" };
          deliver(places.home, { agent: "claude", at: Date.now() / 1000, payload });
        },
        then: ["goes working", "new failed", "stays working", "told working"],
      },
      {
        name: "a signal document that was not there",
        change: () => {
          mkdirSync(dirname(places.signalStateFile), { recursive: true });
          const record = { signal: "working", agent: "script", updated_at: new Date().toISOString() };
          writeFileSync(places.signalStateFile, JSON.stringify({ version: 1, sessions: { build: record } }));
        },
        then: ["build working", "goes working", "new failed", "stays working", "told working"],
      },
      {
        name: "a file that is gone",
        change: () => rmSync(join(places.statusDirectory, "goes.json")),
        then: ["build working", "new failed", "stays working", "told working"],
      },
    ];
    for (const { name, change, then } of steps) {
      change();
      await jest.advanceTimersByTimeAsync(WHOLE_MS + 100);
      // A file that vanished may come back within a moment of the real clock.
      await new Promise((settle) =>
        jest.requireActual<typeof import("node:timers")>("node:timers").setImmediate(settle),
      );
      for (let turn = 0; turn < 3 && last.join() !== then.join(); turn += 1)
        await jest.advanceTimersByTimeAsync(WHOLE_MS);
      tally.rounds += 1;
      tally.note(name, last.join() === then.join() ? {} : { lost: [`shows ${last.join(", ")}`] });
    }
  } finally {
    await live.stop();
  }
  tally.finish();
}, 60_000);

/** In a name space of its own a user may be denied every watch, for nobody else. */
const denied = (limit: string) => [
  "unshare",
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  `echo 0 >/proc/sys/user/${limit} && exec "$@"`,
  "sh",
];

const canDeny = spawnSync("unshare", [...denied("max_inotify_watches").slice(1), "true"]).status === 0;

const LONGEST_MS = 30_000;

test("a system that has no watch left (ENOSPC) or no watcher (EMFILE): list --watch goes on, and shows what is new", async () => {
  const tally = new Tally("no watches left (ENOSPC), no watchers left (EMFILE)", { short: 25, whole: 15 });
  const refusals: { name: string; call: Partial<Call>; fault?: string }[] = canDeny
    ? [
        { name: "ENOSPC of the system", call: { prefix: denied("max_inotify_watches") } },
        { name: "EMFILE of the system", call: { prefix: denied("max_inotify_instances") } },
      ]
    : [];
  refusals.push(
    { name: "ENOSPC, injected", call: {}, fault: "ENOSPC" },
    { name: "EMFILE, injected", call: {}, fault: "EMFILE" },
  );
  await Promise.all(
    refusals.map(async ({ name, call, fault }) => {
      const world = new World();
      mkdirSync(world.places.statusDirectory, { recursive: true });
      const watching = start(
        { program: "agent-sessions", argv: ["list", "--watch", "--json"], environment: world.environment, ...call },
        fault === undefined ? undefined : { does: fault, at: 1, of: "watch", span: "on" },
      );
      const until = async (text: string) => {
        for (let waited = 0; waited < LONGEST_MS && !watching.out().includes(text); waited += 100) {
          if (watching.ended() !== undefined) return;
          await wait(100);
        }
      };
      try {
        await until('"sessions":[');
        write(world.places, "new", "working");
        await until('"session_id":"new"');
        tally.rounds += 1;
        const how = `${JSON.stringify(watching.ended())} ${watching.err().slice(0, 400)}`;
        tally.note(name, {
          lost: watching.out().includes('"session_id":"new"') ? [] : [`not shown: ${how}`],
          corrupt: [
            ...(watching.ended() === undefined ? [] : [`ended: ${how}`]),
            ...(/\n\s+at /.test(watching.err()) ? [how] : []),
          ],
        });
      } finally {
        await watching.stop();
      }
    }),
  );
  tally.finish();
}, 120_000);
