import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promptFor } from "../model/conversation";
import type { Turn } from "../model/turn";
import type { Scenario, Stage } from "../scenario";
import { Unmet } from "../wait-until";
import { isReported } from "./pause-report";
import { becomes, beginWithPhrase, comesTo, isFresh, isKept, withPlugin, type PickupSession } from "./pickup-sessions";
import { BEGINNING, heldAnswer, prompt } from "./prompting";

/** The way of a save that is proven and followed by a fresh start. */
const RESTARTED = "queued,delivered,saving,saved,restarted";

const TODAY = "# Where it stands\n- today\n";

/** The model saves. */
export const saveTo = (file: string): Turn => ({ call: { tool: "write", file, text: TODAY } });

/** A model that only says so. */
const CLAIM: Turn = { text: "It is saved, or so I say." };

/** Three sessions with the plugin: one that rests and is warm, one at work, and one that is cold. */
async function threeSessions(
  stage: Stage,
  answers: { shop(file: string): readonly Turn[]; docs(file: string): readonly Turn[] },
): Promise<Record<"idle" | "busy" | "cold", PickupSession>> {
  const { list, open, terminal, home } = stage;
  const first = await beginWithPhrase(stage, terminal, "garden");
  await terminal.type("/exit");
  await becomes(stage, first.id, "over", ({ state }) => state === "dormant");
  const sessionId = list.now.find(({ id }) => id === first.id)?.session_id ?? "";
  makeOlder(join(dirname(dirname(first.file)), `${sessionId}.jsonl`));
  const { parameters = [] } = withPlugin(home);
  const cold = { ...first, terminal: await open({ parameters: [...parameters, "--resume", sessionId] }) };
  await becomes(stage, cold.id, "open and cold", ({ state, cache, plugin }) => {
    return state !== "dormant" && cache.state === "cold" && plugin?.file === cold.file;
  });

  const idle = await beginWithPhrase(stage, await open({ parameters }), "shop", answers.shop);
  const busy = await beginWithPhrase(stage, await open({ parameters }), "docs");
  await prompt({ ...stage, terminal: busy.terminal }, "work", answers.docs(busy.file));
  await busy.terminal.waitFor(BEGINNING);
  await becomes(stage, busy.id, "at work", ({ state }) => state === "working");
  await becomes(stage, idle.id, "warm", ({ state, cache }) => state === "done" && cache.state === "warm");
  return { idle, busy, cold };
}

/** What was said in a session, was said two hours before. */
function makeOlder(transcript: string): void {
  const older = readFileSync(transcript, "utf8").replace(
    /"timestamp":"([^"]+)"/g,
    (_, at: string) => `"timestamp":"${new Date(Date.parse(at) - 2 * 3600_000).toISOString()}"`,
  );
  writeFileSync(transcript, older);
}

const COLD = /^cold for 2h: waking it reads about 1k tokens again/;

/** What is said at once of a session at work. */
const GOES_ON = /^it is at work: it saves once its turn has ended, and keeps its context$/;

/** One session with the plugin, asked to start fresh while it rests; it has saved, and its answer is held back. */
async function savingSession(stage: Stage) {
  const held = heldAnswer();
  const session = await beginWithPhrase(stage, stage.terminal, "shop", (file) => [saveTo(file), held.turn]);
  const paused = stage.attempt(["pause", session.id, "--restart", "--wait", "--json"]);
  await session.terminal.waitFor(BEGINNING);
  await comesTo(stage, session, "saving");
  return { session, paused, gate: held.gate };
}

/** What was said on a screen, by the user and the model; hints around it come and go. */
function spokenOn(screen: string): string {
  return screen
    .split("\n")
    .filter((line) => /^[❯●]/.test(line))
    .join("\n");
}

function isWritten({ file }: PickupSession): void {
  if (readFileSync(file, "utf8") !== TODAY) throw new Unmet(`${file} is not what the session wrote`);
}

/** Asked from outside, with the plugin in the sessions. */
export const pausingScenarios: readonly Scenario[] = [
  {
    name: "pause-three",
    start: withPlugin,
    async play(stage) {
      const [saving, work] = [heldAnswer(), heldAnswer()];
      const { idle, busy, cold } = await threeSessions(stage, {
        shop: (file) => [saveTo(file), saving.turn],
        docs: (file) => [work.turn, saveTo(file), { text: "On with the work." }],
      });
      const asleep = spokenOn(await cold.terminal.screen());
      const paused = stage.attempt(["pause", "--all", "--restart", "--wait", "--json"]);
      await comesTo(stage, idle, "saving");
      saving.gate.open();
      await comesTo(stage, idle, "restarted");
      await isFresh(idle);
      isWritten(idle);
      // The other one is still in its turn, and asked for nothing meanwhile.
      await becomes(stage, busy.id, "queued", ({ request }) => request?.steps.at(-1)?.outcome === "queued");
      work.gate.open();
      await comesTo(stage, busy, "saved");
      isReported(await paused, {
        code: 1,
        reached: [
          { id: idle.id, by: "plugin", steps: RESTARTED, savedTo: idle.file },
          {
            ...{ id: busy.id, by: "plugin", steps: "queued,delivered,saving,saved,refused", savedTo: busy.file },
            reason: /^No fresh start: the session was at work when it was asked/,
            note: GOES_ON,
          },
        ],
        leftOut: [{ id: cold.id, reason: COLD }],
      });
      await busy.terminal.waitFor(/On with the work/);
      isWritten(busy);
      await isKept(busy);
      if (spokenOn(await cold.terminal.screen()) !== asleep) throw new Unmet("the cold session was touched");
      await becomes(stage, cold.id, "left alone", ({ request, cache }) => request === null && cache.state === "cold");
      const course = stage.list.requestCourse(idle.id).join();
      if (!/^(?:queued,)?(?:delivered,)?saving,(?:saved,)?restarted$/.test(course))
        throw new Unmet(`the list showed ${course}`);
    },
  },
  {
    name: "pause-three-unwritten",
    start: withPlugin,
    async play(stage) {
      const work = heldAnswer();
      const { idle, busy, cold } = await threeSessions(stage, {
        shop: () => [CLAIM],
        docs: () => [work.turn, CLAIM],
      });
      const paused = stage.attempt(["pause", "--all", "--restart", "--wait", "--json"]);
      await comesTo(stage, idle, "failed");
      await idle.terminal.waitFor(/No fresh start:[^]*wrote\s[^]*nothing/);
      work.gate.open();
      const steps = "queued,delivered,saving,failed";
      isReported(await paused, {
        code: 1,
        reached: [
          { id: idle.id, by: "plugin", steps, reason: /^No fresh start: the session wrote nothing to shop\.md/ },
          {
            ...{ id: busy.id, by: "plugin", steps, note: GOES_ON },
            reason: /^No fresh start: the session wrote nothing to docs\.md/,
          },
        ],
        leftOut: [{ id: cold.id, reason: COLD }],
      });
      await isKept(idle);
      await isKept(busy);
    },
  },
  {
    name: "pause-esc",
    start: withPlugin,
    async play(stage) {
      const { session, paused } = await savingSession(stage);
      await session.terminal.press("Escape");
      isReported(await paused, {
        code: 1,
        reached: [
          {
            id: session.id,
            by: "plugin",
            steps: "queued,delivered,saving,cancelled",
            reason: /you stopped the session/,
          },
        ],
      });
      await session.terminal.waitFor(/Interrupted/);
      await isKept(session);
    },
  },
  {
    name: "pause-typing",
    start: withPlugin,
    async play(stage) {
      const { session, paused, gate } = await savingSession(stage);
      await session.terminal.press("w");
      await session.terminal.waitFor(/you are[^]*typing/);
      // No draft either, so that only the typing counts.
      await session.terminal.press("BSpace");
      gate.open();
      isReported(await paused, {
        code: 1,
        reached: [
          {
            ...{ id: session.id, by: "plugin", steps: "queued,delivered,saving,saved,cancelled" },
            ...{ reason: /you are typing/, savedTo: session.file },
          },
        ],
      });
      await isKept(session);
    },
  },
  {
    name: "pause-cancel",
    start: withPlugin,
    async play(stage) {
      const { session, paused, gate } = await savingSession(stage);
      isReported(await stage.attempt(["cancel", session.id, "--wait", "--json"]), {
        code: 0,
        reached: [{ id: session.id, by: "plugin", steps: "queued,delivered" }],
      });
      gate.open();
      isReported(await paused, {
        code: 1,
        reached: [
          {
            ...{ id: session.id, by: "plugin", steps: "queued,delivered,saving,saved,cancelled" },
            ...{ reason: /it was cancelled/, savedTo: session.file },
          },
        ],
      });
      await isKept(session);
    },
  },
  {
    name: "pause-cancel-early",
    start: withPlugin,
    async play(stage) {
      const { model, terminal, attempt } = stage;
      const { turn, gate } = heldAnswer();
      const session = await beginWithPhrase(stage, terminal, "shop");
      await prompt(stage, "work", [turn]);
      await terminal.waitFor(BEGINNING);
      await becomes(stage, session.id, "at work", ({ state }) => state === "working");
      const paused = attempt(["pause", session.id, "--restart", "--wait", "--json"]);
      await comesTo(stage, session, "queued");
      const takenBack = {
        ...{ id: session.id, by: "plugin", steps: "queued,cancelled" },
        reason: /^taken back before it was delivered$/,
      };
      isReported(await attempt(["cancel", session.id, "--json"]), { code: 0, reached: [takenBack] });
      isReported(await paused, { code: 1, reached: [{ ...takenBack, note: GOES_ON }] });
      gate.open();
      // Requests are taken in their order: with a later one, an earlier one would have been.
      model.learn("sent", [{ text: "The message was answered." }]);
      isReported(await attempt(["send", session.id, promptFor("sent"), "--wait", "--json"]), {
        code: 0,
        reached: [{ id: session.id, by: "plugin", steps: "queued,delivered" }],
      });
      await terminal.waitFor(/The message was answered/);
      if (/Pause: write now/.test(await terminal.screen())) throw new Unmet("it was asked to save");
      await isKept(session);
    },
  },
  {
    name: "pause-draft",
    start: withPlugin,
    async play(stage) {
      const { terminal, attempt } = stage;
      const session = await beginWithPhrase(stage, terminal, "shop", (file) => [
        saveTo(file),
        { text: "It is saved." },
      ]);
      await terminal.press("h", "m");
      await terminal.waitFor(/^❯\shm$/m);
      isReported(await attempt(["pause", session.id, "--restart", "--wait", "--json"]), {
        code: 1,
        reached: [
          {
            ...{ id: session.id, by: "plugin", steps: "queued,delivered,saving,saved,refused" },
            ...{ reason: /there is a draft in the input field/, savedTo: session.file },
          },
        ],
      });
      await terminal.waitFor(/^❯\shm$/m);
      await isKept(session);
    },
  },
  {
    name: "pause-auto",
    start: withPlugin,
    async play(stage) {
      const { terminal, attempt } = stage;
      const session = await beginWithPhrase(stage, terminal, "shop", (file) => [
        (asked) => {
          const token = /\[PAUSE-TURN (\w+)\]/.exec(asked)?.[1] ?? "";
          const text = `${TODAY}Auto-continue: yes — paint the door [${token}]\n`;
          return { call: { tool: "write", file, text } };
        },
        { text: "It is saved." },
      ]);
      isReported(await attempt(["pause", session.id, "--auto", "--wait", "--json"]), {
        code: 0,
        reached: [{ id: session.id, by: "plugin", steps: RESTARTED, savedTo: session.file }],
      });
      // The phrase was sent, and with it that it is to carry on.
      await terminal.waitFor(/do\s+the\s+step\s+of\s+`?Auto-continue:\s+yes/);
      await terminal.waitFor(/There is nothing more to say/);
      if (/This is where the/.test(await terminal.screen())) throw new Unmet("the context was not cleared");
    },
  },
];
