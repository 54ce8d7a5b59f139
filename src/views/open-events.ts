import { launchCommand, LaunchType, showToast, Toast } from "@raycast/api";

/** Opens Session Events at a session; where a launcher cannot open one command from another, it says what to open. */
export async function openEvents(id: string): Promise<void> {
  try {
    await launchCommand({ name: "session-events", type: LaunchType.UserInitiated, context: { id } });
  } catch {
    await showToast({ style: Toast.Style.Failure, title: "Open Session Events in the Launcher" });
  }
}
