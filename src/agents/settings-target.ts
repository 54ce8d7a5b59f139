import type { SettingsFault, TextEdit } from "../files/settings-edit";
import type { Recorder } from "./recorder-command";

/** What an agent's settings depend on. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  user: string;
  platform: NodeJS.Platform;
}

/** The keys, from the outermost, of something in a settings file that a set-up made. */
export type KeyPath = readonly string[];

/** A settings file as it will be once set up. */
export type SetUpText =
  | { outcome: "already" }
  | {
      outcome: "change";
      text: string;
      /** What of the containers we made. */
      created: readonly KeyPath[];
      /** What makes of `text` the text that holds nothing of ours; absent when that is not known to the character. */
      undo?: readonly TextEdit[];
    }
  | Kept
  | Refusal;

/** A settings file as it will be without anything of ours; `undefined` for none at all. */
export type RemovedText = { outcome: "absent" } | { outcome: "change"; text: string | undefined } | Refusal;

/** Why a settings file is left alone. With a fault that is where it cannot be understood. */
export interface Refusal {
  outcome: "refused";
  reason: string;
  fault?: SettingsFault;
}

/** There is room for one only, and somebody else has it: it stays theirs. */
export interface Kept {
  outcome: "kept";
  reason: string;
}

/** One settings file of an agent, and what we put into it. Pure: texts in, texts out. */
export interface SettingsTarget {
  path: string;
  /** What is added there, for people. */
  adds: string;
  /** @param text the file, undefined when there is none */
  setUp(text: string | undefined, recorder: Recorder, created: readonly KeyPath[] | undefined): SetUpText;
  /** @param created what a set-up of ours made there; undefined when nobody remembers */
  remove(text: string, created: readonly KeyPath[] | undefined): RemovedText;
  /** Whether something of ours is there, of any version. */
  holdsOurs(text: string): boolean;
  /** What keeps the hooks from running, for people; read from the file, never changed there. */
  obstacle?(text: string): string | undefined;
}

/** A settings file that is only looked at: a managed policy, or a switch that stands elsewhere. */
export interface WatchedSettings {
  path: string;
  obstacle(text: string): string | undefined;
}

/** How one agent is set up. */
export interface AgentHooks {
  agent: string;
  /** Its name for people. */
  title: string;
  /** Its programs, any of which tells that it is installed. */
  programs: readonly string[];
  /** Its own folders, any of which tells that it is used here. */
  folders: readonly string[];
  targets: readonly SettingsTarget[];
  watched?: readonly WatchedSettings[];
  /** What the user has to do once it is set up. */
  afterwards?: string;
}

/** Makes an agent's set-up for a user. */
export type HooksOf = (surroundings: Surroundings) => AgentHooks;

/** A folder that a variable names, absolute, or the usual one. */
export function folderOf({ environment, user }: Surroundings, variable: string, usual: string): string {
  const value = environment[variable]?.trim() ?? "";
  if (value === "~" || value.startsWith("~/")) return `${user}${value.slice(1)}`;
  return value === "" ? usual : value;
}
