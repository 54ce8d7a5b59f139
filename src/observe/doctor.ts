import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentHooks } from "../agents/settings-target";
import { reasonOf, SessionsError } from "../session/failure";
import { oneLine, printable, cutText } from "../session/text";
import { recorderPath, recorderState, type RecorderState } from "../store/installed-recorder";
import { readSettingsFile } from "../store/set-up-files";
import { agentsOf, obstacleOf, planSetUp, programOf, recorderOf, type PlannedFile, type SetUpPlace } from "./set-up";

/** A program that does not answer at once is not waited for. */
const VERSION_MS = 3000;

/** How one settings file stands: as a set-up leaves it, with an older one of ours, without any, or not to be changed. */
export interface SettingsFinding {
  path: string;
  state: "set-up" | "outdated" | "missing" | "kept" | "refused";
  reason?: string;
}

/** How one agent stands. */
export interface AgentFinding {
  agent: string;
  title: string;
  /** Its program, when there is one on the PATH. */
  program?: string;
  version?: string;
  settings: SettingsFinding[];
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

/** Asks a program for its version; undefined when it gives none in time. Tests give their own. */
export type AskVersion = (program: string) => Promise<string | undefined>;

/**
 * Looks whether the agents found on this machine report to us, and what to do where they do not. Settings and store are
 * read; of each agent nothing is run but `--version`.
 */
export async function diagnose(place: SetUpPlace, askVersion: AskVersion = versionOf): Promise<Diagnosis> {
  const recorder = { path: recorderPath(place), state: recorderState(place, place.assets) };
  const found = agentsOf(place).flatMap((agent) => {
    const program = programOf(agent, place);
    // A folder alone may be left over from an agent that is gone, or hold what we set up ourselves.
    return program !== undefined || holdsAnything(agent) ? [{ agent, program }] : [];
  });
  const agents = await Promise.all(
    found.map(async ({ agent, program }) => {
      const version = program === undefined ? undefined : await askVersion(program);
      return findingOf(place, agent, recorder.state, { program, version });
    }),
  );
  return { recorder, agents, healthy: agents.every(({ next }) => next === undefined) };
}

function holdsAnything({ folders }: AgentHooks): boolean {
  return folders.some((folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined);
}

function findingOf(
  place: SetUpPlace,
  agent: AgentHooks,
  recorder: RecorderState,
  { program, version }: { program: string | undefined; version: string | undefined },
): AgentFinding {
  const settings = planSetUp(place, [agent]).files.map((file) => settingsFinding(file));
  const lastEventAt = lastEventOf(place.home, agent.agent);
  const obstacle = obstacleOf(agent);
  const isSetUp = settings.some(({ state }) => state === "set-up");
  const notes = isSetUp && agent.afterwards !== undefined && lastEventAt === undefined ? [agent.afterwards] : [];
  const next = nextStep(agent, settings, isSetUp ? recorder : "current", obstacle);
  return {
    agent: agent.agent,
    title: agent.title,
    ...(program === undefined ? {} : { program }),
    ...(version === undefined ? {} : { version }),
    settings,
    ...(lastEventAt === undefined ? {} : { lastEventAt }),
    notes: [...(obstacle === undefined ? [] : [obstacle]), ...notes],
    ...(next === undefined ? {} : { next }),
  };
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

const versionOf: AskVersion = (program) =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      ["--version"],
      { timeout: VERSION_MS, killSignal: "SIGKILL", maxBuffer: 64 * 1024, windowsHide: true },
      (error, stdout) => {
        const line = cutText(oneLine(printable(stdout.split("\n").find((each) => each.trim() !== "") ?? "")), 80);
        resolve(error !== null || line === "" ? undefined : line);
      },
    );
    child.stdin?.end();
  });

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
