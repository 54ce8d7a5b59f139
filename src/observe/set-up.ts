import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { hookedAgents } from "../agents/hook-registry";
import type { Recorder } from "../agents/recorder-command";
import type { AgentHooks, KeyPath, Refusal, RemovedText, SettingsTarget, SetUpText } from "../agents/settings-target";
import { applyEdits } from "../files/settings-edit";
import type { SettingsMemories, SettingsMemory } from "../files/settings-memory";
import { reasonOf, SessionsError } from "../session/failure";
import { installRecorder, recorderPath, recorderState } from "../store/installed-recorder";
import { withLock } from "../store/lock";
import type { AgentDirectory, Environment, Places } from "../store/places";
import {
  glanceAt,
  missingFolders,
  readSettingsFile,
  removeEmptyFolders,
  writeSettingsFile,
  type SettingsFile,
} from "../store/set-up-files";
import { readSetUpMemory, writeSetUpMemory } from "../store/set-up-memory";
import { planPlugins, type PlannedPlugin, type PluginWish } from "./plugin-set-up";

/** What a set-up depends on. */
export interface SetUpPlace {
  environment: Environment;
  home: Places["home"];
  /** The folder of what is shipped: the recorder is `bin/record` in it. */
  assets: string;
  platform?: NodeJS.Platform;
  /** The agents' folders, where the user named some; absent: those that the environment tells. */
  agentDirectories?: readonly AgentDirectory[];
}

/** What a set-up, or its removal, makes of one settings file. */
export type PlannedFile = {
  agent: AgentHooks;
  target: SettingsTarget;
  /** What keeps the hooks from running, whatever is set up. */
  obstacle?: string;
} & (
  | { outcome: "change"; file: SettingsFile; after: string | undefined; memory?: SettingsMemory }
  | { outcome: "already" | "absent" }
  | { outcome: "kept"; reason: string }
  | { outcome: "refused"; error: SessionsError }
);

/** Everything a set-up would do. Nothing of it is done yet. */
export interface SetUpPlan {
  place: SetUpPlace;
  removes: boolean;
  files: readonly PlannedFile[];
  /** The plugin of Claude Code, in each of its folders; none where it is not concerned. */
  plugins: readonly PlannedPlugin[];
  /** The recorder will be installed, or brought up to date. */
  recorder?: string;
}

/** What a set-up, or its removal, makes of the plugin; where nothing is wished, it is not looked at. */
export interface PluginChoice {
  plugin?: PluginWish;
  /** The version of Claude Code, as it tells it. */
  claudeVersion?: string;
}

/** The agents that can be set up for this user. */
export function agentsOf({ environment, platform = process.platform }: SetUpPlace): AgentHooks[] {
  return hookedAgents({ environment, user: environment.HOME?.trim() || homedir(), platform });
}

/** Whether an agent is found on this machine: a program of its, or its folder. */
export function isFound(agent: AgentHooks, place: SetUpPlace): boolean {
  return programOf(agent, place) !== undefined || agent.folders.some((folder) => existsSync(folder));
}

/** An agent's program on the PATH. It is looked for, not started. */
export function programOf({ programs }: AgentHooks, { environment, platform = process.platform }: SetUpPlace) {
  const endings = platform === "win32" ? (environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  for (const program of programs) {
    for (const folder of folders) {
      for (const ending of endings) {
        const path = join(folder, program + ending);
        if (isExecutable(path)) return path;
      }
    }
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** How hooks of a home call the recorder. */
export function recorderOf({ home, platform = process.platform }: SetUpPlace): Recorder {
  return { path: recorderPath({ home }), inbox: join(home, "inbox"), platform };
}

/** Looks at the settings of agents, and says what a set-up would make of them. Writes nothing. */
export function planSetUp(place: SetUpPlace, agents: readonly AgentHooks[], choice: PluginChoice = {}): SetUpPlan {
  const memories = readSetUpMemory(place);
  const recorder = recorderOf(place);
  const files = plannedFiles(agents, (target, file) => {
    const planned = setUpText(target, file, recorder, memories[file.path]);
    switch (planned.outcome) {
      case "change": {
        const known = memories[file.path];
        const memory: SettingsMemory = {
          created: united(known?.created ?? [], planned.created),
          folders: [...(known?.folders ?? []), ...missingFolders(file.real)],
          digest: digestOf(planned.text),
          ...(planned.undo === undefined ? {} : { undo: [...planned.undo] }),
        };
        return { outcome: "change", file, after: planned.text, memory };
      }
      case "already":
      case "kept":
        return planned;
      case "refused":
        return { outcome: "refused", error: refusalOf(file.path, planned) };
      default:
        return planned satisfies never;
    }
  });
  const isInUse = files.some(({ outcome }) => outcome === "change" || outcome === "already");
  const needsRecorder = isInUse && recorderState(place, place.assets) !== "current";
  const plugins = pluginsOf(place, agents, choice);
  return { place, removes: false, files, plugins, ...(needsRecorder ? { recorder: recorder.path } : {}) };
}

/** The plugin is one agent's. */
function pluginsOf(place: SetUpPlace, agents: readonly AgentHooks[], choice: PluginChoice): PlannedPlugin[] {
  const { plugin: wish, claudeVersion } = choice;
  if (wish === undefined || !agents.some(({ agent }) => agent === "claude")) return [];
  return planPlugins(place, wish, claudeVersion);
}

/** Looks at the settings of agents, and says what they are without anything of ours. Writes nothing. */
export function planRemoval(place: SetUpPlace, agents: readonly AgentHooks[], choice: PluginChoice = {}): SetUpPlan {
  const memories = readSetUpMemory(place);
  const files = plannedFiles(agents, (target, file) => {
    if (file.text === undefined) return { outcome: "absent" };
    const planned = removedText(target, file.text, memories[file.path]);
    switch (planned.outcome) {
      case "change":
        return { outcome: "change", file, after: planned.text };
      case "absent":
        return planned;
      case "refused":
        return { outcome: "refused", error: refusalOf(file.path, planned) };
      default:
        return planned satisfies never;
    }
  });
  return { place, removes: true, files, plugins: pluginsOf(place, agents, choice) };
}

type Outcome = Omit<PlannedFile, "agent" | "target" | "obstacle"> &
  (
    | { outcome: "change"; file: SettingsFile; after: string | undefined; memory?: SettingsMemory }
    | { outcome: "already" | "absent" }
    | { outcome: "kept"; reason: string }
    | { outcome: "refused"; error: SessionsError }
  );

function plannedFiles(
  agents: readonly AgentHooks[],
  plan: (target: SettingsTarget, file: SettingsFile) => Outcome,
): PlannedFile[] {
  return agents.flatMap((agent) =>
    agent.targets.map((target): PlannedFile => {
      try {
        const planned = plan(target, readSettingsFile(target.path));
        const obstacle = obstacleOf(agent);
        return { agent, target, ...(obstacle === undefined ? {} : { obstacle }), ...planned };
      } catch (error) {
        if (error instanceof SessionsError) return { agent, target, outcome: "refused", error };
        throw error;
      }
    }),
  );
}

/** What keeps an agent's hooks from running: a switch in its settings, or an administrator's. They are only read. */
export function obstacleOf({ targets, watched = [] }: AgentHooks): string | undefined {
  for (const { path, obstacle } of [...targets, ...watched]) {
    if (obstacle === undefined) continue;
    const text = glanceAt(path);
    const said = text === undefined ? undefined : obstacle(text);
    if (said !== undefined) return `${said} (${path})`;
  }
  return undefined;
}

/** A file that is as we left it is taken back to what it was before, so that nothing of an older set-up stays. */
function setUpText(
  target: SettingsTarget,
  { text }: SettingsFile,
  recorder: Recorder,
  known?: SettingsMemory,
): SetUpText {
  const planned = target.setUp(text, recorder, known?.created);
  if (planned.outcome !== "change" || text === undefined) return planned;
  const before = textBefore(text, known);
  return before === undefined ? planned : target.setUp(before.text, recorder, undefined);
}

function removedText(target: SettingsTarget, text: string, known?: SettingsMemory): RemovedText {
  const planned = target.remove(text, known?.created);
  if (planned.outcome !== "change") return planned;
  const before = textBefore(text, known);
  return before === undefined ? planned : { outcome: "change", text: before.text };
}

/** The text before a set-up, when the file is exactly as that left it. */
function textBefore(text: string, known: SettingsMemory | undefined): { text: string | undefined } | undefined {
  if (known?.undo === undefined || known.digest !== digestOf(text)) return undefined;
  const madeFile = known.created.some((path) => path.length === 0);
  return { text: madeFile ? undefined : applyEdits(text, known.undo) };
}

function united(one: readonly KeyPath[], other: readonly KeyPath[]): string[][] {
  const paths = new Map([...one, ...other].map((path) => [JSON.stringify(path), [...path]]));
  return Array.from(paths.values());
}

function refusalOf(path: string, { reason, fault }: Refusal): SessionsError {
  const place = fault === undefined ? path : `${path}:${fault.line}:${fault.column}`;
  return new SessionsError(
    fault === undefined ? "refused" : "bad-format",
    fault === undefined ? `${place} ${reason}.` : `${place}: ${reason}.`,
    fault === undefined ? "It was left as it is." : "Correct it, then try again; it was left as it is.",
  );
}

/** What was done with one settings file. */
export type AppliedFile = { planned: PlannedFile & { outcome: "change" } } & (
  { outcome: "written"; backup?: string } | { outcome: "failed"; error: SessionsError }
);

/**
 * Does what was planned: the recorder first, since a hook that cannot be started is an error in the agent. A file that
 * is not any more what it was when the plan was made is left alone; the others are done.
 *
 * @throws SessionsError when the recorder cannot be installed, or another set-up is at work
 */
export function applySetUp({ place, removes, files }: SetUpPlan, now: () => Date = () => new Date()): AppliedFile[] {
  return withLock(join(place.home, "set-up.lock"), () => {
    if (!removes) installRecorder(place, place.assets);
    return files.flatMap((planned): AppliedFile[] => {
      if (planned.outcome !== "change") return [];
      try {
        return [{ planned, outcome: "written", ...written(place, planned, now()) }];
      } catch (error) {
        const told = error instanceof SessionsError ? error : new SessionsError("unwritable", `${reasonOf(error)}.`);
        return [{ planned, outcome: "failed", error: told }];
      }
    });
  });
}

function written(place: SetUpPlace, { file, after, memory }: PlannedFile & { outcome: "change" }, now: Date) {
  const { [file.path]: known, ...others } = readSetUpMemory(place);
  const done = writeSettingsFile({ file, text: after, now });
  const left: SettingsMemories = memory === undefined ? others : { ...others, [file.path]: memory };
  if (known !== undefined || memory !== undefined) writeSetUpMemory(place, left);
  if (after === undefined) removeEmptyFolders(known?.folders ?? []);
  return done;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
