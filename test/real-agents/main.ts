import process from "node:process";
import { claude } from "./agents/claude";
import { codex } from "./agents/codex";
import { gemini } from "./agents/gemini";
import { opencode } from "./agents/opencode";
import { InstalledCommand } from "./command";
import { findAgent, findOnPath, versionOf } from "./find-program";
import { runScenario, type Outcome } from "./run-scenario";
import type { RealAgent } from "./scenario";
import { ScratchHome } from "./scratch-home";
import { figuresText, tableOf } from "./table";
import { interrupt, isInterrupted } from "./wait-until";

const AGENTS: readonly RealAgent[] = [claude, codex, gemini, opencode];

const USAGE = `Usage: node scripts/test-agents.mjs [agent | agent/scenario]…

Runs real agents against a model on loopback and checks what agent-sessions list shows; see test/real-agents/README.md.
Agents: ${AGENTS.map(({ name }) => name).join(", ")}, from the folder AGENTS_BIN or the PATH.
`;

const EXIT = { ok: 0, failed: 1, usage: 2 };

/** The scenarios that are asked for, all of an agent or one as "claude/answer"; undefined when there are no such. */
function chosen(wanted: readonly string[]): RealAgent[] | undefined {
  if (wanted.length === 0) return [...AGENTS];
  const names = AGENTS.flatMap(({ name, scenarios }) => [name, ...scenarios.map((each) => `${name}/${each.name}`)]);
  if (wanted.some((each) => !names.includes(each))) return undefined;
  return AGENTS.map((agent) => {
    const isWanted = (scenario: string) => wanted.includes(agent.name) || wanted.includes(`${agent.name}/${scenario}`);
    return { ...agent, scenarios: agent.scenarios.filter(({ name }) => isWanted(name)) };
  }).filter(({ scenarios }) => scenarios.length > 0);
}

/** Plays an agent's scenarios one after the other; undefined when it is not there. */
async function run(agent: RealAgent, command: InstalledCommand): Promise<Outcome[] | undefined> {
  const program = findAgent(agent.name);
  if (program === undefined) {
    const hint = `npm install --global ${agent.npmPackage}`;
    process.stdout.write(`${agent.name}: skipped, since it is not installed. To install it: ${hint}\n`);
    return undefined;
  }
  process.stdout.write(`${agent.name}: ${version(program)}\n`);
  const outcomes: Outcome[] = [];
  for (const scenario of agent.scenarios) {
    if (isInterrupted()) break;
    const outcome = await runScenario(agent, program, scenario, command);
    outcomes.push(outcome);
    const figures = figuresText(outcome.figures);
    const result = outcome.failure === undefined ? "ok" : `FAILED: ${outcome.failure}`;
    process.stdout.write(`${agent.name}/${scenario.name}: ${result}${figures === "" ? "" : ` (${figures})`}\n`);
  }
  return outcomes;
}

/** Programs write into a home even when they only tell their version. */
function version(program: string): string {
  const home = new ScratchHome("http://127.0.0.1:9");
  try {
    return versionOf(program, home.environment);
  } finally {
    home.remove();
  }
}

async function main(wanted: readonly string[]): Promise<number> {
  const agents = chosen(wanted);
  if (agents === undefined) {
    process.stderr.write(USAGE);
    return EXIT.usage;
  }
  if (findOnPath("tmux") === undefined) {
    process.stderr.write("The agents run in tmux, and there is none on the PATH.\n");
    return EXIT.usage;
  }
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, interrupt);
  const command = new InstalledCommand();
  const outcomes: Outcome[] = [];
  let skipped = 0;
  try {
    for (const agent of agents) {
      const played = await run(agent, command);
      if (played === undefined) skipped += agent.scenarios.length;
      else outcomes.push(...played);
    }
  } finally {
    command.remove();
  }
  const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
  const figures = [`${outcomes.length - failed} passed`, `${failed} failed`];
  if (skipped > 0) figures.push(`${skipped} skipped`);
  if (outcomes.length > 0) process.stdout.write(`\n${tableOf(outcomes)}\n`);
  process.stdout.write(`${figures.join(", ")}\n`);
  return failed > 0 || isInterrupted() ? EXIT.failed : EXIT.ok;
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
