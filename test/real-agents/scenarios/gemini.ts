import type { Scenario } from "../scenario";
import { askAndGetAnswer, BEGINNING, COMMAND, heldAnswer, prompt } from "./prompting";

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
    name: "permission-denied",
    knownLimit: "hooks are silent on a denial, so the wait stands until the next event",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await prompt(stage, "command", [{ call: { tool: "shell", command: COMMAND } }]);
      await list.shows("waiting", { passing: ["working"], waitingFor: "permission" });
      await terminal.waitFor(/Allow once/);
      await terminal.press("Escape");
      await terminal.waitFor(/Type your message/);
      await list.stillShows("waiting");
      await askAndGetAnswer(stage);
    },
  },
  {
    name: "question",
    async play(stage) {
      const { list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      await list.shows("idle");
      await prompt(stage, "question", [{ call: { tool: "ask", question: "Which color?" } }, turn]);
      await list.shows("decision", { passing: ["working"], waitingFor: "question", message: /Which color\?/ });
      await terminal.waitFor(/1\. +Red/);
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
      await terminal.waitFor(BEGINNING);
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
  {
    name: "api-error",
    async play(stage) {
      const { list } = stage;
      const error = { status: 400, type: "invalid_request_error", message: "refused by the test" };
      await list.shows("idle");
      await prompt(stage, "error", [{ error }]);
      // The hook gets no reason with it.
      await list.shows("failed", { passing: ["working"], message: /Ended without an answer/ });
    },
  },
];
