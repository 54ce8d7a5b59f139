import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptFor } from "../model/conversation";
import type { Scenario } from "../scenario";
import { askAndGetAnswer, BEGINNING, COMMAND, heldAnswer, prompt } from "./prompting";

const DIALOG = /Do you want to proceed\?/;

export const claudeScenarios: readonly Scenario[] = [
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
      await prompt(stage, "command", [{ text: "I will run it.", call: { tool: "shell", command: COMMAND } }, turn]);
      await list.shows("waiting", { passing: ["working"], waitingFor: "permission", message: /touch made-by-agent/ });
      await terminal.waitFor(DIALOG);
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
      await prompt(stage, "command", [{ text: "I will run it.", call: { tool: "shell", command: COMMAND } }]);
      await list.shows("waiting", { passing: ["working"], waitingFor: "permission", message: /touch made-by-agent/ });
      await terminal.waitFor(DIALOG);
      await terminal.press("Escape");
      await terminal.waitFor(/Interrupted|rejected/i);
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
    knownLimit: "hooks are silent on Esc, so the work stands until the next event",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working");
      await terminal.waitFor(BEGINNING);
      await terminal.press("Escape");
      await terminal.waitFor(/Interrupted/i);
      await list.stillShows("working");
      await terminal.press("C-u");
      await terminal.type("/exit");
      await list.shows("dormant");
    },
  },
  {
    name: "background-shell",
    async play(stage) {
      const { home, list, terminal } = stage;
      const first = heldAnswer();
      const second = heldAnswer();
      // It ends when the test says so; at the latest after a minute, should the test have gone.
      const command = "i=0; until [ -e go ] || [ $i -gt 600 ]; do i=$((i+1)); sleep 0.1; done; echo over";
      await list.shows("idle");
      const call = { tool: "shell", command, inBackground: true } as const;
      await prompt(stage, "background", [{ call }, first.turn, second.turn]);
      await list.shows("waiting", { passing: ["working"], waitingFor: "permission" });
      await terminal.waitFor(DIALOG);
      await terminal.press("Enter");
      await list.shows("working+1", { passing: ["working"] });
      first.gate.open();
      await list.shows("done*+1");
      writeFileSync(join(home.work, "go"), "");
      // The notice of its end begins a turn that is not the user's: the answer stays unread.
      await list.shows("working*", { passing: ["working*+1", "done*"] });
      second.gate.open();
      await list.shows("done*");
    },
  },
  {
    name: "subagent",
    async play(stage) {
      const { list, model } = stage;
      const errand = heldAnswer();
      const afterwards = heldAnswer();
      model.learn("errand", [errand.turn]);
      await list.shows("idle");
      const call = { tool: "subagent", prompt: promptFor("errand") } as const;
      await prompt(stage, "subagent", [{ call }, { text: "It is on its way." }, afterwards.turn]);
      // The main agent answers while the subagent still runs.
      const passing = ["working", "working~1", "waitingForSubagents~1"];
      await list.shows("waitingForSubagents*~1", { passing });
      errand.gate.open();
      await list.shows("working*", { passing: ["done*"] });
      afterwards.gate.open();
      await list.shows("done*");
    },
  },
  {
    name: "compact",
    async play(stage) {
      const { list, model, terminal } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      const gate = model.holdCompaction();
      await terminal.type("/compact");
      await list.shows("compacting");
      gate.open();
      // Whoever types a command has read the answer above it.
      await list.shows("idle");
    },
  },
  {
    name: "clear",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      await terminal.type("/clear");
      // The same process goes on under a new id.
      await list.shows("dormant, idle", { passing: ["dormant"] });
      await askAndGetAnswer(stage, { before: "dormant, ", name: "afterwards" });
    },
  },
  {
    name: "exit",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      await terminal.type("/exit");
      await list.shows("dormant*");
    },
  },
  {
    name: "killed",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      // No hook tells of it: the process table does.
      terminal.kill();
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
      await list.shows("failed", { passing: ["working"], message: /refused by the test|invalid_request/ });
    },
  },
];
