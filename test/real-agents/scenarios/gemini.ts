import type { Scenario } from "../scenario";
import { askAndGetAnswer, COMMAND, heldAnswer, prompt } from "./prompting";

export const geminiScenarios: readonly Scenario[] = [
  {
    name: "answer",
    async play(stage) {
      await stage.list.shows("idle");
      await askAndGetAnswer(stage);
      await stage.list.stillShows("done*");
    },
  },
  {
    name: "permission-approved",
    async play(stage) {
      const { list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      await list.shows("idle");
      await prompt(stage, "command", [{ call: { tool: "shell", command: COMMAND } }, turn]);
      await list.shows("waiting", { passing: ["working"], waitingFor: "permission", message: /touch made-by-agent/ });
      await terminal.waitFor(/Allow once/);
      await terminal.press("Enter");
      await list.shows("working");
      gate.open();
      await list.shows("done*");
    },
  },
  {
    name: "esc",
    knownLimit: "hooks tell of an answer that Esc cut short as of any other",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working");
      await terminal.waitFor(/This is the answer/);
      await terminal.press("Escape");
      await list.shows("done*");
    },
  },
  {
    name: "exit",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      await terminal.type("/quit");
      await list.shows("dormant*");
    },
  },
];
