import { launchCommand, LaunchType } from "@raycast/api";

/** Opens the list at a session, or as a whole; tells whether the launcher did. */
export async function openListAt(id?: string): Promise<boolean> {
  try {
    await launchCommand({
      name: "search-sessions",
      type: LaunchType.UserInitiated,
      ...(id === undefined ? {} : { context: { id } }),
    });
    return true;
  } catch {
    // It is not enabled, or this launcher opens no command from another.
    return false;
  }
}
