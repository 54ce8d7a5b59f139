import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptFor } from "../model/conversation";
import type { Scenario, Stage } from "../scenario";
import type { Moment } from "../shown-sessions";
import { Unmet } from "../wait-until";
import { claudeSessionScenarios } from "./claude-sessions";
import { askAndGetAnswer, BEGINNING, COMMAND, did, heldAnswer, prompt } from "./prompting";

const DIALOG = /Do you want to proceed\?/;

/** What explains a turn that the user stopped: of registry and transcript, the one that was written first. */
const STOPPED = /The (agent's registry|transcript) says idle .*it counts instead/;

/** What explains a session whose process is not there any more. */
const GONE = /Its process \d+ is gone/;

/** A command in the background that ends when the scenario makes the file `go`; at the latest after a minute. */
const BACKGROUND = "i=0; until [ -e go ] || [ $i -gt 600 ]; do i=$((i+1)); sleep 0.1; done; echo over";

export const claudeScenarios: readonly Scenario[] = [
  {
    name: "answer",
    async play(stage) {
      await stage.list.shows("idle");
      await askAndGetAnswer(stage);
      await stage.list.keepsShowing("done*");
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
    name: "permission-esc",
    async play(stage) {
      const { list, terminal, explains } = stage;
      await comeToPermission(stage);
      // No hook tells of it.
      await list.shows("idle", { after: await did("Esc", terminal.press("Escape")) });
      await explains(STOPPED);
      await terminal.waitFor(/Interrupted|rejected/i);
      await askAndGetAnswer(stage);
    },
  },
  {
    name: "permission-denied",
    async play(stage) {
      const { list, terminal, explains } = stage;
      await comeToPermission(stage);
      // Which number it has depends on what else is offered.
      const [, number = ""] = await terminal.waitFor(/(\d)\. No\b/);
      await list.shows("idle", { after: await did("No", terminal.press(number)) });
      await explains(STOPPED);
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
    async play(stage) {
      const { list, terminal, explains } = stage;
      await list.shows("idle");
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working");
      await terminal.waitFor(BEGINNING);
      // No hook tells of it. The half of an answer is none that could be unread.
      await list.shows("idle", { after: await did("Esc", terminal.press("Escape")) });
      await explains(STOPPED);
      await terminal.waitFor(/Interrupted/i);
      await list.keepsShowing("idle");
      await terminal.press("C-u");
      await list.shows("dormant", { after: await did("/exit", terminal.type("/exit")) });
    },
  },
  {
    name: "background-shell",
    async play(stage) {
      const { home, list, explains } = stage;
      const { second } = await leaveCommandRunning(stage);
      // The registry turns idle a moment after the answer.
      await list.keepsShowing("done*+1");
      await explains(/The agent's registry says idle .*it agrees/i);
      // The notice of its end begins a turn that is not the user's: the answer stays unread.
      await list.shows("working*", {
        passing: ["working*+1", "done*"],
        after: await did("its end", endCommand(home.work)),
      });
      await list.shows("done*", { after: await did("the answer", second.gate.open()) });
    },
  },
  {
    name: "subagent",
    async play(stage) {
      const { list, model, explains } = stage;
      const errand = heldAnswer();
      const onItsWay = heldAnswer();
      const afterwards = heldAnswer();
      model.learn("errand", [errand.turn]);
      await list.shows("idle");
      const call = { tool: "subagent", prompt: promptFor("errand") } as const;
      await prompt(stage, "subagent", [{ call }, onItsWay.turn, afterwards.turn]);
      await list.shows("waitingForSubagents~1", { passing: ["working", "working~1"] });
      // The main agent answers while the subagent still runs.
      await list.shows("waitingForSubagents*~1", { after: await did("the answer", onItsWay.gate.open()) });
      await explains(/The agent's registry says working .*it agrees[^]*It waits for 1 of its subagents/i);
      await list.keepsShowing("waitingForSubagents*~1");
      await list.shows("working*", {
        passing: ["done*"],
        after: await did("the subagent's end", errand.gate.open()),
      });
      await list.shows("done*", { after: await did("the last answer", afterwards.gate.open()) });
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
      const { list, terminal, explains } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      // The same process goes on under a new id.
      const after = await did("/clear", terminal.type("/clear"));
      await list.shows("dormant, idle", { passing: ["dormant"], after });
      const [old, fresh] = [list.session(0), list.session(1)];
      if (!fresh.same_process.includes(old.id)) throw new Unmet(`${fresh.id} is not tied to ${old.id}`);
      await explains(/Its reported events say ended/, 0);
      await explains(new RegExp(`The same process also ran ${old.id}`), 1);
      await askAndGetAnswer(stage, { before: "dormant, ", name: "afterwards" });
    },
  },
  {
    name: "exit",
    async play(stage) {
      const { list, terminal } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      await list.shows("dormant*", { after: await did("/exit", terminal.type("/exit")) });
    },
  },
  {
    name: "killed",
    async play(stage) {
      const { list, terminal, explains } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      // No hook tells of it: the process table does.
      await list.shows("dormant*", { after: await did("kill -9", terminal.kill()) });
      await explains(GONE);
    },
  },
  {
    name: "killed-working",
    async play(stage) {
      const { list, terminal, explains } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      // Whoever writes has read the answer above.
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working");
      await terminal.waitFor(BEGINNING);
      await list.shows("dormant", { after: await did("kill -9", terminal.kill()) });
      await explains(GONE);
    },
  },
  {
    name: "killed-working-unread",
    async play(stage) {
      const { home, list, terminal, explains } = stage;
      await leaveCommandRunning(stage);
      endCommand(home.work);
      await list.shows("working*", { passing: ["working*+1", "done*"] });
      // The user wrote nothing since the answer: it is still unread.
      await list.shows("dormant*", { after: await did("kill -9", terminal.kill()) });
      await explains(GONE);
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
  ...claudeSessionScenarios,
];

/** Comes to where Claude asks whether a command may run. */
async function comeToPermission(stage: Stage): Promise<void> {
  const { list, terminal } = stage;
  await list.shows("idle");
  await prompt(stage, "command", [{ text: "I will run it.", call: { tool: "shell", command: COMMAND } }]);
  await list.shows("waiting", { passing: ["working"], waitingFor: "permission", message: /touch made-by-agent/ });
  await terminal.waitFor(DIALOG);
}

/** Comes to an answer that nobody read, with a command that still runs; its end will be answered by the second. */
async function leaveCommandRunning(stage: Stage): Promise<{ second: ReturnType<typeof heldAnswer> }> {
  const { list, terminal } = stage;
  const first = heldAnswer();
  const second = heldAnswer();
  await list.shows("idle");
  const call = { tool: "shell", command: BACKGROUND, inBackground: true } as const;
  await prompt(stage, "background", [{ call }, first.turn, second.turn]);
  await list.shows("waiting", { passing: ["working"], waitingFor: "permission" });
  await terminal.waitFor(DIALOG);
  await terminal.press("Enter");
  await list.shows("working+1", { passing: ["working"] });
  await list.shows("done*+1", { after: await did("the answer", first.gate.open()) });
  return { second };
}

/** Lets the command in the background end; gives the moment. */
function endCommand(work: string): Moment {
  const moment = Date.now();
  writeFileSync(join(work, "go"), "");
  return moment;
}
