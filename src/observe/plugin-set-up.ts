import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  isAtLeast,
  isByTheWay,
  isInstalled,
  PLUGIN_NAME,
  PLUGIN_NEEDS,
  PLUGIN_PLACE,
  PLUGIN_SETTING,
  versionNumbers,
} from "../agents/claude/plugin";
import { jsonObstacle } from "../agents/json-hooks";
import { folderOf } from "../agents/settings-target";
import { reasonOf, SessionsError } from "../session/failure";
import { makeFolder } from "../store/atomic-write";
import {
  clearLeftovers,
  installPlugin,
  lookAtPlugin,
  readShippedPlugin,
  refusalOf,
  removePlugin,
  type InstalledPlugin,
  type PluginFileChange,
  type ShippedPlugin,
} from "../store/installed-plugin";
import { withLock } from "../store/lock";
import { placesOf } from "../store/places";
import { glanceAt } from "../store/set-up-files";
import type { SetUpPlace } from "./set-up";

/** How the plugin stands in one configuration folder. */
export interface PluginFinding {
  folder: string;
  state: "installed" | "outdated" | "newer" | "missing" | "refused";
  /** The version there. */
  version?: string;
  /** Why it is refused. */
  reason?: string;
  /** The user turned it off in Claude Code. */
  isOff?: true;
}

/**
 * What is wanted of the Claude plugin: that it is there, that it is this version's where it is there already, or that it
 * is not.
 */
export type PluginWish = "install" | "update" | "remove";

/** What a set-up makes of the plugin in one configuration folder of Claude Code. */
export type PlannedPlugin = { folder: string } & (
  | PluginChangePlan
  /** Not there, and not asked for. */
  | { outcome: "offered"; version: string; files: readonly PluginFileChange[] }
  | { outcome: "already"; version: string }
  /** Another installation of Agent Sessions put a newer one there: it stays. */
  | { outcome: "newer"; version: string; ours: string }
  | { outcome: "absent" }
  | { outcome: "refused"; error: SessionsError }
);

/** A plugin that is changed, or from which something is cleared. */
export type PluginChangePlan = {
  seen: InstalledPlugin;
  shipped: ShippedPlugin;
  /** What is done with each file. */
  files: readonly PluginFileChange[];
  /** Files that somebody changed by hand: what they hold is lost. */
  edited: readonly string[];
} & (
  | { outcome: "install" }
  | { outcome: "update"; from?: string }
  | { outcome: "remove"; from?: string }
  /** Only what a killed installation left. */
  | { outcome: "clear" }
);

const RULES = { name: PLUGIN_NAME, isInstalled, isByTheWay };

/** What is compared with where nothing ships: a removal needs only what an installation noted. */
const NOTHING: ShippedPlugin = { version: "0.0.0", files: new Map(), known: new Set() };

/** The plugin as it ships with what is run; undefined where it does not: hooks do without. */
export function findShippedPlugin(place: Pick<SetUpPlace, "assets">): ShippedPlugin | undefined {
  try {
    return shippedPlugin(place);
  } catch (error) {
    if (error instanceof SessionsError) return undefined;
    throw error;
  }
}

function shippedPlugin({ assets }: Pick<SetUpPlace, "assets">): ShippedPlugin {
  return readShippedPlugin(join(assets, "claude-plugin"), RULES);
}

/** The folders where the plugin goes: in each configuration folder there is, and in the one whose settings get the hooks. */
export function pluginFolders(place: SetUpPlace): string[] {
  const { environment, platform = process.platform, agentDirectories } = place;
  const user = environment.HOME?.trim() || homedir();
  const own = folderOf({ environment, user, platform }, "CLAUDE_CONFIG_DIR", join(user, ".claude"));
  const known = agentDirectories ?? placesOf(environment).agentDirectories ?? [];
  const there = known.filter(({ agent, path }) => agent === "claude" && isFolder(path)).map(({ path }) => path);
  // Two names of one folder are one folder.
  const folders = new Map([own, ...there].toReversed().map((path) => [realOf(path), path]));
  return Array.from(folders.values(), (path) => join(path, ...PLUGIN_PLACE)).toReversed();
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Looks at the plugin in each configuration folder, and says what would be made of it. Writes nothing.
 *
 * @param version of the user's Claude Code, as it tells it; one that is too old gets no plugin
 * @throws SessionsError `unreadable` when the plugin is to be installed and what is shipped cannot be read
 */
export function planPlugins(place: SetUpPlace, wish: PluginWish, version?: string): PlannedPlugin[] {
  const found = wish === "install" ? shippedPlugin(place) : findShippedPlugin(place);
  if (found === undefined && wish !== "remove") return [];
  const shipped = found ?? NOTHING;
  return pluginFolders(place).map((folder): PlannedPlugin => {
    const seen = lookAtPlugin(folder, shipped, RULES);
    if (seen.outcome === "refused") {
      // Somebody else's folder is no hindrance to those who want nothing there.
      const isInTheWay = wish === "install" || seen.isOurs === true;
      return isInTheWay
        ? { folder, outcome: "refused", error: refusalOf(folder, seen.reason) }
        : { folder, outcome: "absent" };
    }
    if (wish === "remove") return removalOf(folder, seen, shipped);
    return seen.outcome === "missing"
      ? missingPlan(folder, seen, shipped, { wish, version })
      : presentPlan(folder, seen, shipped);
  });
}

type Ours = InstalledPlugin & { outcome: "ours" };
type Missing = InstalledPlugin & { outcome: "missing" };

function removalOf(folder: string, seen: Ours | Missing, shipped: ShippedPlugin): PlannedPlugin {
  if (seen.outcome === "missing") {
    return seen.leftovers.length === 0 ? { folder, outcome: "absent" } : clearing(folder, seen, shipped);
  }
  const files = Array.from(seen.files.keys(), (path): PluginFileChange => ({ path, does: "remove" }));
  const { edited, version: from } = seen;
  return { folder, outcome: "remove", seen, shipped, files, edited, ...(from === undefined ? {} : { from }) };
}

function missingPlan(
  folder: string,
  seen: Missing,
  shipped: ShippedPlugin,
  { wish, version }: { wish: Exclude<PluginWish, "remove">; version: string | undefined },
): PlannedPlugin {
  const isTooOld = version !== undefined && isAtLeast(version, PLUGIN_NEEDS) === false;
  const files = Array.from(shipped.files.keys(), (path): PluginFileChange => ({ path, does: "add" }));
  switch (wish) {
    case "install":
      return isTooOld
        ? { folder, outcome: "refused", error: tooOld(version) }
        : { folder, outcome: "install", seen, shipped, files, edited: [] };
    case "update":
      if (seen.leftovers.length > 0) return clearing(folder, seen, shipped);
      return isTooOld ? { folder, outcome: "absent" } : { folder, outcome: "offered", version: shipped.version, files };
    default:
      return wish satisfies never;
  }
}

function presentPlan(folder: string, seen: Ours, shipped: ShippedPlugin): PlannedPlugin {
  const { changes, edited, version: from, leftovers } = seen;
  if (from !== undefined && isAtLeast(shipped.version, from) === false) {
    return { folder, outcome: "newer", version: from, ours: shipped.version };
  }
  if (changes.length > 0) {
    return {
      folder,
      outcome: "update",
      seen,
      shipped,
      files: changes,
      edited,
      ...(from === undefined ? {} : { from }),
    };
  }
  return leftovers.length > 0
    ? clearing(folder, seen, shipped)
    : { folder, outcome: "already", version: shipped.version };
}

function clearing(folder: string, seen: Ours | Missing, shipped: ShippedPlugin): PlannedPlugin {
  return { folder, outcome: "clear", seen, shipped, files: [], edited: [] };
}

function tooOld(version: string): SessionsError {
  return new SessionsError(
    "refused",
    `Claude Code ${versionNumbers(version)?.join(".") ?? version} does not run such plugins: they need ${PLUGIN_NEEDS} or newer.`,
    "Update Claude Code, then try again.",
  );
}

/** What of plans would be done. */
export function changedPlugins(plugins: readonly PlannedPlugin[]): (PlannedPlugin & PluginChangePlan)[] {
  return plugins.flatMap((plugin) => (isChange(plugin) ? [plugin] : []));
}

function isChange(plugin: PlannedPlugin): plugin is PlannedPlugin & PluginChangePlan {
  switch (plugin.outcome) {
    case "install":
    case "update":
    case "remove":
    case "clear":
      return true;
    case "offered":
    case "already":
    case "newer":
    case "absent":
    case "refused":
      return false;
    default:
      return plugin satisfies never;
  }
}

/** What was done with the plugin in one folder. */
export type AppliedPlugin = { planned: PlannedPlugin & PluginChangePlan } & (
  { outcome: "done" } | { outcome: "failed"; error: SessionsError }
);

/**
 * Does what was planned. A folder that is not any more what it was when the plan was made is left alone; the others are
 * done.
 *
 * @throws SessionsError when another set-up is at work, or our home cannot be made
 */
export function applyPlugins({ home }: Pick<SetUpPlace, "home">, plugins: readonly PlannedPlugin[]): AppliedPlugin[] {
  const changes = changedPlugins(plugins);
  if (changes.length === 0) return [];
  return withLock(join(home, "set-up.lock"), () =>
    changes.map((planned): AppliedPlugin => {
      try {
        apply(home, planned);
        return { planned, outcome: "done" };
      } catch (error) {
        const told = error instanceof SessionsError ? error : new SessionsError("unwritable", `${reasonOf(error)}.`);
        return { planned, outcome: "failed", error: told };
      }
    }),
  );
}

function apply(home: string, planned: PlannedPlugin & PluginChangePlan): void {
  const change = { folder: planned.folder, seen: planned.seen, shipped: planned.shipped, rules: RULES };
  switch (planned.outcome) {
    case "install":
    case "update":
      // The plugin writes there, and cannot give folders their modes.
      for (const folder of [home, join(home, "inbox"), join(home, "plugin")]) makeFolder(folder);
      installPlugin(change);
      break;
    case "remove":
      removePlugin(change);
      break;
    case "clear":
      clearLeftovers(change);
      break;
    default:
      planned satisfies never;
  }
}

/** How the plugin stands in each configuration folder. Writes nothing. */
export function lookAtPlugins(place: SetUpPlace, shipped: ShippedPlugin): PluginFinding[] {
  return pluginFolders(place).map((folder): PluginFinding => {
    const seen = lookAtPlugin(folder, shipped, RULES);
    switch (seen.outcome) {
      case "missing":
        return { folder, state: "missing" };
      case "refused":
        return { folder, state: "refused", reason: seen.reason };
      case "ours": {
        const { version } = seen;
        const isNewer = version !== undefined && isAtLeast(shipped.version, version) === false;
        const state = isNewer ? "newer" : seen.changes.length > 0 ? "outdated" : "installed";
        const isOff = isTurnedOff(folder);
        return { folder, state, ...(version === undefined ? {} : { version }), ...(isOff ? { isOff } : {}) };
      }
      default:
        return seen satisfies never;
    }
  });
}

/** Whether the settings beside it turn the plugin off. They are only read. */
function isTurnedOff(folder: string): boolean {
  const text = glanceAt(join(folder, "..", "..", "settings.json"));
  const said =
    text === undefined
      ? undefined
      : jsonObstacle(text, ({ enabledPlugins }) => {
          const isNamed =
            typeof enabledPlugins === "object" && enabledPlugins !== null && PLUGIN_SETTING in enabledPlugins;
          return isNamed && enabledPlugins[PLUGIN_SETTING] === false ? "off" : undefined;
        });
  return said !== undefined;
}
