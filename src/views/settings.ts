import { getPreferenceValues } from "@raycast/api";
import type { Invoker } from "../cli/invoke";
import { controlWatch } from "../cli/control-watch";
import { commandFault } from "../cli/installed-command";
import type { Surroundings } from "../observe/observer";
import { parseTtl } from "../session/cache";
import { SessionsError } from "../session/failure";
import { placesOf, userOf, type PlacePreferences, type Places } from "../store/places";
import { standingAt } from "../store/standing";
import { preferenceProblems, type PreferenceProblem, type PreferenceValues } from "./preference-problems";

/** What the user set in the extension's preferences. */
export interface Settings {
  places: Places;
  /** What is watched, and by which rules. */
  watched: Pick<Surroundings, "places" | "cacheTtl" | "control">;
  invoker: Invoker;
  menuBar: MenuBarSettings;
  /** What is wrong with them. */
  problems: readonly PreferenceProblem[];
}

/** How the menu bar shows itself. */
export interface MenuBarSettings {
  /** What the number counts; `nothing`: there is none. */
  counts: "needs-you" | "needs-you-and-unread" | "nothing";
  /** Whether it hides while nothing is up. */
  hides: boolean;
}

/** Reads the preferences anew: they may change while a command is open. */
export function readSettings(): Settings {
  const given = getPreferenceValues<Preferences>();
  const values = valuesOf(given);
  const { statusDirectory, signalStateFile, claudeDirectories, commandPath } = values;
  const preferences: PlacePreferences = {
    home: values.homeDirectory,
    statusDirectory,
    signalStateFile,
    claudeDirectories,
  };
  const places = placesOf(process.env, preferences);
  const ttl = parseTtl(values.cacheTtl);
  return {
    places,
    watched: { places, control: controlWatch(places), ...(ttl === undefined ? {} : { cacheTtl: ttl }) },
    invoker: { preferences, commandPath, ...(ttl === undefined ? {} : { cacheTtl: ttl }) },
    menuBar: { counts: countsOf(values.countUnread), hides: given.hideMenuBar === true },
    problems: preferenceProblems(values, { user: userOf(process.env), standingAt, commandFault }),
  };
}

/**
 * The settings for who shows sessions.
 *
 * @throws SessionsError `wrong-preference` when what would show is not what the user means
 */
export function settingsToRead(): Settings {
  return settingsFor(["reading"]);
}

/**
 * The settings for who acts on sessions.
 *
 * @throws SessionsError `wrong-preference` when that would not be done as the user means it
 */
export function settingsToAct(): Settings {
  return settingsFor(["reading", "acting"]);
}

function settingsFor(stopping: readonly PreferenceProblem["stops"][]): Settings {
  const settings = readSettings();
  const problems = settings.problems.filter(({ stops }) => stopping.includes(stops));
  if (problems.length === 0) return settings;
  throw new SessionsError("wrong-preference", problems.map(({ reason }) => reason).join(" "));
}

/** The values as texts: what a launcher keeps may be of another version, or written by hand. */
function valuesOf(given: Readonly<Partial<Record<keyof PreferenceValues, unknown>>>): PreferenceValues {
  const text = (value: unknown) => (value === undefined || value === null ? "" : String(value));
  return {
    statusDirectory: text(given.statusDirectory),
    signalStateFile: text(given.signalStateFile),
    homeDirectory: text(given.homeDirectory),
    claudeDirectories: text(given.claudeDirectories),
    cacheTtl: text(given.cacheTtl),
    commandPath: text(given.commandPath),
    terminal: text(given.terminal),
    countUnread: countText(given.countUnread),
  };
}

/** The count's choice. It was a checkbox once, which had unread answers counted as well; what users ticked still holds. */
function countText(value: unknown): string {
  if (value === true) return "needs-you-and-unread";
  return value === false || value === undefined || value === null ? "needs-you" : String(value);
}

function countsOf(value: string): MenuBarSettings["counts"] {
  return value === "needs-you-and-unread" || value === "nothing" ? value : "needs-you";
}
