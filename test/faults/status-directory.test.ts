import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Observer } from "../../src/observe/observer";
import type { Snapshot } from "../../src/observe/snapshot";
import type { Places } from "../../src/store/places";
import { scratchPlaces } from "../scratch";
import { Tally } from "./fault-table";
import { run, start, type Call } from "./faulted-command";
import { faultFiles } from "./file-faults";
import { World } from "./world";

const NOW = 1_780_000_000;

const IDS = ["one", "two"];

function write(directory: string): void {
  for (const id of IDS) {
    writeFileSync(join(directory, `${id}.json`), JSON.stringify({ session_id: id, state: "working", ts: NOW - 60 }));
  }
}

/** An observer of two sessions, whose clock is set by hand. */
function watched(): { places: Places; clock: { now: number }; observer: Observer } {
  const places = scratchPlaces();
  write(places.statusDirectory);
  const clock = { now: Date.now() / 1000 + 60 };
  const observer = new Observer({ places, clock: () => clock.now * 1000, cache: false });
  observer.look();
  return { places, clock, observer };
}

/** What is shown of the sessions: with `?` where the row is an earlier one, since the directory cannot be read. */
function shown({ sessions }: Snapshot): string[] {
  return sessions
    .map(({ sessionId, unreadableSince }) => sessionId + (unreadableSince === undefined ? "" : "?"))
    .sort();
}

function problemsOf({ problems }: Snapshot, { statusDirectory }: Places): string[] {
  return problems.filter(({ file }) => file === statusDirectory).map(({ reason }) => reason);
}

test.each(["EIO", "EMFILE", "EACCES"])(
  "%s while it is listed: the last rows stay, with their age, and come back",
  (code) => {
    const { places, clock, observer } = watched();
    const began = (clock.now += 5);
    const { undo } = faultFiles({ does: code, at: 1, of: "list", span: "on" }, () => {
      throw new Error("nothing ends here");
    });
    try {
      for (let look = 0; look < 3; look += 1) {
        clock.now += 10;
        expect(observer.look().retryIn).toBeUndefined();
        const snapshot = observer.snapshot();
        expect(shown(snapshot)).toEqual(["one?", "two?"]);
        // Since the first look that failed, however often it fails.
        for (const { unreadableSince } of snapshot.sessions) expect(unreadableSince).toBe(began + 10);
        expect(problemsOf(snapshot, places)).toEqual([expect.stringMatching(/^cannot be listed \(.*\)$/)]);
      }
    } finally {
      undo();
    }
    observer.look();
    expect(shown(observer.snapshot())).toEqual(IDS);
    expect(problemsOf(observer.snapshot(), places)).toEqual([]);
  },
);

test("one that is removed and made anew is found again, with what is in it", () => {
  const { places, clock, observer } = watched();
  for (let round = 0; round < 3; round += 1) {
    rmSync(places.statusDirectory, { recursive: true });
    clock.now += 1;
    observer.look();
    mkdirSync(places.statusDirectory);
    write(places.statusDirectory);
    clock.now += 1;
    observer.look();
    expect(shown(observer.snapshot())).toEqual(IDS);
    expect(problemsOf(observer.snapshot(), places)).toEqual([]);
  }
});

test("a file in its place is named, and once it is a directory again its sessions are back", () => {
  const { places, clock, observer } = watched();
  renameSync(places.statusDirectory, `${places.statusDirectory}.away`);
  writeFileSync(places.statusDirectory, "a file");
  clock.now += 1;
  observer.look();
  expect(problemsOf(observer.snapshot(), places)).toEqual(["is not a folder"]);
  rmSync(places.statusDirectory);
  renameSync(`${places.statusDirectory}.away`, places.statusDirectory);
  clock.now += 1;
  observer.look();
  expect(shown(observer.snapshot())).toEqual(IDS);
  expect(problemsOf(observer.snapshot(), places)).toEqual([]);
});

// The rows of a directory that may not be used are dropped; those of one that is none for a moment with them.
test.failing("a file in its place: the last rows stay, with their age", () => {
  const { places, clock, observer } = watched();
  rmSync(places.statusDirectory, { recursive: true });
  writeFileSync(places.statusDirectory, "a file");
  clock.now += 1;
  observer.look();
  expect(shown(observer.snapshot())).toEqual(["one?", "two?"]);
});

const NOBODY = 65534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const canDropUser = spawnSync("setpriv", [...AS_NOBODY.slice(1), "true"]).status === 0;
const testAsNobody = (name: string, work: () => Promise<void>, timeout: number) =>
  canDropUser ? test(name, work, timeout) : test.skip(`${name} (needs setpriv and root)`, work);

testAsNobody(
  "the right to list it is taken and given back: a list, and one that is live, say so, keep the rows, and recover",
  async () => {
    const tally = new Tally("status directory without the right to list", { short: 20, whole: 15 });
    const world = new World();
    const { statusDirectory } = world.places;
    mkdirSync(statusDirectory, { recursive: true });
    write(statusDirectory);
    spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, world.folder]);
    chmodSync(world.folder, 0o755);
    const call = (...argv: string[]): Call => ({
      program: "agent-sessions",
      argv: ["list", ...argv],
      environment: world.environment,
      prefix: AS_NOBODY,
      cwd: "/",
    });
    run(call());
    const watching = start(call("--watch", "--json"));
    /** The last line of the live list that says so; it is looked at within ten seconds, and the machine may be slow. */
    const until = async (says: (last: string) => boolean) => {
      for (let waited = 0; waited < 30_000; waited += 100) {
        if (says(watching.out().trimEnd().split("\n").at(-1) ?? "")) return [];
        if (watching.ended() !== undefined) break;
        await wait(100);
      }
      return [
        `list --watch ${JSON.stringify(watching.ended())}: ${watching.out().slice(-300)}${watching.err().slice(0, 300)}`,
      ];
    };
    const hasRows = (text: string) => IDS.every((id) => text.includes(`"session_id":"${id}"`));
    try {
      tally.note("before", { corrupt: await until(hasRows) });
      chmodSync(statusDirectory, 0);
      const closed = run(call());
      const isTold = closed.err.includes(statusDirectory) && IDS.every((id) => closed.out.includes(id));
      tally.note("closed, list", { corrupt: closed.code === 0 && isTold ? [] : [closed.out + closed.err] });
      tally.note("closed", { corrupt: await until((last) => hasRows(last) && last.includes("cannot be listed")) });
      chmodSync(statusDirectory, 0o700);
      const open = run(call());
      const isWell = open.code === 0 && open.err === "" && IDS.every((id) => open.out.includes(id));
      tally.note("open again, list", { corrupt: isWell ? [] : [open.out + open.err] });
      tally.note("open again", { corrupt: await until((last) => hasRows(last) && !last.includes("cannot be listed")) });
      tally.rounds += 1;
    } finally {
      await watching.stop();
    }
    tally.finish();
  },
  120_000,
);
