import { launchCommand, LaunchType } from "@raycast/api";

/**
 * Has the menu bar show at once what an action changed; it looks by itself only now and then.
 *
 * @param platform only macOS has a menu bar for it; termcast elsewhere would draw the command into the window
 */
export async function refreshMenuBar(platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform !== "darwin") return;
  try {
    await launchCommand({ name: "sessions-in-menu-bar", type: LaunchType.Background });
  } catch {
    // Not turned on, or never opened yet: then there is nothing to refresh.
  }
}
