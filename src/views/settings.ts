import { getPreferenceValues } from "@raycast/api";
import type { Invoker } from "../cli/invoke";
import { controlWatch } from "../cli/control-watch";
import type { Surroundings } from "../observe/observer";
import { parseTtl } from "../session/cache";
import { placesOf, type PlacePreferences, type Places } from "../store/places";

/** What the user set in the extension's preferences. */
export interface Settings {
  places: Places;
  /** What is watched, and by which rules. */
  watched: Pick<Surroundings, "places" | "cacheTtl" | "control">;
  invoker: Invoker;
  countUnread: boolean;
}

/** Reads the preferences anew: they may change while a command is open. */
export function readSettings(): Settings {
  const { homeDirectory, statusDirectory, signalStateFile, claudeDirectories, cacheTtl, commandPath, countUnread } =
    getPreferenceValues<Preferences>();
  const preferences: PlacePreferences = { home: homeDirectory, statusDirectory, signalStateFile, claudeDirectories };
  const places = placesOf(process.env, preferences);
  const ttl = parseTtl(cacheTtl);
  return {
    places,
    watched: { places, control: controlWatch(places), ...(ttl === undefined ? {} : { cacheTtl: ttl }) },
    invoker: { preferences, commandPath, ...(ttl === undefined ? {} : { cacheTtl: ttl }) },
    countUnread: countUnread === true,
  };
}
