import { getPreferenceValues } from "@raycast/api";
import type { Invoker } from "../cli/invoke";
import { placesOf, type PlacePreferences, type Places } from "../store/places";

/** What the user set in the extension's preferences. */
export interface Settings {
  places: Places;
  invoker: Invoker;
  countUnread: boolean;
}

/** Reads the preferences anew: they may change while a command is open. */
export function readSettings(): Settings {
  const { homeDirectory, statusDirectory, signalStateFile, commandPath, countUnread } =
    getPreferenceValues<Preferences>();
  const preferences: PlacePreferences = { home: homeDirectory, statusDirectory, signalStateFile };
  return {
    places: placesOf(process.env, preferences),
    invoker: { preferences, commandPath },
    countUnread: countUnread === true,
  };
}
