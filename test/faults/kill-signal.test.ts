import type { SignalDocument } from "../../src/session/signal-document";
import { amount, Tally, type Faults } from "./fault-table";
import { run, type Call, type Ended } from "./faulted-command";
import { killAtRandom, killAtSteps, type Victim } from "./killing";
import { BEFORE, fillWithSignals } from "./signals-scene";
import { leftoverCheck, World } from "./world";

/** What is signaled, by which command line, and how the document tells that it was. */
interface Sent {
  argv: readonly string[];
  stdin?: string;
  /** Which of the sessions before are to be there afterwards. */
  keeps: readonly string[];
  isDone(document: SignalDocument): boolean;
}

const SENT: readonly Sent[] = [
  {
    argv: ["working", "--session", "mine", "--agent", "script", "--event", "Compile"],
    keeps: BEFORE,
    isDone: ({ sessions }) => sessions.get("mine")?.signal === "working",
  },
  {
    argv: ["claude-hook"],
    stdin: JSON.stringify({ session_id: "mine", hook_event_name: "UserPromptSubmit", prompt: "Fix it" }),
    keeps: BEFORE,
    isDone: ({ sessions }) => sessions.has("mine"),
  },
  { argv: ["pause"], keeps: [], isDone: ({ sessions, aggregate }) => sessions.size === 0 && aggregate === "off" },
  { argv: ["reset"], keeps: [], isDone: ({ sessions, aggregate }) => sessions.size === 0 && aggregate === "idle" },
];

function victimOf({ argv, stdin, keeps, isDone }: Sent): Victim<World> {
  const call = ({ environment }: World): Call => ({
    program: "agent-signal",
    argv,
    environment,
    ...(stdin === undefined ? {} : { stdin }),
  });
  return {
    prepare: () => fillWithSignals(new World()),
    call,
    afterwards: (world, ended) => faultsOf(world, ended, keeps, isDone),
    next(world, ended) {
      const next = run({ ...call(world), argv: ["done", "--session", "next"], stdin: "" });
      if (next.code !== 0 || next.err !== "") return { corrupt: [`ended with ${next.code}: ${next.err}`] };
      const { lost = [], corrupt = [] } = faultsOf(world, ended, keeps, ({ sessions }) => sessions.size > 0);
      const isThere = world.signals()?.sessions.get("next")?.signal === "done";
      return {
        lost: isThere ? lost : [...lost, "the next signal"],
        corrupt: [...corrupt, ...world.locksInTheWay(), ...stays(world)],
      };
    },
  };
}

/** Whether the leftovers go once they are old. */
const stays = leftoverCheck((world) => {
  run({ program: "agent-signal", argv: ["working", "--session", "later"], environment: world.environment });
});

/** What is wrong with the document, which is the old one or the new one, and the new one once its command has ended. */
function faultsOf(world: World, { code }: Ended, keeps: Sent["keeps"], isDone: Sent["isDone"]): Faults {
  const corrupt = world.undecodable();
  const document = world.signals();
  if (document === undefined) return { corrupt: [...corrupt, "there is no document"] };
  const lost = keeps.filter((id) => !document.sessions.has(id)).map((id) => `the session ${id}`);
  if (document.extra.theirs !== 1) lost.push("what nobody here knows");
  if (code === 0 && !isDone(document)) lost.push("what was sent");
  // Half of what clears all would be some of the sessions.
  const before = BEFORE.filter((id) => document.sessions.has(id)).length;
  if (before !== 0 && before !== BEFORE.length) corrupt.push(`${before} of the sessions before`);
  const ids = document.events.map(({ id }) => id);
  return { lost, corrupt, twice: ids.filter((id, index) => ids.indexOf(id) !== index) };
}

test("a signal that is killed at its steps leaves the old document or the new one", async () => {
  const tally = new Tally("signal document, kill -9 at each step", { short: 4, whole: 30 });
  await killAtSteps(SENT.map(victimOf), tally, 3);
  tally.finish();
}, 600_000);

test("signals that are killed again and again leave a whole document, with all that was acknowledged", async () => {
  const tally = new Tally("signal document, kill -9 at random steps and times", { short: 3, whole: 20 });
  await killAtRandom(SENT.map(victimOf), tally, amount(1, 80));
  tally.finish();
}, 600_000);
