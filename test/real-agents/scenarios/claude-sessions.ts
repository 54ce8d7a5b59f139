import { promptFor } from "../model/conversation";
import { rememberedBy } from "../agents/claude-home";
import type { Scenario } from "../scenario";
import { Unmet } from "../wait-until";
import { askAndGetAnswer, BEGINNING, COMMAND, did, heldAnswer, prompt } from "./prompting";

const MANUAL = ["--permission-mode", "manual"] as const;

/** A second configuration folder, as people have who keep work and private accounts apart. */
const SECOND = ".claude-second";

/** Claude Code's sessions as such: resumed, beside each other, without hooks. */
export const claudeSessionScenarios: readonly Scenario[] = [
  {
    name: "resume",
    async play(stage) {
      const { list, terminal, open, explains } = stage;
      await list.shows("idle");
      await askAndGetAnswer(stage);
      await list.shows("dormant*", { after: await did("/exit", terminal.type("/exit")) });
      const { id, session_id } = list.session();
      const second = await open({ parameters: [...MANUAL, "--resume", session_id] });
      // The same row is alive again, and who opened it sees the answer.
      await list.shows("idle");
      await explains(/Its process \d+ runs/);
      await askAndGetAnswer({ ...stage, terminal: second }, { name: "afterwards" });
      if (list.now.length !== 1 || list.session().id !== id)
        throw new Unmet(`one row is expected, not ${list.now.length}`);
    },
  },
  {
    name: "side-run",
    async play(stage) {
      const { list, model, runAside, explains } = stage;
      const aside = heldAnswer();
      const slow = heldAnswer();
      model.learn("aside", [aside.turn]);
      await list.shows("idle");
      await askAndGetAnswer(stage);
      const { session_id } = list.session();
      const sideRun = runAside(["-p", "--resume", session_id, promptFor("aside")]);
      // It has asked the model, so its first hooks have run.
      await model.isAskedTo("aside");
      await list.stillShows("done*");
      await explains(/Its reported events say done/);
      aside.gate.open();
      // Its end, with the session's id, is not the session's.
      await sideRun;
      await list.stillShows("done*");
      // Nor is it when the session works.
      await prompt(stage, "slow", [slow.turn]);
      await list.shows("working");
      await runAside(["-p", "--resume", session_id, "a question on the side"]);
      await list.stillShows("working");
      await list.shows("done*", { after: await did("the answer", slow.gate.open()) });
      if (list.now.length !== 1) throw new Unmet(`one row is expected, not ${list.now.length}`);
    },
  },
  {
    name: "two-folders",
    commandEnvironment: { AGENT_SESSIONS_CLAUDE_DIRS: `Second=~/${SECOND}` },
    async play(stage) {
      const { home, list, open, command, explains } = stage;
      home.write(`${SECOND}/.claude.json`, rememberedBy(home.work));
      const environment = { CLAUDE_CONFIG_DIR: `${home.home}/${SECOND}` };
      await command(["setup", "claude", "--yes"], environment);
      await list.shows("idle");
      const second = await open({ environment });
      await list.shows("idle, idle");
      const labels = list.now.map(({ config }) => config);
      if (labels[0] !== null || labels[1] !== "Second") throw new Unmet(`the folders are called ${labels.join(", ")}`);
      await askAndGetAnswer(stage, { after: ", idle", name: "first" });
      await prompt({ ...stage, terminal: second }, "slow", [heldAnswer().turn]);
      await list.shows("done*, working");
      await second.waitFor(BEGINNING);
      // Also of the second folder the registry tells what no hook does.
      await list.shows("done*, idle", { after: await did("Esc", second.press("Escape")) });
      await explains(new RegExp(`${SECOND}/(sessions|projects)/`), 1);
    },
  },
  {
    name: "without-hooks",
    withoutHooks: true,
    async play(stage) {
      const { list, terminal, explains } = stage;
      const first = heldAnswer();
      const second = heldAnswer();
      await list.shows("idle");
      const call = { tool: "shell", command: COMMAND } as const;
      const sent = prompt(stage, "command", [{ ...first.turn, call }, second.turn]);
      await list.shows("working", { after: await did("the prompt", sent) });
      await list.shows("waiting", { after: await did("the call", first.gate.open()), waitingFor: "permission" });
      await explains(/The agent's registry says waiting .*it counts/);
      await terminal.waitFor(/Do you want to proceed\?/);
      await list.shows("working", { after: await did("the permission", terminal.press("Enter")) });
      await terminal.waitFor(BEGINNING);
      // Without events nobody knows what the user saw: no answer is unread.
      await list.shows("idle", { after: await did("the answer", second.gate.open()) });
      const { title, sources } = list.session();
      if (!/^(A title|please play:command)$/.test(title)) throw new Unmet(`its title is ${title}`);
      if (sources.join() !== "registry,transcript") throw new Unmet(`it is told by ${sources.join(", ")}`);
      await list.shows("dormant", { after: await did("kill -9", terminal.kill()) });
      await explains(/Its process \d+ is gone/);
    },
  },
];
