import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Where things lie. All paths absolute. */
export interface Places {
  /** Our own home: read marks, cache; the same on every system, since a launcher has no shell environment. */
  home: string;
  /** AItention's status directory. */
  statusDirectory: string;
  /** Agent Signal's state document. */
  signalStateFile: string;
}

/** What a user set in a launcher's preferences; it wins over the environment. Blank means unset. */
export type PlacePreferences = { [Place in keyof Places]?: string | undefined };

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The places of this user: preferences, else environment, else the defaults.
 * Variables: `AGENT_SESSIONS_HOME`, `AGENT_SESSIONS_STATUS_DIR`, and Agent Signal's own for its document.
 */
export function placesOf(environment: Environment, preferences: PlacePreferences = {}): Places {
  const user = environment.HOME?.trim() || homedir();
  const chosen = (preference: string | undefined, variable: string | undefined, otherwise: string) =>
    expand(preference, user) ?? expand(variable, user) ?? otherwise;
  return {
    home: chosen(preferences.home, environment.AGENT_SESSIONS_HOME, join(user, ".agent-sessions")),
    statusDirectory: chosen(
      preferences.statusDirectory,
      environment.AGENT_SESSIONS_STATUS_DIR,
      join(user, ".claude", "aitention", "status"),
    ),
    signalStateFile: expand(preferences.signalStateFile, user) ?? signalStateFileOf(environment),
  };
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
