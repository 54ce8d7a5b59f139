import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../../src/cli/run";
import { Observer } from "../../src/observe/observer";
import { SessionsError } from "../../src/session/failure";
import { withLock } from "../../src/store/lock";
import { startTicksOf } from "../../src/store/process-clock";
import { cliIo } from "../cli-io";
import { deliver } from "../inbox-file";
import { scratchFolder, scratchPlaces } from "../scratch";
import { amount, randomOf, Tally } from "./fault-table";
import { World } from "./world";

afterEach(() => jest.restoreAllMocks());

const HOUR = 3600;
const DAY = 24 * HOUR;

/** How far the clock is set, in seconds. */
const JUMPS = [-400 * DAY, -DAY, -HOUR, -90, -1, 1, 90, HOUR, DAY, 4000 * DAY];

const NOW = 1_780_000_000;

/** Sessions in every state, told by events and by a status file, with what has an age. */
async function worldOfStates(): Promise<World> {
  const world = new World();
  const { home, statusDirectory, signalStateFile } = world.places;
  let at = NOW - 600;
  const tell = (session_id: string, hook_event_name: string, more: Record<string, unknown> = {}) =>
    deliver(home, {
      agent: "claude",
      at: (at += 1),
      event: hook_event_name,
      payload: { session_id, hook_event_name, ...more },
    });
  for (const id of ["working", "waits", "done", "ended", "asks"]) tell(id, "UserPromptSubmit", { prompt: `Do ${id}` });
  tell("waits", "PermissionRequest", { tool_name: "Bash", tool_input: { command: "ls" } });
  tell("asks", "PreToolUse", { tool_name: "AskUserQuestion", tool_input: {}, tool_use_id: "t" });
  for (const id of ["done", "ended"]) tell(id, "Stop", { background_tasks: [{ id: "b", command: "make" }] });
  tell("ended", "SessionEnd", { reason: "exit" });
  mkdirSync(statusDirectory, { recursive: true });
  for (const state of ["scheduled", "failed", "compacting", "dormant"]) {
    const report = { session_id: state, agent: "other", state, ts: NOW - 30, done_at: NOW - 40, wakeup_at: NOW + 300 };
    writeFileSync(join(statusDirectory, `${state}.json`), JSON.stringify(report));
  }
  mkdirSync(dirname(signalStateFile), { recursive: true, mode: 0o700 });
  const record = { signal: "working", agent: "script", updated_at: new Date((NOW - 10) * 1000).toISOString() };
  writeFileSync(signalStateFile, JSON.stringify({ version: 1, sessions: { build: record } }));
  await ask(world, ["read", "claude:ended"], NOW);
  return world;
}

async function ask(world: World, argv: readonly string[], now: number): Promise<{ code: number; text: string }> {
  const io = cliIo(world.places, { environment: { ...world.environment, PATH: "/nowhere" }, clock: () => now * 1000 });
  const code = await run(argv, io);
  return { code, text: io.out() + io.err() };
}

const SHOWN: readonly (readonly string[])[] = [
  ["list"],
  ["list", "--wide"],
  ["list", "--json"],
  ["list", "--wide", "--sort", "cold"],
  ["show", "claude:waits"],
  ["show", "--json", "claude:done"],
  ["explain", "claude:working"],
  ["explain", "claude:done"],
  ["events"],
  ["events", "--json"],
  ["status"],
  ["status", "--json"],
  ["tmux"],
  ["prompt"],
  ["waybar"],
  ["swiftbar"],
  ["alfred"],
  ["doctor"],
];

/** What no text may say: an age below zero, and what a time is not that cannot be told. */
const NONSENSE =
  /(?:^|[\s(:,])[-−]\d+(?:\.\d+)?\s?(?:s|m|h|d|w|seconds?|minutes?|hours?|days?)\b|"\w*(?:seconds|age)\w*":\s?-|NaN|Infinity|Invalid/m;

test("wherever the clock is set, no text tells an age below zero, or a time that is none", async () => {
  const tally = new Tally("clock set back and forth: ages in texts", { short: 6, whole: 10 });
  for (const jump of JUMPS) {
    const world = await worldOfStates();
    for (const argv of SHOWN) {
      if (!tally.hasTime) break;
      const { code, text } = await ask(world, argv, NOW + jump);
      tally.rounds += 1;
      const found = NONSENSE.exec(text)?.[0];
      const corrupt = [
        ...(found === undefined ? [] : [`says ${JSON.stringify(found)}`]),
        ...(argv[0] === "doctor" || code === 0 ? [] : [`ended with ${code}: ${text.slice(0, 200)}`]),
      ];
      tally.note(`${argv.join(" ")}, ${jump} s`, { corrupt });
    }
  }
  tally.finish();
}, 120_000);

test("entries are folded in the order of their times, and by name at the same time, wherever the times lie", async () => {
  const tally = new Tally("clock set back and forth: order of the fold", { short: 3, whole: 8 });
  const random = randomOf(tally.what);
  for (let round = 0; round < amount(20, 400) && tally.hasTime; round += 1) {
    const world = new World();
    const now = Date.now() / 1000;
    const told = Array.from({ length: 8 }, (_, number) => {
      const at = Math.round(now) + (JUMPS[Math.floor(random() * JUMPS.length)] ?? 0);
      const payload = { session_id: "s", hook_event_name: "PreToolUse", agent_id: "sub", tool_name: `T${number}` };
      const path = deliver(world.places.home, { agent: "claude", at, payload });
      return { at, name: path, tool: `T${number}` };
    });
    new Observer({ places: world.places, environment: world.environment, cache: false }).look();
    const expected = told
      .toSorted((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1))
      .map(({ tool }) => tool);
    const found =
      world
        .records()
        .get("claude:s")
        ?.calls.map(({ tool }) => tool) ?? [];
    tally.rounds += 1;
    const isSame = found.join() === expected.join();
    tally.note(`round ${round}`, isSame ? {} : { lost: [`${found.join()}, not ${expected.join()}`] });
  }
  tally.finish();
}, 120_000);

/** So often at most is looked again within a second for what may become whole. */
const BUSY = 3;

/** How often a live view would look again within ten seconds of a clock that goes on from `now`. */
function looksAgain(observer: Observer, clock: { now: number }): number {
  let looks = 0;
  const end = clock.now + 10;
  let { retryIn } = observer.look();
  while (retryIn !== undefined && clock.now < end) {
    looks += 1;
    clock.now += retryIn / 1000;
    ({ retryIn } = observer.look());
  }
  return looks;
}

describe("what is broken and dated in the future is not looked at again and again", () => {
  const places = () => scratchPlaces();

  test("an entry of the inbox, which is rejected", () => {
    const here = places();
    const clock = { now: NOW };
    deliver(here.home, { agent: "claude", at: NOW + DAY, payload: "{ half" });
    writeFileSync(join(here.home, "inbox", "half"), "agent-sessions 1\nagent=cl");
    utimesSync(join(here.home, "inbox", "half"), NOW + DAY, NOW + DAY);
    const observer = new Observer({ places: here, clock: () => clock.now * 1000, cache: false });
    expect(looksAgain(observer, clock)).toBeLessThanOrEqual(BUSY);
  });

  test("the signal document", () => {
    const here = places();
    const clock = { now: NOW };
    mkdirSync(dirname(here.signalStateFile), { recursive: true });
    writeFileSync(here.signalStateFile, "{ half");
    utimesSync(here.signalStateFile, NOW + DAY, NOW + DAY);
    const observer = new Observer({ places: here, clock: () => clock.now * 1000, cache: false });
    expect(looksAgain(observer, clock)).toBeLessThanOrEqual(BUSY);
  });

  // It is looked at 25 times a second until its time has come.
  test.failing("a status file", () => {
    const here = places();
    const clock = { now: NOW };
    const file = join(here.statusDirectory, "s.json");
    writeFileSync(file, "{ half");
    utimesSync(file, NOW + DAY, NOW + DAY);
    const observer = new Observer({ places: here, clock: () => clock.now * 1000, cache: false });
    expect(looksAgain(observer, clock)).toBeLessThanOrEqual(BUSY);
  });
});

describe("answers stay unread", () => {
  /** What is unread after a session was answered and read at these times of the clock, in this order. */
  async function unreadAfter(steps: readonly ({ answer: number } | { read: number })[]): Promise<boolean> {
    const world = new World();
    // It was used before: nothing of this is older than that.
    const baseline = JSON.stringify({ version: 1, baseline: NOW - DAY, sessions: {} });
    writeFileSync(world.ours("read-marks.json"), baseline, { mode: 0o600 });
    let now = NOW;
    for (const step of steps) {
      if ("answer" in step) {
        now = step.answer;
        for (const [index, hook_event_name] of ["UserPromptSubmit", "Stop"].entries()) {
          const payload = { session_id: "s", hook_event_name, prompt: "Go on" };
          deliver(world.places.home, { agent: "claude", at: now + index, payload });
        }
        await ask(world, ["status"], now + 2);
      } else {
        now = step.read;
        await ask(world, ["read", "--all"], now);
      }
    }
    const { text } = await ask(world, ["list", "--json"], now + 3);
    return /"session_id":"s"[^}]*"unread":true|"unread":true[^}]*"session_id":"s"/.test(text);
  }

  test("as long as the clock goes on, and when it is set forth", async () => {
    expect(await unreadAfter([{ answer: NOW }])).toBe(true);
    expect(await unreadAfter([{ answer: NOW }, { read: NOW + 10 }])).toBe(false);
    expect(await unreadAfter([{ answer: NOW }, { read: NOW + 10 }, { answer: NOW + 20 }])).toBe(true);
    expect(await unreadAfter([{ answer: NOW }, { read: NOW + 10 }, { answer: NOW + HOUR }])).toBe(true);
  });

  test("an answer that nobody has read, whatever the clock does then", async () => {
    expect(await unreadAfter([{ answer: NOW + HOUR }, { answer: NOW }])).toBe(true);
  });

  // A mark covers whatever is dated before it, also an answer that came later.
  test.failing("an answer after the clock was set back behind one that was read", async () => {
    expect(await unreadAfter([{ answer: NOW + HOUR }, { read: NOW + HOUR + 10 }, { answer: NOW }])).toBe(true);
  });
});

describe("a lock", () => {
  /** Held by a process that runs: the one that started this one. */
  function heldLock(): string {
    const path = join(scratchFolder(), "the.lock");
    const holder = { token: "them", pid: process.ppid, start: startTicksOf(process.ppid) ?? "", host: hostname() };
    writeFileSync(path, JSON.stringify(holder));
    return path;
  }

  test("is not broken while its holder runs, however far the clock is set forth", () => {
    const path = heldLock();
    const real = Date.now();
    jest.spyOn(Date, "now").mockReturnValue(real + 400 * DAY * 1000);
    expect(() => withLock(path, () => true, 60)).toThrow(SessionsError);
  });

  test("is waited for as long as was said, also when the clock is set meanwhile", () => {
    for (const step of [-1000, 1000]) {
      const path = heldLock();
      const real = Date.now();
      let calls = 0;
      // After some hundred looks the clock is far ahead: whoever counts by it gives up then.
      jest.spyOn(Date, "now").mockImplementation(() => real + (calls++ < 300 ? calls * step : 400 * DAY * 1000));
      const began = performance.now();
      expect(() => withLock(path, () => true, 150)).toThrow(SessionsError);
      const waited = performance.now() - began;
      expect(waited).toBeGreaterThanOrEqual(150);
      expect(waited).toBeLessThan(1500);
      jest.restoreAllMocks();
    }
  });
});
