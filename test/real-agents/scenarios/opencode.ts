import type { Scenario } from "../scenario";
import { askAndGetAnswer, BEGINNING, COMMAND, heldAnswer, prompt } from "./prompting";

/** opencode makes a session with its first prompt: before it, nothing is shown. */
export const opencodeScenarios: readonly Scenario[] = [
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
      await prompt(stage, "command", [{ call: { tool: "shell", command: COMMAND } }, turn]);
      await list.shows("waiting", {
        passing: ["idle", "working"],
        waitingFor: "permission",
        message: /touch made-by-agent/,
      });
      await terminal.waitFor(/Allow once/);
      await terminal.press("Enter");
      await list.shows("working");
      gate.open();
      await list.shows("done*");
    },
  },
  {
    name: "permission-denied",
    async play(stage) {
      const { list, terminal } = stage;
      await prompt(stage, "command", [{ call: { tool: "shell", command: COMMAND } }]);
      await list.shows("waiting", { passing: ["idle", "working"], waitingFor: "permission" });
      await terminal.waitFor(/Allow once/);
      await terminal.press("Escape");
      await list.shows("idle", { passing: ["working"] });
    },
  },
  {
    name: "question",
    async play(stage) {
      const { list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      await prompt(stage, "question", [{ call: { tool: "ask", question: "Which color?" } }, turn]);
      await list.shows("decision", { passing: ["idle", "working"], waitingFor: "question", message: /Which color\?/ });
      await terminal.waitFor(/1\. +Red/);
      await terminal.press("Enter");
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
      await terminal.waitFor(BEGINNING);
      // The first one asks whether it is meant.
      await terminal.press("Escape", "Escape");
      await list.shows("idle");
    },
  },
  {
    name: "exit",
    async play(stage) {
      const { list, terminal } = stage;
      await askAndGetAnswer(stage);
      await terminal.type("/exit");
      await terminal.press("Enter");
      await list.shows("dormant*");
    },
  },
  {
    name: "error",
    async play(stage) {
      const { list } = stage;
      const error = { status: 400, type: "invalid_request_error", message: "refused by the test" };
      await prompt(stage, "error", [{ error }]);
      await list.shows("failed", { passing: ["idle", "working"], message: /refused by the test/ });
    },
  },
];
