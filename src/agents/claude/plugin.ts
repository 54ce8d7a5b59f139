import { CLAUDE_EVENTS } from "./hooks";

/** The plugin's name, in its `plugin.json` and as its folder. */
export const PLUGIN_NAME = "agent-sessions";

/** The first Claude Code that runs modules of plugins (mods documentation). */
export const PLUGIN_NEEDS = "2.1.287";

/** What the plugin adds, for people. */
export const PLUGIN_ADDS =
  "/sessions and /pause in every session, requests from outside, and reports from inside without hooks";

/** What is left to the user once the plugin is installed: sessions look for new plugins when they start. */
export const PLUGIN_AFTERWARDS = "Sessions that run already take the plugin up after /reload-plugins or a restart.";

/**
 * Where a configuration folder has the plugin. A plugin in `skills/` loads in each session of that folder, without a
 * settings entry and without a question; a name that begins with a dot is not loaded there.
 */
export const PLUGIN_PLACE = ["skills", PLUGIN_NAME] as const;

/** How the user's settings name the plugin where they turn it off (`enabledPlugins`). */
export const PLUGIN_SETTING = `${PLUGIN_NAME}@skills-dir`;

/**
 * Whether a file of the plugin's folder is written there by others in the course of things: the client's typings with
 * the tsconfig.json that extends them, and what file managers leave. It comes and goes with the folder.
 */
export function isByTheWay(path: string): boolean {
  return /^(?:\.claude-plugin\/types\/.*|tsconfig\.json|\.gitignore|(?:.*\/)?(?:\.DS_Store|Thumbs\.db|desktop\.ini))$/.test(
    path,
  );
}

/** Whether a shipped file goes into a user's folder: its own tests and what is for git do not. */
export function isInstalled(path: string): boolean {
  return !isByTheWay(path) && !/\.test\.tsx?$/.test(path);
}

/** The numbers of a version, out of what a program says of it (`2.1.332 (Claude Code)`). */
export function versionNumbers(text: string): readonly [number, number, number] | undefined {
  const [, major, minor, patch] = /(?<![\d.])(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** Whether a version is the other one or newer; undefined where one of them is none. */
export function isAtLeast(version: string, other: string): boolean | undefined {
  const [one, two] = [versionNumbers(version), versionNumbers(other)];
  if (one === undefined || two === undefined) return undefined;
  for (const [index, number] of one.entries()) {
    const difference = number - (two[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The versions that brought hook events, as far as its change log tells; the others are older. */
const EVENT_SINCE: Partial<Readonly<Record<(typeof CLAUDE_EVENTS)[number], string>>> = {
  PostCompact: "2.1.76",
  Elicitation: "2.1.76",
  ElicitationResult: "2.1.76",
  StopFailure: "2.1.78",
  CwdChanged: "2.1.83",
  PermissionDenied: "2.1.89",
};

/**
 * What follows where our hooks are in the settings of a Claude Code that does not know all of their events: a version
 * that takes one for invalid shows a settings error and leaves out the whole file. Undefined where it knows all of them,
 * or the version is not told.
 */
export function unknownEventsText(version: string): string | undefined {
  const unknown = CLAUDE_EVENTS.filter((event) => isAtLeast(version, EVENT_SINCE[event] ?? "0.0.0") === false);
  const last = unknown.at(-1);
  if (last === undefined) return undefined;
  const numbers = versionNumbers(version)?.join(".") ?? version;
  const names = [unknown.slice(0, -1).join(", "), last].filter((part) => part !== "").join(" and ");
  return (
    `Claude Code ${numbers} does not know the hook ${unknown.length === 1 ? "event" : "events"} ${names}: ` +
    `it may warn of invalid settings, and then leave out the whole file. Update it to ${newest(unknown)} or newer`
  );
}

function newest(events: readonly (typeof CLAUDE_EVENTS)[number][]): string {
  return events
    .flatMap((event) => EVENT_SINCE[event] ?? [])
    .reduce((one, other) => (isAtLeast(one, other) === true ? one : other));
}
