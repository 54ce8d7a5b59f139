import { spawn } from "node:child_process";
import { readdirSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { foldEvents } from "../../src/observe/folding";
import { deliver } from "../inbox-file";
import { amount, randomOf, Tally, type Faults } from "./fault-table";
import { run, type Call } from "./faulted-command";
import { killAtSteps, type Victim } from "./killing";
import { World } from "./world";

const RECORD = resolve(__dirname, "../../assets/bin/record");

/** A call of a subagent stays in its session's record: one that is lost, or there twice, shows. */
const payloadOf = (number: number) =>
  JSON.stringify({ session_id: "s", hook_event_name: "PreToolUse", agent_id: "sub", tool_name: `T${number}` });

/** Starts a recorder and kills it with all it started after a time; whether it had ended by itself, and what it said. */
async function recordFor(world: World, number: number, milliseconds: number | undefined) {
  const child = spawn("/bin/sh", [RECORD, "claude", "PreToolUse"], {
    detached: true,
    env: { PATH: "/usr/bin:/bin", ...world.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (bytes: Buffer) => (printed += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (printed += bytes.toString()));
  const ended = new Promise<number | null>((settle) => child.once("close", (code) => settle(code)));
  child.stdin.on("error", () => undefined).end(payloadOf(number));
  if (milliseconds !== undefined) {
    await setTimeout(milliseconds);
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, "SIGKILL");
    }
  }
  return { code: await ended, printed };
}

const toolsIn = (world: World) =>
  world
    .records()
    .get("claude:s")
    ?.calls.map(({ tool }) => tool) ?? [];

const hiddenIn = (world: World) => readdirSync(world.ours("inbox")).filter((name) => name.startsWith("."));

/** What killed recorders left goes with the next fold once it is old. */
function hiddenThatStay(world: World): string[] {
  const then = Date.now() / 1000 - 2 * 3600;
  for (const name of hiddenIn(world)) utimesSync(join(world.ours("inbox"), name), then, then);
  const payload = { session_id: "other", hook_event_name: "UserPromptSubmit", prompt: "x" };
  deliver(world.places.home, { agent: "claude", at: Date.now() / 1000, payload });
  fold(world);
  return hiddenIn(world).map((name) => `${name} stays for ever`);
}

const fold = ({ places, environment }: World) => foldEvents(places, environment, Date.now);

test("recorders that are killed at any moment: who ended is there once, who did not once at most, and whole", async () => {
  const tally = new Tally("recorder (sh), kill -9 at random times", { short: 3, whole: 25 });
  const random = randomOf(tally.what);
  const world = new World();
  const ended = new Set<string>();
  let number = 0;
  while (tally.rounds < amount(120, 3000) && tally.hasTime) {
    // Some at once, as the sessions of a user are; a fold comes between.
    const numbers = Array.from({ length: 6 }, () => (number += 1));
    await Promise.all(
      numbers.map(async (each) => {
        const isKilled = random() < 0.7;
        const { code, printed } = await recordFor(world, each, isKilled ? random() * 14 : undefined);
        tally.rounds += 1;
        if (code === null) tally.kills += 1;
        else ended.add(`T${each}`);
        if (printed !== "") tally.note(`recorder ${each}`, { corrupt: [`printed ${printed}`] });
        if (code !== 0 && code !== null) tally.note(`recorder ${each}`, { corrupt: [`ended with ${code}`] });
      }),
    );
    tally.note(`round ${number / 6}`, { corrupt: world.undecodable() });
    if (random() < 0.3) fold(world);
  }
  fold(world);
  const tools = toolsIn(world);
  tally.note("at the end", {
    lost: Array.from(ended).filter((tool) => !tools.includes(tool)),
    twice: tools.filter((tool, index) => tools.indexOf(tool) !== index),
    corrupt: [
      ...tools.filter((tool) => !/^T\d+$/.test(tool)),
      ...readdirSync(world.ours("inbox")).filter((name) => name === "rejected"),
      ...hiddenThatStay(world),
    ],
  });
  tally.finish();
}, 600_000);

const recording = (world: World): Call => ({
  program: "agent-sessions",
  argv: ["record", "claude", "PreToolUse"],
  environment: world.environment,
  stdin: payloadOf(1),
});

const twin: Victim<World> = {
  prepare: () => new World(),
  call: recording,
  afterwards: (world, { code, out, err }) => ({
    corrupt: [...world.undecodable(), ...(out + err === "" ? [] : [`printed ${out}${err}`])],
    lost: code === 0 && world.waiting().length === 0 ? ["the event"] : [],
  }),
  next(world): Faults {
    const before = world.waiting().length;
    run({ ...recording(world), stdin: payloadOf(2) });
    fold(world);
    const tools = toolsIn(world);
    return {
      lost: tools.includes("T2") && tools.length === before + 1 ? [] : [`of ${before + 1} there are ${tools.join()}`],
      twice: tools.filter((tool, index) => tools.indexOf(tool) !== index),
      corrupt: hiddenThatStay(world),
    };
  },
};

test("the recorder without sh that is killed at its steps leaves its entry whole or not at all", async () => {
  const tally = new Tally("recorder (Node), kill -9 at each step", { short: 3, whole: 8 });
  await killAtSteps([twin], tally, 2);
  tally.finish();
}, 600_000);
