import { launchCommand, LaunchType } from "@raycast/api";

/** Has the menu bar show at once what an action changed; it looks by itself only now and then. */
export async function refreshMenuBar(): Promise<void> {
  try {
    await launchCommand({ name: "sessions-in-menu-bar", type: LaunchType.Background });
  } catch {
    // Not turned on, never opened yet, or a system without a menu bar: then there is nothing to refresh.
  }
}
