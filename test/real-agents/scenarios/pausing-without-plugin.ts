import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promptFor } from "../model/conversation";
import type { Scenario, Stage } from "../scenario";
import { Unmet } from "../wait-until";
import { isReported } from "./pause-report";
import { saveTo } from "./pausing";
import { becomes, beginWithPhrase, comesTo, withMemory } from "./pickup-sessions";
import { askAndGetAnswer, BEGINNING, COMMAND, heldAnswer, prompt } from "./prompting";

/** What is said of a session that was to start fresh. */
const ONLY_SAVES = /^it only saves: starting fresh needs the plugin in the session$/;

const AT_DIALOG = /^it waits for you at a dialog: answer that first$/;

/** How a session without the plugin is asked to save. */
const ASKED = "Pause: please write now where you stand";

/** What keeps the outcome of a Codex session's save from being known. */
const UNPROVEN = /^it answered, but where it saves is not known/;

/** How often the transcript of a session, in any file of a folder, has a prompt of the user with this text. */
function timesAsked({ home }: Stage, folder: string, sessionId: string, text: string): number {
  const names = readdirSync(join(home.home, folder), { recursive: true, encoding: "utf8" });
  const transcripts = names.filter((name) => name.endsWith(`${sessionId}.jsonl`));
  const lines = transcripts.flatMap((name) => readFileSync(join(home.home, folder, name), "utf8").split("\n"));
  const isPrompt = /"type":"(?:user|response_item)","(?:message|payload)":\{.*"role":"user"/;
  return lines.filter((line) => isPrompt.test(line) && line.includes(text)).length;
}

/** The id of the only session, as the list and as the agent name it. */
function only({ list }: Stage): { id: string; sessionId: string } {
  const { id, session_id: sessionId } = list.session();
  return { id, sessionId };
}

/** Whatever is asked of a session at a dialog is refused, and nothing on its screen changes. */
async function refusesAtDialog(stage: Stage): Promise<void> {
  const { terminal, attempt, list } = stage;
  const { id } = only(stage);
  const screen = resting(await terminal.screen());
  for (const [words, reason] of [
    [["pause", id], AT_DIALOG],
    [["pause", "--all", "--restart", "--include-cold"], AT_DIALOG],
    [["send", id, "1"], AT_DIALOG],
    [["stop", id], /at a dialog/],
  ] as const) {
    isReported(await attempt([...words, "--json"]), { code: 1, refused: [{ id, reason }] });
  }
  await list.keepsShowing("waiting");
  const after = resting(await terminal.screen());
  if (after !== screen) throw new Unmet(`the screen changed from\n${screen}`);
}

/** What is on a screen from the prompt on, without what moves: a banner above it, and the dot of a call that waits. */
function resting(screen: string): string {
  return screen.slice(screen.indexOf("play:")).replaceAll("●", " ");
}

/** A busy session saves at the end of its turn by the answer of our Stop hook; to start fresh it is told it cannot. */
const atTurnEnd = (isProven: boolean) => (id: string, file: string) => ({
  code: 1,
  reached: [
    {
      ...{ id, by: "stop-hook", note: ONLY_SAVES },
      ...(isProven
        ? { steps: "queued,delivered,saving,saved", savedTo: file }
        : { steps: "queued,delivered,saving,failed", reason: UNPROVEN }),
    },
  ],
});

/** A message to a session that waits at its prompt: it is typed and answered. */
async function isSent(stage: Stage, shown: string): Promise<void> {
  const { model, list, terminal, attempt } = stage;
  const { id } = only(stage);
  model.learn("sent", [{ text: "The message was answered." }]);
  isReported(await attempt(["send", id, `A message,\nin two lines: ${promptFor("sent")}`, "--wait", "--json"]), {
    code: 0,
    reached: [{ id, by: "terminal", steps: "queued,delivered" }],
  });
  await terminal.waitFor(/The message was answered/);
  await list.until(
    (sessions) => (sessions[0]?.state === "done" ? true : undefined),
    () => `it does not rest after ${shown}`,
  );
}

/** A turn that runs is stopped by Escape; without one there is nothing to stop. */
async function isStopped(stage: Stage): Promise<void> {
  const { terminal, attempt } = stage;
  await prompt(stage, "slow", [heldAnswer().turn]);
  await terminal.waitFor(BEGINNING);
  const { id } = only(stage);
  await becomes(stage, id, "at work", ({ state }) => state === "working");
  isReported(await attempt(["stop", id, "--json"]), {
    code: 0,
    reached: [{ id, by: "terminal", steps: "queued,delivered" }],
  });
  await becomes(stage, id, "at rest", ({ state }) => state === "idle");
  await terminal.waitFor(/interrupted/i);
  isReported(await attempt(["stop", id, "--json"]), { code: 1, refused: [{ id, reason: /no turn of it runs/ }] });
}

/** Claude without the plugin. */
export const claudeWithoutPluginScenarios: readonly Scenario[] = [
  {
    name: "pause-stop-hook",
    start: withMemory,
    async play(stage) {
      const [first, saving, second, claim] = [heldAnswer(), heldAnswer(), heldAnswer(), heldAnswer()];
      const { id, file, terminal } = await beginWithPhrase(stage, stage.terminal, "shop");
      await prompt(stage, "work", [first.turn, saveTo(file), saving.turn]);
      await terminal.waitFor(BEGINNING);
      const paused = stage.attempt(["pause", id, "--restart", "--wait", "--json"]);
      await becomes(stage, id, "queued", ({ request }) => request?.steps.at(-1)?.outcome === "queued");
      first.gate.open();
      await comesTo(stage, { id }, "saving");
      saving.gate.open();
      isReported(await paused, atTurnEnd(true)(id, file));
      // The context is still there.
      await terminal.waitFor(/This is where the shop stands/);
      const { sessionId } = only(stage);
      const times = timesAsked(stage, ".claude/projects", sessionId, ASKED);
      if (times !== 1) throw new Unmet(`it was asked ${times} times`);

      // What was saved before proves nothing now.
      await prompt(stage, "more-work", [second.turn, claim.turn]);
      await becomes(stage, id, "at work", ({ state }) => state === "working");
      const again = stage.attempt(["pause", id, "--wait", "--json"]);
      await becomes(stage, id, "queued", ({ request }) => request?.steps.at(-1)?.outcome === "queued");
      second.gate.open();
      await comesTo(stage, { id }, "saving");
      claim.gate.open();
      isReported(await again, {
        code: 1,
        reached: [{ id, by: "stop-hook", steps: "queued,delivered,saving,failed", reason: /^nothing was written$/ }],
      });
    },
  },
  {
    name: "pause-taken-back",
    start: withMemory,
    async play(stage) {
      const { terminal, attempt } = stage;
      const { turn, gate } = heldAnswer();
      const { id } = await beginWithPhrase(stage, terminal, "shop");
      await prompt(stage, "work", [turn, { text: "It was asked to save." }]);
      await becomes(stage, id, "at work", ({ state }) => state === "working");
      isReported(await attempt(["pause", id, "--json"]), {
        code: 0,
        reached: [{ id, by: "stop-hook", steps: "queued" }],
      });
      isReported(await attempt(["pause", id, "--json"]), {
        code: 1,
        refused: [{ id, reason: /^it was asked already, and that still runs \(queued\)$/ }],
      });
      isReported(await attempt(["cancel", id, "--json"]), {
        code: 0,
        reached: [{ id, by: "stop-hook", steps: "queued,cancelled", reason: /^taken back before it was delivered$/ }],
      });
      gate.open();
      await becomes(stage, id, "at rest", ({ state }) => state === "done");
      await terminal.waitFor(/The second half/);
      if (/asked to save/.test(await terminal.screen())) throw new Unmet("it was asked to save");
    },
  },
  {
    name: "pause-typed",
    start: withMemory,
    async play(stage) {
      const { turn, gate } = heldAnswer();
      const { id, file } = await beginWithPhrase(stage, stage.terminal, "shop", (target) => [saveTo(target), turn]);
      const { sessionId } = only(stage);
      const paused = stage.attempt(["pause", id, "--wait", "--json"]);
      await comesTo(stage, { id }, "saving");
      gate.open();
      isReported(await paused, {
        code: 0,
        reached: [{ id, by: "terminal", steps: "queued,delivered,saving,saved", savedTo: file }],
      });
      const times = timesAsked(stage, ".claude/projects", sessionId, ASKED);
      if (times !== 1) throw new Unmet(`it was asked ${times} times`);
    },
  },
  {
    name: "pause-at-dialog",
    start: withMemory,
    async play(stage) {
      const { terminal, list } = stage;
      await list.shows("idle");
      await prompt(stage, "command", [{ text: "I will run it.", call: { tool: "shell", command: COMMAND } }]);
      await list.shows("waiting", { passing: ["working"], waitingFor: "permission" });
      await terminal.waitFor(/Do you want to proceed\?/);
      await refusesAtDialog(stage);
    },
  },
  {
    name: "send-and-stop",
    start: withMemory,
    async play(stage) {
      await stage.list.shows("idle");
      await askAndGetAnswer(stage);
      await isSent(stage, "the message");
      await isStopped(stage);
    },
  },
];

/** Codex, which has no plugin. */
export const codexPausingScenarios: readonly Scenario[] = [
  {
    name: "pause-stop-hook",
    async play(stage) {
      const [work, saving] = [heldAnswer(), heldAnswer()];
      const file = join(stage.home.work, "where-it-stands.md");
      await prompt(stage, "work", [work.turn, saveTo(file), saving.turn]);
      await stage.terminal.waitFor(BEGINNING);
      await stage.list.shows("working", { passing: ["idle"] });
      const { id, sessionId } = only(stage);
      const paused = stage.attempt(["pause", id, "--restart", "--wait", "--json"]);
      await becomes(stage, id, "queued", ({ request }) => request?.steps.at(-1)?.outcome === "queued");
      work.gate.open();
      await comesTo(stage, { id }, "saving");
      saving.gate.open();
      isReported(await paused, atTurnEnd(false)(id, file));
      readFileSync(file);
      const times = timesAsked(stage, ".codex/sessions", sessionId, ASKED);
      if (times !== 1) throw new Unmet(`it was asked ${times} times`);
    },
  },
  {
    name: "pause-typed",
    async play(stage) {
      const file = join(stage.home.work, "where-it-stands.md");
      const { turn, gate } = heldAnswer();
      await prompt(stage, "answer", [{ text: "An answer." }, saveTo(file), turn]);
      await stage.list.shows("done*", { passing: ["idle", "working"] });
      const { id, sessionId } = only(stage);
      const paused = stage.attempt(["pause", id, "--wait", "--json"]);
      await comesTo(stage, { id }, "saving");
      gate.open();
      isReported(await paused, {
        code: 1,
        reached: [{ id, by: "terminal", steps: "queued,delivered,saving,failed", reason: UNPROVEN }],
      });
      readFileSync(file);
      const times = timesAsked(stage, ".codex/sessions", sessionId, ASKED);
      if (times !== 1) throw new Unmet(`it was asked ${times} times`);
    },
  },
  {
    name: "pause-at-dialog",
    async play(stage) {
      const { home, list, terminal } = stage;
      const command = `touch ${home.home}/made-by-agent`;
      await prompt(stage, "command", [{ call: { tool: "shell", command, outsideSandbox: true } }]);
      await list.shows("waiting", { passing: ["idle", "working"], waitingFor: "permission" });
      await terminal.waitFor(/Would you like to run/i);
      await refusesAtDialog(stage);
    },
  },
  {
    name: "send-and-stop",
    async play(stage) {
      await askAndGetAnswer(stage);
      await isSent(stage, "the message");
      await isStopped(stage);
    },
  },
];
