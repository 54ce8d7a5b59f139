import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { hookedAgent } from "../../agents/hook-registry";
import type { AgentHooks } from "../../agents/settings-target";
import { agentsOf, applySetUp, isFound, planRemoval, planSetUp, type SetUpPlace } from "../../observe/set-up";
import { reasonOf, SessionsError } from "../../session/failure";
import { printable } from "../../session/text";
import { placesOf } from "../../store/places";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { appliedText, planText } from "../setup-text";

/** What `agent-sessions setup` is asked to do. */
export interface SetupRequest {
  /** The agents named; none: those that are found on this machine. */
  agents: readonly string[];
  remove: boolean;
  /** Show only. */
  dryRun: boolean;
  /** Do not ask. */
  yes: boolean;
}

/** What a set-up has besides of the outside world. */
export interface SetupSurroundings {
  /** The folder of what is shipped. */
  assets?: string;
  /** Asks the user; undefined where there is no terminal. */
  ask?: (question: string) => Promise<boolean>;
  now?: () => Date;
}

/**
 * `agent-sessions setup`: shows what would change, asks, and installs the recorder as hooks into agents' settings, or
 * takes them out again. A file that cannot be changed is told of, and the others are done.
 */
export async function setup(request: SetupRequest, io: CliIo, surroundings: SetupSurroundings = {}): Promise<ExitCode> {
  const place: SetUpPlace = {
    environment: io.environment,
    home: placesOf(io.environment).home,
    assets: surroundings.assets ?? shippedAssets(),
  };
  const agents = chosenAgents(request, place);
  const plan = request.remove ? planRemoval(place, agents) : planSetUp(place, agents);
  io.stdout.write(planText(plan));

  let code: ExitCode = EXIT.ok;
  const failed = (error: SessionsError) => {
    io.stderr.write(`agent-sessions: ${printable(reasonOf(error))}\n`);
    code = EXIT.failed;
  };
  for (const file of plan.files) if (file.outcome === "refused") failed(file.error);
  const changes = plan.files.filter(({ outcome }) => outcome === "change").length;
  if (changes === 0 && plan.recorder === undefined) {
    if (code === EXIT.ok) io.stdout.write("Nothing to change.\n");
    return code;
  }
  if (request.dryRun) {
    io.stdout.write("\nNothing was written: this was a dry run.\n");
    return code;
  }
  if (!request.yes && !(await consent(request, io, surroundings))) {
    io.stdout.write("Nothing was changed.\n");
    return EXIT.failed;
  }
  const applied = applySetUp(plan, surroundings.now);
  io.stdout.write(appliedText(applied, plan.removes));
  for (const file of applied) if (file.outcome === "failed") failed(file.error);
  return code;
}

function chosenAgents({ agents: names, remove }: SetupRequest, place: SetUpPlace): AgentHooks[] {
  const known = agentsOf(place);
  if (names.length > 0) {
    const chosen = names.map((name) => {
      const agent = hookedAgent(known, name);
      if (agent !== undefined) return agent;
      const all = known.map((each) => each.agent).join(", ");
      throw new SessionsError("usage", `"${name}" is no agent that can be set up.`, `There are: ${all}.`);
    });
    return Array.from(new Set(chosen));
  }
  const found = known.filter((agent) => isFound(agent, place));
  if (found.length === 0 && !remove) {
    throw new SessionsError(
      "not-found",
      "No agent was found on this machine.",
      "Name one: agent-sessions setup claude",
    );
  }
  return found;
}

async function consent({ remove }: SetupRequest, io: CliIo, { ask }: SetupSurroundings): Promise<boolean> {
  const asks = ask ?? (process.stdin.isTTY === true && io.stdout.isTerminal ? askOnTerminal(io) : undefined);
  if (asks === undefined) {
    throw new SessionsError(
      "usage",
      "There is no terminal to ask on.",
      "Add --yes to do it, or --dry-run to look only.",
    );
  }
  return asks(remove ? "\nRemove this? [y/N] " : "\nMake these changes? [y/N] ");
}

function askOnTerminal({ interrupt }: CliIo): (question: string) => Promise<boolean> {
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return /^\s*y(es)?\s*$/i.test(await terminal.question(question, { signal: interrupt }));
    } catch {
      // Interrupted, or the terminal is gone: nobody said yes.
      return false;
    } finally {
      terminal.close();
    }
  };
}

/** What is shipped, beside the command's bundle, or above these sources while they are run as they are. */
export function shippedAssets(): string {
  const beside = join(__dirname, "..", "assets");
  const above = join(__dirname, "..", "..", "..", "assets");
  return existsSync(join(beside, "bin", "record")) ? beside : above;
}
