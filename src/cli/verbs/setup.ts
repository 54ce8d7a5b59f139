import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { hookedAgent } from "../../agents/hook-registry";
import type { AgentHooks } from "../../agents/settings-target";
import { unknownEventsText } from "../../agents/claude/plugin";
import { applyPlugins, changedPlugins, planPlugins, type PlannedPlugin } from "../../observe/plugin-set-up";
import { versionOf, type AskVersion } from "../../observe/program-version";
import {
  agentsOf,
  applySetUp,
  isFound,
  planRemoval,
  planSetUp,
  programOf,
  type SetUpPlace,
  type SetUpPlan,
} from "../../observe/set-up";
import { reasonOf, SessionsError } from "../../session/failure";
import { printable } from "../../session/text";
import { placesOf } from "../../store/places";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { appliedPluginsText, appliedText, offerText, planText } from "../setup-text";

/** What `agent-sessions setup` is asked to do. */
export interface SetupRequest {
  /** The agents named; none: those that are found on this machine. */
  agents: readonly string[];
  remove: boolean;
  /** Show only. */
  dryRun: boolean;
  /** Do not ask. */
  yes: boolean;
  /**
   * The plugin of Claude Code, too; with `remove` nothing but it. False: it is not touched. Absent: it is kept up to
   * date where it is and asked for where it is not; with `remove` it goes with the hooks.
   */
  plugin?: boolean;
}

/** What a set-up has besides of the outside world. */
export interface SetupSurroundings {
  /** The folder of what is shipped. */
  assets?: string;
  /** Asks the user; undefined where there is no terminal. */
  ask?: Ask;
  askVersion?: AskVersion;
  now?: () => Date;
}

type Ask = (question: string) => Promise<boolean>;

/**
 * `agent-sessions setup`: shows what would change, asks, and installs the recorder as hooks into agents' settings, and
 * the plugin of Claude Code where it is wanted; or takes them out again. What cannot be changed is told of, and the rest
 * is done.
 */
export async function setup(request: SetupRequest, io: CliIo, surroundings: SetupSurroundings = {}): Promise<ExitCode> {
  const places = placesOf(io.environment);
  const place: SetUpPlace = {
    environment: io.environment,
    home: places.home,
    assets: surroundings.assets ?? shippedAssets(),
    ...(places.agentDirectories === undefined ? {} : { agentDirectories: places.agentDirectories }),
  };
  const agents = chosenAgents(request, place);
  const version = await claudeVersion(request, agents, place, surroundings);
  const plan = planOf(request, place, agents, version);
  const warning = request.remove || version === undefined ? undefined : unknownEventsText(version);
  io.stdout.write(planText(plan, warning === undefined ? [] : [`${warning}.`]));

  let code: ExitCode = EXIT.ok;
  const failed = (error: SessionsError) => {
    io.stderr.write(`agent-sessions: ${printable(reasonOf(error))}\n`);
    code = EXIT.failed;
  };
  for (const part of [...plan.files, ...plan.plugins]) if (part.outcome === "refused") failed(part.error);
  const changesFiles = plan.recorder !== undefined || plan.files.some(({ outcome }) => outcome === "change");
  const isDone = !changesFiles && changedPlugins(plan.plugins).length === 0;
  if (isDone && code === EXIT.ok) io.stdout.write("Nothing to change.\n");
  if (request.dryRun) {
    if (!isDone) io.stdout.write("\nNothing was written: this was a dry run.\n");
    return code;
  }
  const ask =
    surroundings.ask ?? (process.stdin.isTTY === true && io.stdout.isTerminal ? askOnTerminal(io) : undefined);
  if (!isDone) {
    if (!request.yes && !(await consent(request, ask))) {
      io.stdout.write("Nothing was changed.\n");
      return EXIT.failed;
    }
    // A folder that both made is empty for the settings once the plugin is gone.
    if (plan.removes) changePlugins(place, plan.plugins, io, failed);
    if (changesFiles) {
      const applied = applySetUp(plan, surroundings.now);
      io.stdout.write(appliedText(applied, plan.removes));
      for (const file of applied) if (file.outcome === "failed") failed(file.error);
    }
    if (!plan.removes) changePlugins(place, plan.plugins, io, failed);
  }
  const offer = request.yes || ask === undefined ? "" : offerText(plan.plugins);
  if (offer !== "") {
    io.stdout.write(offer);
    const isWanted = await ask?.("\nInstall the plugin, too? [y/N] ");
    if (isWanted === true) changePlugins(place, planPlugins(place, "install", version), io, failed);
  }
  return code;
}

function planOf(
  { remove, plugin }: SetupRequest,
  place: SetUpPlace,
  agents: readonly AgentHooks[],
  claudeVersion: string | undefined,
): SetUpPlan {
  const isClaude = agents.some(({ agent }) => agent === "claude");
  if (plugin === true && !isClaude) {
    throw new SessionsError("usage", "The plugin is for Claude Code.", "Name it: agent-sessions setup claude --plugin");
  }
  const version = claudeVersion === undefined ? {} : { claudeVersion };
  if (remove) {
    const hooked = plugin === true ? [] : agents;
    const gone = planRemoval(place, hooked, plugin === undefined ? { plugin: "remove" } : {});
    return plugin === true ? { ...gone, plugins: planPlugins(place, "remove") } : gone;
  }
  if (plugin === false) return planSetUp(place, agents);
  return planSetUp(place, agents, { plugin: plugin === true ? "install" : "update", ...version });
}

/** What version Claude Code is, where it matters: a version may lack what is set up. */
async function claudeVersion(
  { remove }: SetupRequest,
  agents: readonly AgentHooks[],
  place: SetUpPlace,
  { askVersion = versionOf }: SetupSurroundings,
): Promise<string | undefined> {
  const claude = agents.find(({ agent }) => agent === "claude");
  const program = claude === undefined || remove ? undefined : programOf(claude, place);
  return program === undefined ? undefined : askVersion(program);
}

function changePlugins(
  place: SetUpPlace,
  plugins: readonly PlannedPlugin[],
  io: CliIo,
  failed: (error: SessionsError) => void,
): void {
  const applied = applyPlugins(place, plugins);
  io.stdout.write(appliedPluginsText(applied));
  for (const each of applied) if (each.outcome === "failed") failed(each.error);
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

async function consent({ remove }: SetupRequest, ask: Ask | undefined): Promise<boolean> {
  if (ask === undefined) {
    throw new SessionsError(
      "usage",
      "There is no terminal to ask on.",
      "Add --yes to do it, or --dry-run to look only.",
    );
  }
  return ask(remove ? "\nRemove this? [y/N] " : "\nMake these changes? [y/N] ");
}

function askOnTerminal({ interrupt }: CliIo): Ask {
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
