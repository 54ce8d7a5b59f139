import process from "node:process";
import { claude } from "./agents/claude";
import { codex } from "./agents/codex";
import { gemini } from "./agents/gemini";
import { opencode } from "./agents/opencode";
import { InstalledCommand } from "./command";
import { findAgent, findOnPath } from "./find-program";
import { runScenario, type Outcome } from "./run-scenario";
import type { RealAgent } from "./scenario";
import { tableOf } from "./table";

const AGENTS: readonly RealAgent[] = [claude, codex, gemini, opencode];

const USAGE = `Usage: node scripts/test-agents.mjs [agent | agent/scenario]…

Runs real agents against a model on loopback and checks what agent-sessions list shows.
Agents: ${AGENTS.map(({ name }) => name).join(", ")}, from the folder AGENTS_BIN or the PATH.
`;

/** The scenarios that are asked for: all of an agent, or one as "claude/answer". */
function chosen(wanted: readonly string[]): RealAgent[] {
  if (wanted.length === 0) return [...AGENTS];
  return AGENTS.map((agent) => ({
    ...agent,
    scenarios: agent.scenarios.filter(({ name }) =>
      wanted.some((each) => each === agent.name || each === `${agent.name}/${name}`),
    ),
  })).filter(({ scenarios }) => scenarios.length > 0);
}

async function main(wanted: readonly string[]): Promise<number> {
  const agents = chosen(wanted);
  if (agents.length === 0 || wanted.some((each) => !AGENTS.some(({ name }) => name === each.split("/")[0]))) {
    process.stderr.write(USAGE);
    return 2;
  }
  if (findOnPath("tmux") === undefined) {
    process.stderr.write("tmux is needed, and was not found.\n");
    return 2;
  }
  const command = new InstalledCommand();
  const outcomes: Outcome[] = [];
  let skipped = 0;
  try {
    for (const agent of agents) {
      const program = findAgent(agent.name);
      if (program === undefined) {
        skipped += agent.scenarios.length;
        process.stdout.write(
          `${agent.name}: skipped, since it is not installed. To install it: npm install --global ${agent.npmPackage}\n`,
        );
        continue;
      }
      for (const scenario of agent.scenarios) {
        const outcome = await runScenario(agent, program, scenario, command);
        outcomes.push(outcome);
        process.stdout.write(
          `${agent.name}/${scenario.name}: ${outcome.failure === undefined ? "ok" : `FAILED, ${outcome.failure}`}\n`,
        );
      }
    }
  } finally {
    command.remove();
  }
  const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
  process.stdout.write(`\n${tableOf(outcomes)}\n`);
  const figures = [
    `${outcomes.length - failed} passed`,
    `${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  process.stdout.write(`${figures.join(", ")}\n`);
  return failed > 0 ? 1 : 0;
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
