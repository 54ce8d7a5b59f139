import type { Scenario } from "../scenario";
import { askAndGetAnswer, heldAnswer, prompt } from "./prompting";

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
      const { home, list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      // Outside the folder it may write to.
      const command = `touch ${home.home}/made-by-agent`;
      await prompt(stage, "command", [{ call: { tool: "shell", command, outsideSandbox: true } }, turn]);
      await list.shows("waiting", {
        passing: ["idle", "working"],
        waitingFor: "permission",
        message: /made-by-agent/,
      });
      await terminal.waitFor(/Would you like to run/i);
      await terminal.press("y");
      await list.shows("working");
      gate.open();
      await list.shows("done*");
    },
  },
  {
    name: "esc",
    async play(stage) {
      const { list, terminal } = stage;
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working", { passing: ["idle"] });
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
];
