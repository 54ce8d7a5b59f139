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
    knownLimit:
      "nothing tells /clear from a new task of the command center, so whether the answer was seen is not known",
    parameters: ALONE,
    async play(stage) {
      const { list, terminal, explains } = stage;
      const { turn, gate } = heldAnswer();
      await askAndGetAnswer(stage);
      await terminal.type("/clear");
      // The new thread has a lock, but nothing was said in it: it comes to be with its first prompt.
      await list.keepsShowing("done*");
      // The same process shows a new id: the old conversation was left.
      const passing = ["dormant*", "dormant*, idle", "done*, working", "done*, idle"];
      const after = await did("the prompt", prompt(stage, "afterwards", [turn]));
      await list.shows("dormant*, working", { passing, after });
      await list.shows("dormant*, done*", { after: await did("the answer", gate.open()) });
      await explains(/Its process went on with another session\./);
      const [old, fresh] = [list.session(0), list.session(1)];
      if (!fresh.same_process.includes(old.id)) throw new Unmet(`${fresh.id} is not tied to ${old.id}`);
      // Both keep their locks: the second /clear leaves the second.
      await terminal.type("/clear");
      await askAndGetAnswer(stage, {
        before: "dormant*, dormant*, ",
        passing: ["dormant*, dormant*", "dormant*, done*, idle", "dormant*, done*, working"],
        name: "third",
      });
    },
  },
  {
    name: "command-center",
    parameters: ALONE,
    async play(stage) {
      const { list, terminal } = stage;
      const { turn, gate } = heldAnswer();
      await prompt(stage, "slow", [turn]);
      await list.shows("working", { passing: ["idle"] });
      await terminal.waitFor(BEGINNING);
      await terminal.press("Left");
      await terminal.waitFor(/Agent command center/);
      await terminal.press("n");
      await terminal.waitFor(/Ask Codex to do anything/);
      // One process works on two threads: neither was left.
      await askAndGetAnswer(stage, { before: "working, " });
      await list.shows("done*, done*", { after: await did("the answer", gate.open()) });
      await list.keepsShowing("done*, done*");
    },
  },
  {
    name: "resume",
    parameters: ALONE,
    async play(stage) {
      const { list, terminal, open } = stage;
      await askAndGetAnswer(stage);
      const { session_id } = list.session();
      await list.shows("dormant*", { after: await did("/quit", terminal.type("/quit")) });
      const again = await open({ parameters: [...ALONE, "resume", session_id] });
      // Open again, and nothing was asked yet: the answer is there as it was.
      await list.shows("done*");
      await askAndGetAnswer({ ...stage, terminal: again }, { name: "more" });
      await list.shows("dormant*", { after: await did("kill -9", again.kill()) });
    },
  },
  ...[false, true].map((withoutHooks): Scenario => ({
    name: withoutHooks ? "no-hooks-killed-resumed" : "killed-resumed",
    ...(withoutHooks ? { withoutHooks } : {}),
    parameters: ALONE,
    async play(stage) {
      const { list, terminal, open } = stage;
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working", { passing: ["idle"] });
      await terminal.waitFor(BEGINNING);
      const { session_id } = list.session();
      await list.shows("dormant", { after: await did("kill -9", terminal.kill()) });
      const again = await open({ parameters: [...ALONE, "resume", session_id] });
      // No turn goes on in the new process. Without hooks a lock counts once it is two seconds old.
      await list.shows("idle", { passing: ["nothing"] });
      await list.keepsShowing("idle");
      await askAndGetAnswer({ ...stage, terminal: again }, { name: "more" });
    },
  })),
  {
    name: "fork",
    parameters: ALONE,
    async play(stage) {
      const { list, open } = stage;
      await askAndGetAnswer(stage);
      const terminal = await open({ parameters: [...ALONE, "fork", list.session().session_id] });
      await list.shows("done*, idle");
      await askAndGetAnswer({ ...stage, terminal }, { before: "done*, ", name: "fork" });
      await list.keepsShowing("done*, done*");
    },
  },
  {
    name: "exec-beside",
    parameters: ALONE,
    async play(stage) {
      const { list, model, runAside } = stage;
      const { turn, gate } = heldAnswer();
      await askAndGetAnswer(stage);
      model.learn("aside", [turn]);
      const aside = runAside(["exec", "--skip-git-repo-check", promptFor("aside")]);
      await list.shows("done*, working", { passing: ["done*, idle"] });
      gate.open();
      await aside;
      await list.shows("done*, dormant*", { passing: ["done*, done*"] });
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
    name: "daemon-resume",
    parameters: SHARED,
    async play(stage) {
      const { list, terminal, open } = stage;
      await askAndGetAnswer(stage);
      const { session_id } = list.session();
      await terminal.type("/quit");
      // It ends there, and begins anew: what was answered is there as it was.
      const again = await open({ parameters: ["resume", session_id] });
      await list.keepsShowing("done*");
      await askAndGetAnswer({ ...stage, terminal: again }, { name: "more" });
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

/**
 * What locks and rollouts alone tell, where nobody ran `agent-sessions setup`: a session shows once its lock is two
 * seconds old, and vanishes with it.
 */
const withoutHooks: readonly Scenario[] = [
  ...[ALONE, SHARED].map((parameters): Scenario => ({
    name: parameters === ALONE ? "no-hooks" : "daemon-no-hooks",
    withoutHooks: true,
    parameters,
    async play(stage) {
      const { list, terminal, explains } = stage;
      const { turn, gate } = heldAnswer();
      await prompt(stage, "first", [turn]);
      await list.shows("working");
      await list.shows("done*", { after: await did("the answer", gate.open()) });
      await explains(/The transcript says done \(.*it counts instead\. A turn ended with an answer\./);
      await askAndGetAnswer(stage, { name: "second" });
      await prompt(stage, "slow", [heldAnswer().turn]);
      await list.shows("working");
      await terminal.waitFor(BEGINNING);
      await list.shows("idle", { after: await did("Esc", terminal.press("Escape")) });
      await prompt(stage, "error", [{ error: { status: 400, type: "an_error", message: "refused by the test" } }]);
      await list.shows("failed", { passing: ["working"], message: /refused by the test/ });
      await askAndGetAnswer(stage, { name: "third" });
      if (parameters === SHARED) return;
      await list.shows("dormant*", { after: await did("kill -9", terminal.kill()) });
    },
  })),
  {
    name: "no-hooks-clear",
    withoutHooks: true,
    parameters: ALONE,
    async play(stage) {
      const { list, terminal } = stage;
      await askAndGetAnswer(stage);
      await terminal.type("/clear");
      await list.keepsShowing("done*");
      await askAndGetAnswer(stage, {
        before: "dormant*, ",
        passing: ["dormant*", "done*, working"],
        name: "afterwards",
      });
    },
  },
  {
    name: "no-hooks-resume",
    withoutHooks: true,
    parameters: ALONE,
    async play(stage) {
      const { list, terminal, open } = stage;
      await askAndGetAnswer(stage);
      const { session_id } = list.session();
      // Only the lock told of it.
      await list.shows("nothing", { after: await did("/quit", terminal.type("/quit")) });
      const again = await open({ parameters: [...ALONE, "resume", session_id] });
      // Whoever opened it has seen its answer.
      await list.shows("idle");
      await askAndGetAnswer({ ...stage, terminal: again }, { name: "more" });
    },
  },
  {
    name: "no-hooks-subagent",
    knownLimit: "no lock and no rollout of the main thread tells how many of its subagents run",
    withoutHooks: true,
    parameters: ALONE,
    async play(stage) {
      const { list, model } = stage;
      const errand = heldAnswer();
      const main = heldAnswer();
      model.learn("errand", [errand.turn]);
      await prompt(stage, "subagent", [{ call: { tool: "subagent", prompt: promptFor("errand") } }, main.turn]);
      await list.shows("working");
      // Its thread, with a later lock of the same process, is no session, and does not end this one.
      await list.keepsShowing("working");
      await list.shows("done*", { after: await did("the answer", main.gate.open()) });
      errand.gate.open();
      await list.keepsShowing("done*");
    },
  },
  {
    name: "no-hooks-permission",
    knownLimit: "no rollout tells that a command waits for a permission",
    withoutHooks: true,
    parameters: ALONE,
    async play(stage) {
      const { list, terminal } = stage;
      const command = `touch ${stage.home.home}/made-by-agent`;
      await prompt(stage, "command", [{ call: { tool: "shell", command, outsideSandbox: true } }]);
      await terminal.waitFor(/Would you like to run/i);
      await list.shows("working");
      await list.shows("idle", { after: await did("Esc", terminal.press("Escape")) });
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
  ...withoutHooks,
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
    ...[400, 529].map((status): Scenario => ({
      ...named(status === 400 ? "api-error" : "api-overloaded"),
      async play(stage) {
        const { list, terminal, explains } = stage;
        await prompt(stage, "error", [{ error: { status, type: "an_error", message: "refused by the test" } }]);
        // No hook tells of it; the rollout does.
        await list.shows("failed", { passing: ["idle", "working"], message: /refused by the test/ });
        await terminal.waitFor(/refused by the test/);
        await explains(/The transcript says failed \(.*it counts instead\. A turn ended with an error\./);
        await list.keepsShowing("failed");
        await askAndGetAnswer(stage);
      },
    })),
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
