import type { ReactNode } from "react";
import { commandNamed, MANIFEST, preferenceDefaults } from "./manifest";
import { happened, host$, type Launch } from "./state";

/** The preferences: what the user set over the manifest's defaults. A name that the manifest lacks is a mistake. */
export function getPreferenceValues(): Record<string, unknown> {
  for (const name of Object.keys(host$.preferences)) {
    if (!MANIFEST.preferences.some((each) => each.name === name)) throw new Error(`No preference "${name}"`);
  }
  return { ...preferenceDefaults(), ...host$.preferences };
}

export async function open(target: string): Promise<void> {
  host$.opened.push(target);
  happened();
}

export const showInFinder = open;
export const openExtensionPreferences = () => open("extension preferences");
export const openCommandPreferences = () => open("command preferences");

/** Starts another command: it has to exist, to be enabled and, for the background, to have been opened once. */
export async function launchCommand(options: Launch): Promise<void> {
  const { name } = commandNamed(options.name);
  const failure = host$.launchFailures.get(name);
  if (failure !== undefined) throw new Error(failure);
  // The context crosses to the other command as JSON.
  host$.launched.push(JSON.parse(JSON.stringify(options)));
  happened();
}

export async function updateCommandMetadata({ subtitle }: { subtitle?: string | null }): Promise<void> {
  host$.subtitle = subtitle;
  happened();
}

export async function closeMainWindow(): Promise<void> {
  host$.closed += 1;
}

export const popToRoot = async () => undefined;
export const clearSearchBar = async () => undefined;
export const getApplications = async () => [];

export function useNavigation() {
  return { push: (view: ReactNode) => void host$.pushed.push(view), pop: () => void (host$.popped += 1) };
}

async function copy(content: unknown): Promise<void> {
  host$.clipboard = String(content);
  happened();
}

export const Clipboard = { copy, paste: copy, readText: async () => host$.clipboard };
