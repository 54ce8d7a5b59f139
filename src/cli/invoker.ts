import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { folderListText } from "../store/folder-list";
import { placesOf, statusDirectoriesOf, type Environment, type PlacePreferences } from "../store/places";
import type { Machine } from "../terminals/machine";
import type { CliIo } from "./io";
import type { AskSurroundings } from "./verbs/ask-sessions";

/** Who carries out an action: this process by default, the installed command when the user named one. */
export interface Invoker {
  preferences: PlacePreferences;
  /** Path of the installed `agent-sessions`; blank or absent: in this process. */
  commandPath?: string | undefined;
  /** How long caches are kept, in seconds, when the user set it. */
  cacheTtl?: number;
  environment?: Environment;
  clock?: CliIo["clock"];
  processes?: CliIo["processes"];
  /** What terminals are asked through, in this process. Default: this machine. */
  machine?: Machine;
  /** What sessions are asked through, in this process. Default: this machine. */
  control?: AskSurroundings;
  /** How long the installed command may take, in milliseconds. Default: 30 seconds. */
  patience?: number;
}

/** Where an action is carried out: with this environment, and by the installed command when one is named. */
export interface Carrier {
  environment: Environment;
  /** The installed command, absolute. */
  command?: string;
}

/** Who carries out an action, as the user's preferences have it. */
export function carrierOf(invoker: Invoker): Carrier {
  const environment = environmentFor(invoker);
  const command = commandOf(invoker.commandPath, environment);
  return { environment, ...(command === undefined ? {} : { command }) };
}

/** The path of the command as the user wrote it: trimmed, `~` as the home folder, made absolute. */
function commandOf(path: string | undefined, environment: Environment): string | undefined {
  const trimmed = path?.trim() ?? "";
  if (trimmed === "") return undefined;
  const user = environment.HOME?.trim() || homedir();
  return resolve(user, /^~(?=$|[/\\])/.test(trimmed) ? join(user, trimmed.slice(1)) : trimmed);
}

/** The environment with the preferences' places in it, so that command and launcher mean the same files. */
function environmentFor({ preferences, cacheTtl, environment = process.env }: Invoker): Environment {
  const places = placesOf(environment, preferences);
  // In this process both lists count.
  const directories = [preferences.claudeDirectories, environment.AGENT_SESSIONS_CLAUDE_DIRS]
    .filter((list) => list !== undefined && list.trim() !== "")
    .join("\n");
  return {
    ...environment,
    AGENT_SESSIONS_HOME: places.home,
    AGENT_SESSIONS_STATUS_DIR: folderListText(statusDirectoriesOf(places)),
    AGENT_SIGNAL_LIGHT_STATE_FILE: places.signalStateFile,
    ...(directories === "" ? {} : { AGENT_SESSIONS_CLAUDE_DIRS: directories }),
    ...(cacheTtl === undefined ? {} : { AGENT_SESSIONS_CACHE_TTL: `${cacheTtl}s` }),
  };
}

/** The surroundings of a verb that runs in this process: it prints nothing, and ends early when `interrupt` says so. */
export function quietIo(
  environment: Environment,
  { clock, processes }: Invoker,
  interrupt: AbortSignal = new AbortController().signal,
): CliIo {
  const silent = { write: () => undefined, isTerminal: false };
  return {
    stdout: silent,
    stderr: silent,
    environment,
    interrupt,
    ...(clock === undefined ? {} : { clock }),
    ...(processes === undefined ? {} : { processes }),
  };
}
