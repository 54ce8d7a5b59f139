import { launchCommand, LaunchType, showToast, Toast } from "@raycast/api";

/** Opens Search Sessions at a session; where a launcher cannot open one command from another, it says what to open. */
export async function openSession(id: string): Promise<void> {
  try {
    await launchCommand({ name: "search-sessions", type: LaunchType.UserInitiated, context: { id } });
  } catch {
    await showToast({ style: Toast.Style.Failure, title: "Open Search Sessions in the Launcher" });
  }
}
