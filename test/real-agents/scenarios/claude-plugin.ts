import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Scenario, Stage } from "../scenario";
import type { Terminal } from "../terminal";
import { Unmet, waitUntil } from "../wait-until";
import { promptFor } from "../model/conversation";
import type { Turn } from "../model/turn";
import { BEGINNING, heldAnswer } from "./prompting";

const PHRASE = "shop pickup";
const HELLO: Turn = { text: "Here is where the shop stands." };

/** A session with the plugin, which began with a pickup phrase; what it is asked next, the model answers in turn. */
async function shopSession(stage: Stage, turns: (file: string) => readonly Turn[]): Promise<Terminal> {
  const { home, model } = stage;
  // The client writes its typings into the folder it loads.
  const plugin = join(home.home, "claude-plugin");
  cpSync(resolve("assets", "claude-plugin"), plugin, { recursive: true });
  const memory = join(".claude", "projects", home.work.replace(/[^A-Za-z0-9]/g, "-"), "memory");
  home.write(join(memory, "MEMORY.md"), `# Memory\n- [Shop](shop.md) 🔑 \`${PHRASE}\`: where the shop stands\n`);
  home.write(join(memory, "shop.md"), "# Shop\n- yesterday\n");
  const terminal = await stage.open({ parameters: ["--permission-mode", "manual", "--plugin-dir", plugin] });
  model.learn("shop", [HELLO, ...turns(join(home.home, memory, "shop.md"))]);
  await terminal.type(`${PHRASE}, ${promptFor("shop")}`);
  await terminal.waitFor(/Here is where the shop stands/);
  return terminal;
}

/** The model saves by a shell command. Into the memory's folder it may write unasked. */
const saveTo = (file: string): Turn => ({ call: { tool: "shell", command: `echo '- today' >> '${file}'` } });

/** Nothing of the conversation is left, and the phrase waits to be sent. */
async function isFresh(terminal: Terminal): Promise<void> {
  await terminal.waitFor(new RegExp(`^❯\\s${PHRASE}\\s*$`, "m"));
  if (/Here is where the shop stands/.test(await terminal.screen())) throw new Unmet("the context was not cleared");
}

async function isKept(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/Here is where the shop stands/);
}

/** Leaves a request as the launcher does, and waits until it came to an end; gives its steps. */
async function ask({ home }: Stage, kind: string): Promise<readonly string[]> {
  const ours = join(home.home, ".agent-sessions");
  const [mark] = readdirSync(join(ours, "plugin"));
  if (mark === undefined) throw new Unmet("there is no mark of the plugin");
  const folder = join(ours, "control", "claude", mark.replace(/\.json$/, ""));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [join(ours, "control"), join(ours, "control", "claude")]) chmodSync(path, 0o700);
  const at = Date.now() / 1000;
  const request = { version: 1, id: "asked", kind, author: "launcher", at, expiresAt: at + 60 };
  writeFileSync(join(folder, ".new"), JSON.stringify(request), { mode: 0o600 });
  renameSync(join(folder, ".new"), join(folder, "asked.json"));
  let seen: readonly string[] = [];
  return waitUntil(
    () => {
      seen = stepsIn(join(folder, "asked.done.json"));
      return /^(?:restarted|failed|refused|cancelled)$/.test(seen.at(-1) ?? "") ? seen : undefined;
    },
    () => `the request came no further than ${seen.join(", ")}`,
  );
}

function stepsIn(file: string): readonly string[] {
  try {
    const text = readFileSync(file, "utf8");
    return Array.from(text.matchAll(/"outcome":"([a-z]+)"/g), ([, outcome = ""]) => outcome);
  } catch {
    return [];
  }
}

/** The plugin in the real client: `assets/claude-plugin`. */
export const claudePluginScenarios: readonly Scenario[] = [
  {
    name: "plugin-fresh-start",
    async play(stage) {
      const terminal = await shopSession(stage, (file) => [saveTo(file), { text: "It is saved." }]);
      await terminal.type("/pause self");
      await isFresh(terminal);
    },
  },
  {
    name: "plugin-nothing-written",
    async play(stage) {
      const terminal = await shopSession(stage, () => [{ text: "It is saved, or so I say." }]);
      await terminal.type("/pause self");
      await terminal.waitFor(/wrote\s[^]*nothing/);
      await isKept(terminal);
    },
  },
  {
    name: "plugin-typing",
    async play(stage) {
      const { turn, gate } = heldAnswer();
      const terminal = await shopSession(stage, (file) => [saveTo(file), turn]);
      await terminal.type("/pause self");
      await terminal.waitFor(BEGINNING);
      await terminal.press("w");
      await terminal.waitFor(/you are[^]*typing/);
      await terminal.press("BSpace");
      gate.open();
      await terminal.waitFor(/The second half/);
      await isKept(terminal);
    },
  },
  {
    name: "plugin-esc",
    async play(stage) {
      const { turn } = heldAnswer();
      const terminal = await shopSession(stage, (file) => [saveTo(file), turn]);
      await terminal.type("/pause self");
      await terminal.waitFor(BEGINNING);
      await terminal.press("Escape");
      await terminal.waitFor(/Interrupted/);
      await isKept(terminal);
    },
  },
  {
    name: "plugin-request",
    async play(stage) {
      const terminal = await shopSession(stage, (file) => [saveTo(file), { text: "It is saved." }]);
      const steps = await ask(stage, "save-restart");
      if (steps.join() !== "queued,delivered,saving,saved,restarted") throw new Unmet(`the steps were ${steps.join()}`);
      await isFresh(terminal);
    },
  },
  {
    name: "plugin-overview",
    async play(stage) {
      const terminal = await shopSession(stage, () => []);
      await terminal.type("/sessions");
      // Two sessions: the one that every scenario begins with has no plugin.
      await terminal.waitFor(/2 sessions · [12] warm/);
      await terminal.waitFor(new RegExp(`\\(this one\\)[^]*${PHRASE}`));
      await terminal.waitFor(/without plugin/);
      await terminal.type("/sessions");
      await terminal.waitFor(/The overview is closed/);
    },
  },
];
