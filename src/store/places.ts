import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";

/** A folder in which an agent keeps what it knows: its settings, its registry, its transcripts. */
export interface AgentDirectory {
  agent: "claude" | "codex";
  path: string;
  /** What to call it where there are several of one agent; the usual one has none. */
  label?: string;
}

/** Where things lie. All paths absolute. */
export interface Places {
  /** Our own home: read marks, cache; the same on every system, since a launcher has no shell environment. */
  home: string;
  /** AItention's status directory. */
  statusDirectory: string;
  /** Agent Signal's state document. */
  signalStateFile: string;
  /** The agents' own folders, the usual ones first; absent: none is looked at. */
  agentDirectories?: readonly AgentDirectory[];
}

/** What a user set in a launcher's preferences; it wins over the environment. Blank means unset. */
export interface PlacePreferences {
  home?: string | undefined;
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
  const user = environment.HOME?.trim() || homedir();
  const chosen = (preference: string | undefined, variable: string | undefined, otherwise: string) =>
    expand(preference, user) ?? expand(variable, user) ?? otherwise;
  return {
    home: homeOf(environment, preferences),
    statusDirectory: chosen(
      preferences.statusDirectory,
      environment.AGENT_SESSIONS_STATUS_DIR,
      join(user, ".claude", "aitention", "status"),
    ),
    signalStateFile: expand(preferences.signalStateFile, user) ?? signalStateFileOf(environment),
    agentDirectories: agentDirectoriesOf(environment, preferences, user),
  };
}

/** Our own home: the preference, else `AGENT_SESSIONS_HOME`, else `~/.agent-sessions`. */
export function homeOf(environment: Environment, { home }: Pick<PlacePreferences, "home"> = {}): string {
  const user = environment.HOME?.trim() || homedir();
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
    (list) => list?.split(/[,\n]/) ?? [],
  );
  add({ agent: "claude", path: join(user, ".claude") });
  for (const entry of listed) {
    const [, label, path] = /^(?:([^=/\\]*)=)?(.*)$/s.exec(entry) ?? [];
    const folder = expand(path, user);
    if (folder !== undefined) add({ agent: "claude", path: folder, label: label?.trim() || nameOf(folder) });
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
  const user = environment.HOME?.trim() || homedir();
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
  const trimmed = path?.trim() ?? "";
  if (trimmed === "") return undefined;
  const expanded = trimmed === "~" ? user : /^~[/\\]/.test(trimmed) ? join(user, trimmed.slice(2)) : trimmed;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(folder, expanded);
}
