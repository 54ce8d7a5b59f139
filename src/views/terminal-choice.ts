import { getPreferenceValues } from "@raycast/api";

/** The terminal that the user chose for resuming, by the command's name for it; undefined: the command chooses. */
export function chosenTerminal(): string | undefined {
  const { terminal } = getPreferenceValues<Preferences>();
  // A launcher that has not read the manifest anew gives none.
  return terminal === undefined || terminal === "auto" ? undefined : terminal;
}
