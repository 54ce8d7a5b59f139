import type { Turn } from "../model/turn";
import type { Scenario, Stage } from "../scenario";
import { askAndGetAnswer, BEGINNING, did, heldAnswer, prompt } from "./prompting";

/** What explains a turn that the user stopped: its own hook tells of it. */
const STOPPED = /Its reported events says idle \((Interrupt|Stop)[^]*it counts\./;

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
  ...[true, false].flatMap(withOwnProcess),
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

/** What is told by other ways when a session's process is its own than when all sessions are in one shared daemon. */
function withOwnProcess(isOwn: boolean): Scenario[] {
  const named = (name: string) => ({
    name: isOwn ? name : `daemon-${name}`,
    parameters: isOwn ? ["--no-daemon"] : [],
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
      ...named("exit"),
      async play(stage) {
        const { list, terminal } = stage;
        await askAndGetAnswer(stage);
        await list.shows("dormant*", { after: await did("/quit", terminal.type("/quit")) });
      },
    },
    {
      ...named("clear"),
      async play(stage) {
        const { list, terminal } = stage;
        await askAndGetAnswer(stage);
        await list.shows("dormant", { after: await did("/clear", terminal.type("/clear")) });
        await askAndGetAnswer(stage, { before: "dormant, ", name: "afterwards" });
      },
    },
    {
      ...named("killed"),
      async play(stage) {
        const { list, terminal } = stage;
        await askAndGetAnswer(stage);
        await list.shows("dormant*", { after: await did("kill -9", terminal.kill()) });
      },
    },
    {
      ...named("killed-working"),
      async play(stage) {
        const { list, terminal } = stage;
        await prompt(stage, "slow", [heldAnswer().turn]);
        await list.shows("working", { passing: ["idle"] });
        await terminal.waitFor(BEGINNING);
        await list.shows("dormant", { after: await did("kill -9", terminal.kill()) });
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
