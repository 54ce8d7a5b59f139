import type { Turn } from "../model/turn";
import type { Scenario, Stage } from "../scenario";
import { askAndGetAnswer, BEGINNING, heldAnswer, prompt } from "./prompting";

/** Codex tells of a session with its first prompt only: before it, nothing is shown. */
export const codexScenarios: readonly Scenario[] = [
  {
    name: "answer",
    async play(stage) {
      await askAndGetAnswer(stage);
      await stage.list.stillShows("done*");
    },
  },
  {
    name: "permission-approved",
    async play(stage) {
      const { list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      await askToLeaveSandbox(stage, [turn]);
      await terminal.press("y");
      await list.shows("working");
      gate.open();
      await list.shows("done*");
    },
  },
  {
    name: "permission-denied",
    async play(stage) {
      const { list, terminal } = stage;
      await askToLeaveSandbox(stage);
      await terminal.press("Escape");
      await list.shows("idle");
    },
  },
  {
    name: "esc",
    async play(stage) {
      const { list, terminal } = stage;
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working", { passing: ["idle"] });
      await terminal.waitFor(BEGINNING);
      await terminal.press("Escape");
      await list.shows("idle");
    },
  },
  {
    name: "exit",
    async play(stage) {
      const { list, terminal } = stage;
      await askAndGetAnswer(stage);
      await terminal.type("/quit");
      await list.shows("dormant*");
    },
  },
  {
    name: "api-error",
    knownLimit: "neither hooks nor notify tell of an error, so the work stands until the next event",
    async play(stage) {
      const { list, terminal } = stage;
      const error = { status: 400, type: "invalid_request_error", message: "refused by the test" };
      await prompt(stage, "error", [{ error }]);
      await list.shows("working", { passing: ["idle"] });
      await terminal.waitFor(/refused by the test/);
      await list.stillShows("working");
      await askAndGetAnswer(stage);
    },
  },
];

/** Comes to where Codex asks whether a command may run outside the sandbox. */
async function askToLeaveSandbox(stage: Stage, afterwards: readonly Turn[] = []): Promise<void> {
  const { home, list, terminal } = stage;
  const command = `touch ${home.home}/made-by-agent`;
  await prompt(stage, "command", [{ call: { tool: "shell", command, outsideSandbox: true } }, ...afterwards]);
  await list.shows("waiting", { passing: ["idle", "working"], waitingFor: "permission", message: /made-by-agent/ });
  await terminal.waitFor(/Would you like to run/i);
}
