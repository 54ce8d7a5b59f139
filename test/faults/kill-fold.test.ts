import { readFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotSchema } from "../../src/cli/snapshot-schema";
import { foldEvents } from "../../src/observe/folding";
import { EventLogs } from "../../src/store/event-log";
import { deliver } from "../inbox-file";
import { BEGAN, damagedIn, disorderIn, fillWithEvents, FOREIGN, lastingEnvironment, TOOLS } from "./events-scene";
import { amount, Tally, type Faults } from "./fault-table";
import { run, type Call } from "./faulted-command";
import { cutAtSteps, KILLED, killAtRandom, killAtSteps, type Victim } from "./killing";
import { leftoverCheck, World } from "./world";

const listing = (world: World): Call => ({
  program: "agent-sessions",
  argv: ["list", "--json"],
  environment: lastingEnvironment(world),
});

/** The fold alone, as every reader does it first. */
const folding = (world: World): Call => ({
  program: {
    name: "fold",
    source: `
      import { foldEvents } from "./observe/folding";
      import { placesOf } from "./store/places";
      foldEvents(placesOf(process.env), process.env, Date.now);`,
  },
  argv: [],
  environment: lastingEnvironment(world),
});

/** What an undisturbed run makes of the events. */
let expected: { records: Record<string, unknown>; shown: string[]; events: Record<string, string[]> };

const SESSIONS = [
  { agent: "claude", sessionId: "a" },
  { agent: "codex", sessionId: "b" },
  { agent: "claude", sessionId: "c" },
];

function eventsOf(world: World): Record<string, string[]> {
  const logs = new EventLogs(world.places.home);
  return Object.fromEntries(
    SESSIONS.map((session) => [
      session.sessionId,
      logs
        .read({ limit: 100, session })
        .entries.map((entry) => (entry.outcome === "event" ? `${entry.event} ${entry.tool ?? ""} ${entry.at}` : "")),
    ]),
  );
}

function shownBy(out: string): string[] {
  return snapshotSchema
    .parse(JSON.parse(out))
    .sessions.map(({ id, state, unread }) => `${id} ${state}${unread ? " unread" : ""}`);
}

beforeAll(() => {
  const world = fillWithEvents(new World());
  const { code, out, err } = run(listing(world));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expected = { records: Object.fromEntries(world.records()), shown: shownBy(out), events: eventsOf(world) };
  const tools = world
    .records()
    .get("claude:a")
    ?.calls.map(({ tool }) => tool);
  expect(tools).toEqual(TOOLS);
  expect(Object.keys(expected.records).sort()).toEqual(["claude:a", "claude:c", "codex:b"]);
  expect(world.signals()?.sessions.size).toBe(4);
  expect(world.waiting()).toEqual([]);
});

/** What is wrong with the sessions once everything that was told is folded. */
function faultsOfSessions(world: World): Faults & { lost: string[]; twice: string[]; corrupt: string[] } {
  const lost: string[] = [];
  const twice: string[] = [];
  const records = world.records();
  for (const [id, record] of Object.entries(expected.records)) {
    const found = JSON.stringify(records.get(id));
    if (found !== JSON.stringify(record)) lost.push(`${id} is ${found}`);
  }
  // A kill may cost lines of the log, by its rules; never are they there twice, or in another order.
  for (const [id, lines] of Object.entries(eventsOf(world))) {
    if (!isPartOf(lines, expected.events[id] ?? [])) twice.push(`the log of ${id}: ${lines.join("; ")}`);
  }
  const signals = world.signals()?.sessions;
  if (signals?.get("build")?.signal !== "working") lost.push("the signal of another's session");
  if (signals?.size !== 4) lost.push(`there are ${signals?.size} signals`);
  const foreign = readFileSync(join(world.places.statusDirectory, "foreign.json"), "utf8");
  if (foreign !== JSON.stringify(FOREIGN)) lost.push("another's status file");
  const corrupt = damagedIn(world);
  if (world.waiting().length > 0) corrupt.push(`waiting: ${world.waiting().join()}`);
  return { lost, twice, corrupt };
}

const victim: Victim<World> = {
  prepare: () => fillWithEvents(new World()),
  call: listing,
  afterwards: (world) => ({ corrupt: damagedIn(world), twice: disorderIn(world) }),
  next(world) {
    const { code, out, err } = run(listing(world));
    if (code !== 0 || err !== "") return { corrupt: [`ended with ${code}: ${err}`] };
    const { lost, twice, corrupt } = faultsOfSessions(world);
    if (shownBy(out).join() !== expected.shown.join()) lost.push(`shows ${shownBy(out).join("; ")}`);
    return { lost, twice, corrupt: [...corrupt, ...world.locksInTheWay(), ...stays(world)] };
  },
};

const lean: Victim<World> = {
  ...victim,
  call: folding,
  next(world) {
    foldEvents(world.places, lastingEnvironment(world), Date.now);
    const { lost, twice, corrupt } = faultsOfSessions(world);
    return { lost, twice, corrupt: [...corrupt, ...world.locksInTheWay()] };
  },
};

/** Whether a list is another one of which some are left out. */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  let next = 0;
  for (const each of all) if (each === some[next]) next += 1;
  return next === some.length;
}

/** Whether the leftovers go once they are old and another event has come. */
const stays = leftoverCheck((world) => {
  for (const agent of ["claude", "codex"]) {
    const payload = { session_id: "next", hook_event_name: "UserPromptSubmit", prompt: "More" };
    deliver(world.places.home, { agent, at: Date.now() / 1000, payload });
  }
  deliver(world.places.home, { agent: "claude", at: BEGAN, payload: "nothing that can be read" });
  run(listing(world));
  run({ ...listing(world), argv: ["read", "--all"] });
});

test("a list that is killed at its steps loses no event and counts none twice", async () => {
  const tally = new Tally("list with events to fold, kill -9 at each step", { short: 5, whole: 50 });
  await killAtSteps([victim], tally, 5);
  tally.finish();
}, 600_000);

test("a fold that is killed again and again loses no event and counts none twice", async () => {
  const tally = new Tally("fold, kill -9 at random steps and times", { short: 3, whole: 30 });
  await killAtRandom([lean], tally, amount(3, 150));
  tally.finish();
}, 600_000);

test("a fold that is cut short at every step, and the next one too, loses no event and counts none twice", async () => {
  const tally = new Tally("fold, cut at two steps without a process", { short: 4, whole: 25 });
  const work = (world: World) => foldEvents(world.places, lastingEnvironment(world), Date.now);
  await cutAtSteps([{ ...lean, work, afterwards: (world) => lean.afterwards(world, KILLED) }], tally, amount(40, 2000));
  tally.finish();
}, 600_000);
