import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeEventLine } from "../../../src/files/event-log";
import { eventLogFile } from "../../../src/store/event-log";
import type { EventLine } from "../../../src/session/event-line";
import type { Scenario, Stage } from "../scenario";
import type { ShownSession } from "../shown-sessions";
import { Unmet } from "../wait-until";
import { withMemory, withPlugin } from "./pickup-sessions";
import { askAndGetAnswer, BEGINNING, COMMAND, did, heldAnswer, prompt } from "./prompting";

/** The same course in any session: an answer, a command that is allowed, a turn that the user stops, and the end. */
async function play(stage: Stage, before: string, name: string): Promise<void> {
  const { list, terminal } = stage;
  await list.shows(`${before}idle`);
  await askAndGetAnswer(stage, { before, name: `answer-${name}` });
  const { turn, gate } = heldAnswer();
  await prompt(stage, `command-${name}`, [{ text: "I will run it.", call: { tool: "shell", command: COMMAND } }, turn]);
  await list.shows(`${before}waiting`, { passing: [`${before}working`], waitingFor: "permission" });
  await terminal.waitFor(/Do you want to proceed\?/);
  await terminal.press("Enter");
  await list.shows(`${before}working`);
  await list.shows(`${before}done*`, { after: await did(`the answer (${name})`, gate.open()) });
  await prompt(stage, `slow-${name}`, [heldAnswer().turn]);
  await list.shows(`${before}working`);
  await terminal.waitFor(BEGINNING);
  await list.shows(`${before}idle`, { after: await did(`Esc (${name})`, terminal.press("Escape")) });
  await terminal.waitFor(/Interrupted/i);
  await list.keepsShowing(`${before}idle`);
}

/** What was heard of a session, and what was told twice and not counted. */
function eventsOf({ home }: Stage, { session_id: sessionId }: ShownSession): Record<"heard" | "unheard", EventLine[]> {
  const file = eventLogFile(join(home.home, ".agent-sessions"), { agent: "claude", sessionId }) ?? "";
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const events = lines.map((line) => decodeEventLine(JSON.parse(line))).filter((line) => line !== undefined);
  return {
    heard: events.filter(({ unheard }) => unheard === undefined),
    unheard: events.filter(({ unheard }) => unheard !== undefined),
  };
}

/** An event as it has to be the same, whoever tells it. */
function textOf({ event, tool, before, after, unread, began = [], ended = [] }: EventLine): string {
  const waits = [...began.map(({ kind }) => `+${kind}`), ...ended.map(({ kind }) => `-${kind}`)];
  return [event, tool, `${before ?? ""}>${after}`, unread, ...waits].filter((part) => part !== undefined).join(" ");
}

/** Our hooks and the plugin in one session: nothing counts twice. */
export const pluginBesideHooksScenario: Scenario = {
  name: "plugin-beside-hooks",
  start: withMemory,
  async play(stage) {
    const { home, list, open, terminal } = stage;
    await play(stage, "", "hooks");
    await list.shows("dormant", { after: await did("/exit (hooks)", terminal.type("/exit")) });
    const second = { ...stage, terminal: await open(withPlugin(home)) };
    await play(second, "dormant, ", "plugin");
    await stage.explains(/Its reported events say idle/, 1);
    const alone = eventsOf(stage, list.session(0));
    const beside = eventsOf(stage, list.session(1));
    // Hooks cannot tell of Esc, and the first event may be told before the plugin has said a word.
    const isBegin = ({ event }: EventLine) => event === "SessionStart";
    const expected = alone.heard.filter(({ event }) => event !== "SessionStart" && event !== "SessionEnd").map(textOf);
    isSame("told", beside.heard.filter((line) => !isBegin(line)).map(textOf), [...expected, STOPPED]);
    const begins = beside.heard.filter(isBegin).map(textOf);
    if (begins[0] !== "SessionStart >idle" || (begins[1] ?? "SessionStart idle>idle") !== "SessionStart idle>idle") {
      throw new Unmet(`it began with ${begins.join(", ")}`);
    }
    const others = beside.heard.filter((line) => !isBegin(line) && line.from !== "plugin");
    if (others.length > 0) throw new Unmet(`of a hook, ${others.map(textOf).join(", ")} counted`);
    // The hooks told all of it again.
    const again = beside.unheard.filter((line) => !isBegin(line)).map(({ event }) => event);
    isSame(
      "told again",
      again,
      expected.map((line) => line.replace(/ .*/, "")),
    );
  },
};

const STOPPED = "PluginTurnStopped working>idle";

function isSame(what: string, found: readonly string[], expected: readonly string[]): void {
  if (found.join("\n") === expected.join("\n")) return;
  throw new Unmet(`${what} was\n${found.join("\n")}\nand should have been\n${expected.join("\n")}`);
}
