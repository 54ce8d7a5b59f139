import { promptFor } from "../model/conversation";
import type { Turn } from "../model/turn";
import type { Scenario, Stage } from "../scenario";
import { Unmet } from "../wait-until";
import { askAndGetAnswer, BEGINNING, did, heldAnswer, prompt } from "./prompting";

/** What explains a turn that the user stopped: its own hook tells of it. */
const STOPPED = /Its reported events say idle \(.*it counts\./;

const ALONE = ["--no-daemon"] as const;
const SHARED = [] as const;

/** How long the daemon keeps a session whose terminal has gone, with some slack. */
const DAEMON_KEEPS_MS = 90_000;

/** A session whose terminal has its process for itself. */
const inOwnProcess: readonly Scenario[] = [
  {
    name: "exit",
    parameters: ALONE,
    async play(stage) {
      const { list, terminal } = stage;
      await askAndGetAnswer(stage);
      await list.shows("dormant*", { after: await did("/quit", terminal.type("/quit")) });
    },
  },
  {
    name: "killed",
    parameters: ALONE,
    async play(stage) {
      const { list, terminal, explains } = stage;
      await askAndGetAnswer(stage);
      // No hook tells of it: nobody holds the thread's lock any more.
      await list.shows("dormant*", { after: await did("kill -9", terminal.kill()) });
      await explains(/the session is over/);
    },
  },
  {
    name: "killed-working",
    parameters: ALONE,
    async play(stage) {
      const { list, terminal, explains } = stage;
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working", { passing: ["idle"] });
      await terminal.waitFor(BEGINNING);
      await list.shows("dormant", { after: await did("kill -9", terminal.kill()) });
      await explains(/the session is over/);
    },
  },
  {
    name: "clear",
    parameters: ALONE,
    async play(stage) {
      const { list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      await askAndGetAnswer(stage);
      await terminal.type("/clear");
      // The new thread has a lock, but nothing was said in it: it comes to be with its first prompt.
      await list.keepsShowing("done*");
      await prompt(stage, "afterwards", [turn]);
      // The same process shows a new id: the old conversation was left, by a user who saw its answer.
      await list.shows("dormant, working", { passing: ["dormant", "dormant, idle", "done*, working"] });
      await list.shows("dormant, done*", { after: await did("the answer", gate.open()) });
      const [old, fresh] = [list.session(0), list.session(1)];
      if (!fresh.same_process.includes(old.id)) throw new Unmet(`${fresh.id} is not tied to ${old.id}`);
    },
  },
];

/** A session in the shared daemon, which has no process of its own and outlives its terminal. */
const inDaemon: readonly Scenario[] = [
  {
    name: "daemon-exit",
    parameters: SHARED,
    async play(stage) {
      const { list, terminal, explains } = stage;
      await askAndGetAnswer(stage);
      await terminal.type("/quit");
      // "Any running work continues": the session stays open in the daemon for a minute.
      await list.keepsShowing("done*");
      await list.shows("dormant*", { deadlineMs: DAEMON_KEEPS_MS });
      await explains(/Its reported events say ended|the session is over/);
    },
  },
  {
    name: "daemon-killed-working",
    parameters: SHARED,
    async play(stage) {
      const { list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      await prompt(stage, "slow", [turn]);
      await list.shows("working", { passing: ["idle"] });
      await terminal.waitFor(BEGINNING);
      terminal.kill();
      // The daemon works on without the terminal.
      await list.keepsShowing("working");
      await list.shows("done*", { after: await did("the answer", gate.open()) });
      await list.shows("dormant*", { deadlineMs: DAEMON_KEEPS_MS });
    },
  },
  {
    name: "daemon-clear",
    knownLimit: "hooks under the daemon do not tell which of its sessions was cleared, so the old one stays open",
    parameters: SHARED,
    async play(stage) {
      const { list, terminal } = stage;
      await askAndGetAnswer(stage);
      await terminal.type("/clear");
      await list.keepsShowing("done*");
      await askAndGetAnswer(stage, { before: "done*, ", name: "afterwards" });
    },
  },
];

/** Codex tells of a session with its first prompt only: before it, nothing is shown. */
export const codexScenarios: readonly Scenario[] = [
  {
    name: "answer",
    async play(stage) {
      await askAndGetAnswer(stage);
      await stage.list.keepsShowing("done*");
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
  ...[true, false].flatMap(inEitherProcess),
  ...inOwnProcess,
  ...inDaemon,
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

/** What has to be right when a session's process is its own, and when all sessions are in one shared daemon. */
function inEitherProcess(isOwn: boolean): Scenario[] {
  const named = (name: string) => ({
    name: isOwn ? name : `daemon-${name}`,
    parameters: isOwn ? ALONE : SHARED,
  });
  return [
    {
      ...named("permission-denied"),
      async play(stage) {
        const { list, terminal, explains } = stage;
        await askToLeaveSandbox(stage);
        await list.shows("idle", { after: await did("Esc", terminal.press("Escape")) });
        await explains(STOPPED);
      },
    },
    {
      ...named("esc"),
      async play(stage) {
        const { list, terminal, explains } = stage;
        await prompt(stage, "slow", [heldAnswer().turn]);
        await list.shows("working", { passing: ["idle"] });
        await terminal.waitFor(BEGINNING);
        await list.shows("idle", { after: await did("Esc", terminal.press("Escape")) });
        await explains(STOPPED);
      },
    },
    {
      ...named("subagent"),
      async play(stage) {
        const { list, model } = stage;
        const errand = heldAnswer();
        const main = heldAnswer();
        model.learn("errand", [errand.turn]);
        const call = { tool: "subagent", prompt: promptFor("errand") } as const;
        await prompt(stage, "subagent", [{ call }, main.turn]);
        await list.shows("waitingForSubagents~1", { passing: ["idle", "working", "working~1"] });
        // It is a thread with a lock and a transcript of its own, but no session.
        await list.keepsShowing("waitingForSubagents~1");
        await list.shows("waitingForSubagents*~1", { after: await did("the answer", main.gate.open()) });
        await list.shows("done*", { after: await did("the subagent's end", errand.gate.open()) });
        await list.keepsShowing("done*");
      },
    },
  ];
}

/** Comes to where Codex asks whether a command may run outside the sandbox. */
async function askToLeaveSandbox(stage: Stage, afterwards: readonly Turn[] = []): Promise<void> {
  const { home, list, terminal } = stage;
  const command = `touch ${home.home}/made-by-agent`;
  await prompt(stage, "command", [{ call: { tool: "shell", command, outsideSandbox: true } }, ...afterwards]);
  await list.shows("waiting", { passing: ["idle", "working"], waitingFor: "permission", message: /made-by-agent/ });
  await terminal.waitFor(/Would you like to run/i);
}
