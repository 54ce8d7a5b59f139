import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { faultText, parseFolderList } from "./folder-list";

/** A folder in which an agent keeps what it knows: its settings, its registry, its transcripts. */
export interface AgentDirectory {
  agent: "claude" | "codex";
  path: string;
  /** What to call it where there are several of one agent; the usual one has none. */
  label?: string;
}

/** A folder with AItention's status files. */
export interface StatusDirectory {
  path: string;
  /** What the user calls it. */
  label?: string;
}

/** An entry of a list in the environment that names no folder. */
export interface PlaceFault {
  variable: string;
  /** What is wrong, with the entry. */
  reason: string;
}

/** Where things lie. All paths absolute. */
export interface Places {
  /** Our own home: read marks, cache; the same on every system, since a launcher has no shell environment. */
  home: string;
  /** AItention's status directory: the one that our own projection is written to. */
  statusDirectory: string;
  /** All that are read, that one first; absent: that one alone. */
  statusDirectories?: readonly StatusDirectory[];
  /** Agent Signal's state document. */
  signalStateFile: string;
  /** The agents' own folders, the usual ones first; absent: none is looked at. */
  agentDirectories?: readonly AgentDirectory[];
  /** What the environment's lists of folders hold that names none; absent: nothing. */
  faults?: readonly PlaceFault[];
}

/** What a user set in a launcher's preferences; it wins over the environment. Blank means unset. */
export interface PlacePreferences {
  home?: string | undefined;
  /** Status directories: `Label=path` or `path`, separated by commas or lines; see `parseFolderList`. */
  statusDirectory?: string | undefined;
  signalStateFile?: string | undefined;
  /** Further configuration folders of Claude Code: `Label=path` or `path`, separated by commas or lines. */
  claudeDirectories?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The places of this user: preferences, else environment, else the defaults.
 * Variables: `AGENT_SESSIONS_HOME`, `AGENT_SESSIONS_STATUS_DIR`, `AGENT_SESSIONS_CLAUDE_DIRS`, the agents' own
 * (`CLAUDE_CONFIG_DIR`, `CODEX_HOME`), and Agent Signal's for its document.
 */
export function placesOf(environment: Environment, preferences: PlacePreferences = {}): Places {
  const user = userOf(environment);
  const statusDirectories = statusDirectoriesIn(environment, preferences, user);
  const faults = faultsOf(environment, preferences);
  return {
    home: homeOf(environment, preferences),
    statusDirectory: statusDirectories[0].path,
    statusDirectories,
    signalStateFile: expand(preferences.signalStateFile, user) ?? signalStateFileOf(environment),
    agentDirectories: agentDirectoriesOf(environment, preferences, user),
    ...(faults.length === 0 ? {} : { faults }),
  };
}

/** The status directories that are read, the one that we write to first. */
export function statusDirectoriesOf({
  statusDirectory,
  statusDirectories,
}: Pick<Places, "statusDirectory" | "statusDirectories">): readonly StatusDirectory[] {
  return statusDirectories ?? [{ path: statusDirectory }];
}

/** The user's own folder, where `~` and relative paths begin. */
export function userOf(environment: Environment): string {
  return environment.HOME?.trim() || homedir();
}

/**
 * A path that says by itself where it leads, absolute or from `~` on, made absolute.
 *
 * @returns undefined for a relative path
 */
export function fullPathOf(path: string, user: string): string | undefined {
  const full = fromHome(path, user);
  return full !== undefined && isAbsolute(full) ? resolve(full) : undefined;
}

/** The user's list, each folder once; else the environment's, else AItention's own. */
function statusDirectoriesIn(
  environment: Environment,
  preferences: PlacePreferences,
  user: string,
): readonly [StatusDirectory, ...StatusDirectory[]] {
  const preferred = foldersIn(preferences.statusDirectory, user);
  const listed = preferred.length > 0 ? preferred : foldersIn(environment.AGENT_SESSIONS_STATUS_DIR, user);
  const [first = { path: join(user, ".claude", "aitention", "status") }, ...others] = listed;
  return [first, ...others];
}

function foldersIn(list: string | undefined, user: string): StatusDirectory[] {
  const found = new Map<string, StatusDirectory>();
  for (const { path, label } of parseFolderList(list ?? "").folders) {
    const folder = expand(path, user);
    if (folder !== undefined && !found.has(folder)) {
      found.set(folder, { path: folder, ...(label === undefined ? {} : { label }) });
    }
  }
  return Array.from(found.values());
}

/** What is wrong in the environment's lists, as far as they count; a preference is judged by who reads it. */
function faultsOf(environment: Environment, { statusDirectory }: PlacePreferences): PlaceFault[] {
  const variables = ["AGENT_SESSIONS_CLAUDE_DIRS"];
  if ((statusDirectory?.trim() ?? "") === "") variables.unshift("AGENT_SESSIONS_STATUS_DIR");
  return variables.flatMap((variable) =>
    parseFolderList(environment[variable] ?? "").faults.map((fault) => ({ variable, reason: faultText(fault) })),
  );
}

/** Our own home: the preference, else `AGENT_SESSIONS_HOME`, else `~/.agent-sessions`. */
export function homeOf(environment: Environment, { home }: Pick<PlacePreferences, "home"> = {}): string {
  const user = userOf(environment);
  return expand(home, user) ?? expand(environment.AGENT_SESSIONS_HOME, user) ?? join(user, ".agent-sessions");
}

/** The agents' folders: the usual one of each, the one an agent's own variable names, and those the user lists. */
function agentDirectoriesOf(
  environment: Environment,
  { claudeDirectories }: PlacePreferences,
  user: string,
): AgentDirectory[] {
  const found = new Map<string, AgentDirectory>();
  const add = (directory: AgentDirectory) => {
    if (!found.has(directory.path)) found.set(directory.path, directory);
  };
  const listed = [claudeDirectories, environment.AGENT_SESSIONS_CLAUDE_DIRS].flatMap(
    (list) => parseFolderList(list ?? "").folders,
  );
  add({ agent: "claude", path: join(user, ".claude") });
  for (const { path, label } of listed) {
    const folder = expand(path, user);
    if (folder !== undefined) add({ agent: "claude", path: folder, label: label ?? nameOf(folder) });
  }
  const own = expand(environment.CLAUDE_CONFIG_DIR, user);
  if (own !== undefined) add({ agent: "claude", path: own, label: nameOf(own) });
  add({ agent: "codex", path: expand(environment.CODEX_HOME, user) ?? join(user, ".codex") });
  return Array.from(found.values());
}

/** What to call a folder nobody named: its own name, without the dot that hides it. */
function nameOf(folder: string): string {
  return basename(folder).replace(/^\.(?=.)/, "");
}

/**
 * Agent Signal's state file: `AGENT_SIGNAL_LIGHT_STATE_FILE`, else `status.json` in `AGENT_SIGNAL_LIGHT_STATE_DIR` or
 * `SIGNAL_LIGHT_STATE_DIR`, else in `/tmp/agent-signal` (its section on files and environment). Blank means unset.
 *
 * @param folder where a relative path starts; the home folder unless a command gives the one it runs in
 */
export function signalStateFileOf(environment: Environment, folder?: string): string {
  const user = userOf(environment);
  const file = expand(environment.AGENT_SIGNAL_LIGHT_STATE_FILE, user, folder);
  if (file !== undefined) return file;
  const stateFolder =
    expand(environment.AGENT_SIGNAL_LIGHT_STATE_DIR, user, folder) ??
    expand(environment.SIGNAL_LIGHT_STATE_DIR, user, folder) ??
    "/tmp/agent-signal";
  return join(stateFolder, "status.json");
}

/** A path as a person writes it: trimmed, `~` as the home folder, made absolute. Blank gives undefined. */
function expand(path: string | undefined, user: string, folder: string = user): string | undefined {
  const full = fromHome(path, user);
  return full === undefined ? undefined : resolve(folder, full);
}

/** The same, of which a relative one stays relative. */
function fromHome(path: string | undefined, user: string): string | undefined {
  const trimmed = path?.trim() ?? "";
  if (trimmed === "") return undefined;
  return trimmed === "~" ? user : /^~[/\\]/.test(trimmed) ? join(user, trimmed.slice(2)) : trimmed;
}
