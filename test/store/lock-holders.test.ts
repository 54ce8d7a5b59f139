import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holdersIn, lockHolders } from "../../src/store/lock-holders";
import { seesWholeMachine } from "../../src/store/process-clock";
import { scratchFolder } from "../scratch";

/** As Linux shows it while Codex 0.171.0 runs: its databases, its thread, and one that waits for a lock. */
const TABLE = `1: POSIX  ADVISORY  READ 30288 fe:00:2433951 128 128
2: FLOCK  ADVISORY  WRITE 30288 fe:00:2433751 0 EOF
2: -> FLOCK  ADVISORY  WRITE 30300 fe:00:2433751 0 EOF
3: FLOCK  ADVISORY  READ 30301 fe:00:2433752 0 EOF
4: OFDLCK ADVISORY  WRITE -1 fe:00:2433753 0 EOF
5: FLOCK  ADVISORY  WRITE 30543 fe:00:2433889 0 EOF
6: FLOCK  ADVISORY  WRITE 30543 fe:00:2433890 0 EOF
`;

test("who holds a file for itself: not who waits, not who reads, not who locks ranges", () => {
  expect(holdersIn(TABLE)).toEqual([30288, 30543, 30543]);
  expect(holdersIn("")).toEqual([]);
});

/** Takes the lock itself, as Codex does; the `flock` command would have ended. */
const TAKE = 'open(my $f, ">>", $ARGV[0]) or die; flock($f, 2) or die; $| = 1; print "locked"; sleep 60';

const canLock = process.platform === "linux" && spawnSync("perl", ["-e", "1"]).status === 0;

(canLock ? test : test.skip)("a lock is its holder's until that is killed (needs Linux and perl)", async () => {
  const folder = join(scratchFolder(), "locks-of-a-test");
  mkdirSync(folder);
  const held = join(folder, "held.lock");
  for (const file of [held, join(folder, "free.lock")]) writeFileSync(file, "");
  expect(lockHolders(folder, "codex")).toEqual({ pids: new Map(), areAll: seesWholeMachine() });
  const holder = spawn("perl", ["-e", TAKE, held], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    await once(holder.stdout, "data");
    expect(lockHolders(folder, "codex").pids).toEqual(new Map([["held.lock", holder.pid]]));
  } finally {
    const over = once(holder, "exit");
    holder.kill("SIGKILL");
    await over;
  }
  expect(lockHolders(folder, "codex").pids.size).toBe(0);
});

const onOther = process.platform === "linux" ? test.skip : test;

onOther("elsewhere nothing is known (not on Linux)", () => {
  expect(lockHolders("/nowhere", "codex")).toEqual({ pids: new Map(), areAll: false });
});
