import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAtLeast, PLUGIN_NEEDS, unknownEventsText, versionNumbers } from "../agents/claude/plugin";
import type { AgentHooks } from "../agents/settings-target";
import { reasonOf, SessionsError } from "../session/failure";
import type { Session } from "../session/session";
import { recorderPath, recorderState, type RecorderState } from "../store/installed-recorder";
import { readSettingsFile } from "../store/set-up-files";
import { findShippedPlugin, lookAtPlugins, type PluginFinding } from "./plugin-set-up";
import { versionOf, type AskVersion } from "./program-version";
import { agentsOf, obstacleOf, planSetUp, programOf, recorderOf, type PlannedFile, type SetUpPlace } from "./set-up";

/** How one settings file stands: as a set-up leaves it, with an older one of ours, without any, or not to be changed. */
export interface SettingsFinding {
  path: string;
  state: "set-up" | "outdated" | "missing" | "kept" | "refused";
  reason?: string;
}

/** How our plugin for an agent stands. It is an addition: to lack it is nothing to be healed. */
export interface PluginsFinding {
  /** The version that would be installed. */
  version: string;
  /** The agent's version that runs it. */
  needs: string;
  /** Whether the agent is new enough; absent where it does not tell its version. */
  fits?: boolean;
  /** One for each of its configuration folders. */
  folders: readonly PluginFinding[];
  /** Of its sessions that run: how many there are, and how many have the plugin in them; absent where nobody looked. */
  sessions?: { running: number; having: number };
}

/** How one agent stands. */
export interface AgentFinding {
  agent: string;
  title: string;
  /** Its program, when there is one on the PATH. */
  program?: string;
  version?: string;
  settings: SettingsFinding[];
  /** Its plugin, where there is one for it. */
  plugin?: PluginsFinding;
  /** When its last event was folded, in seconds since 1970. */
  lastEventAt?: number;
  /** What else is to be known. */
  notes: string[];
  /** What to do next; absent when all is well. */
  next?: string;
}

/** How the reporting stands as a whole. */
export interface Diagnosis {
  recorder: { path: string; state: RecorderState };
  agents: AgentFinding[];
  /** Nothing is to be done. */
  healthy: boolean;
}

/**
 * Looks whether the agents found on this machine report to us, and what to do where they do not. Settings and store are
 * read; of each agent nothing is run but `--version`.
 *
 * @param sessions those that are known, to tell which of them have the plugin
 */
export async function diagnose(
  place: SetUpPlace,
  askVersion: AskVersion = versionOf,
  sessions?: readonly Session[],
): Promise<Diagnosis> {
  const recorder = { path: recorderPath(place), state: recorderState(place, place.assets) };
  const found = agentsOf(place).flatMap((agent) => {
    const program = programOf(agent, place);
    // A folder alone may be left over from an agent that is gone, or hold what we set up ourselves.
    return program !== undefined || holdsAnything(agent) ? [{ agent, program }] : [];
  });
  const agents = await Promise.all(
    found.map(async ({ agent, program }) => {
      const version = program === undefined ? undefined : await askVersion(program);
      return findingOf(place, agent, recorder.state, { program, version, sessions });
    }),
  );
  return { recorder, agents, healthy: agents.every(({ next }) => next === undefined) };
}

function holdsAnything({ folders }: AgentHooks): boolean {
  return folders.some((folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined);
}

/** What is known of an agent before its files are looked at. */
interface Found {
  program: string | undefined;
  version: string | undefined;
  sessions: readonly Session[] | undefined;
}

function findingOf(
  place: SetUpPlace,
  agent: AgentHooks,
  recorder: RecorderState,
  { program, version, sessions }: Found,
): AgentFinding {
  const settings = planSetUp(place, [agent]).files.map((file) => settingsFinding(file));
  const lastEventAt = lastEventOf(place.home, agent.agent);
  const obstacle = obstacleOf(agent);
  const isSetUp = settings.some(({ state }) => state === "set-up");
  const notes = isSetUp && agent.afterwards !== undefined && lastEventAt === undefined ? [agent.afterwards] : [];
  const plugin = agent.agent === "claude" ? pluginsFinding(place, version, sessions) : undefined;
  const next =
    nextStep(agent, settings, isSetUp ? recorder : "current", obstacle) ??
    (plugin === undefined ? undefined : pluginStep(plugin));
  return {
    agent: agent.agent,
    title: agent.title,
    ...(program === undefined ? {} : { program }),
    ...(version === undefined ? {} : { version }),
    settings,
    ...(plugin === undefined ? {} : { plugin }),
    ...(lastEventAt === undefined ? {} : { lastEventAt }),
    notes: [
      ...(obstacle === undefined ? [] : [obstacle]),
      ...notes,
      ...(isSetUp && agent.agent === "claude" ? unknownEvents(version) : []),
      ...(plugin === undefined ? [] : pluginNotes(plugin, version)),
    ],
    ...(next === undefined ? {} : { next }),
  };
}

function unknownEvents(version: string | undefined): string[] {
  const text = version === undefined ? undefined : unknownEventsText(version);
  return text === undefined ? [] : [`${text}.`];
}

function pluginsFinding(
  place: SetUpPlace,
  version: string | undefined,
  sessions: readonly Session[] | undefined,
): PluginsFinding | undefined {
  const shipped = findShippedPlugin(place);
  if (shipped === undefined) return undefined;
  const fits = version === undefined ? undefined : isAtLeast(version, PLUGIN_NEEDS);
  const running = sessions?.filter(({ agent, liveness }) => agent === "claude" && liveness === "running");
  const having = running?.filter(({ plugin }) => plugin !== undefined) ?? [];
  return {
    version: shipped.version,
    needs: PLUGIN_NEEDS,
    ...(fits === undefined ? {} : { fits }),
    folders: lookAtPlugins(place, shipped),
    ...(running === undefined ? {} : { sessions: { running: running.length, having: having.length } }),
  };
}

/** What is wrong with a plugin that is there. */
function pluginStep({ folders, fits, needs }: PluginsFinding): string | undefined {
  if (folders.some(({ state }) => state === "outdated")) return "Run agent-sessions setup claude.";
  const isThere = folders.some(({ state }) => state === "installed" || state === "newer");
  return isThere && fits === false ? `Update Claude Code: the plugin needs ${needs} or newer.` : undefined;
}

function pluginNotes({ folders, fits, needs, sessions }: PluginsFinding, version: string | undefined): string[] {
  const isThere = folders.some(({ state }) => state === "installed" || state === "outdated" || state === "newer");
  const turnedOff = folders.flatMap(({ folder, isOff }) =>
    isOff === true ? [`The plugin in ${folder} is turned off; /plugin in Claude Code turns it on.`] : [],
  );
  if (!isThere) {
    if (folders.some(({ state }) => state === "refused")) return [];
    const numbers = version === undefined ? undefined : versionNumbers(version)?.join(".");
    return fits === false
      ? [`The Claude plugin needs Claude Code ${needs} or newer; this is ${numbers ?? version ?? "older"}.`]
      : ["The Claude plugin can be added: agent-sessions setup claude --plugin"];
  }
  const lack = sessions === undefined ? 0 : sessions.running - sessions.having;
  if (lack <= 0 || fits === false || turnedOff.length > 0) return turnedOff;
  return [
    `${lack} of ${sessions?.running ?? lack} running sessions lack the plugin: /reload-plugins in them, or a restart.`,
  ];
}

function settingsFinding(file: PlannedFile): SettingsFinding {
  const { path } = file.target;
  switch (file.outcome) {
    case "already":
      return { path, state: "set-up" };
    case "change": {
      const { text } = file.file;
      return { path, state: text !== undefined && file.target.holdsOurs(text) ? "outdated" : "missing" };
    }
    case "absent":
      return { path, state: "missing" };
    case "kept":
      return { path, state: "kept", reason: file.reason };
    case "refused":
      return { path, state: "refused", reason: reasonOf(file.error) };
    default:
      return file satisfies never;
  }
}

function nextStep(
  { agent }: AgentHooks,
  settings: readonly SettingsFinding[],
  recorder: RecorderState,
  obstacle: string | undefined,
): string | undefined {
  const setUp = `Run agent-sessions setup ${agent}.`;
  const refused = settings.find(({ state }) => state === "refused");
  if (refused !== undefined) return refused.reason;
  if (settings.some(({ state }) => state === "missing" || state === "outdated")) return setUp;
  // One file of several may belong to somebody else's program; the only one may not.
  if (settings.every(({ state }) => state === "kept")) return "Decide which program the agent is to call.";
  switch (recorder) {
    case "missing":
    case "outdated":
    case "not-executable":
      return setUp;
    case "refused":
      return "Remove what stands in the recorder's place, then set up again.";
    case "current":
      return obstacle === undefined ? undefined : "Turn hooks on, or ask whoever manages this machine.";
    default:
      return recorder satisfies never;
  }
}

/** When the newest of an agent's sessions in our store was last written. */
function lastEventOf(home: string, agent: string): number | undefined {
  const folder = join(home, "sessions", agent);
  let newest: number | undefined;
  try {
    for (const name of readdirSync(folder)) {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stats?.isFile() === true) newest = Math.max(newest ?? 0, stats.mtimeMs / 1000);
    }
  } catch {
    // No session of it yet, or a store that cannot be read: the list says that.
  }
  return newest;
}

/** Whether a settings file holds something of ours; for a list that only wants to know that. */
export function isSetUp(place: SetUpPlace, agent: AgentHooks): boolean {
  return agent.targets.some((target) => {
    try {
      const { text } = readSettingsFile(target.path);
      return text !== undefined && target.setUp(text, recorderOf(place), undefined).outcome === "already";
    } catch (error) {
      if (error instanceof SessionsError) return false;
      throw error;
    }
  });
}
