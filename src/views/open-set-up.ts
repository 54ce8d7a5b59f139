import { launchCommand, LaunchType, showToast, Toast } from "@raycast/api";

/** Opens Set Up Agents; where a launcher cannot open one command from another, it says what to open. */
export async function openSetUp(): Promise<void> {
  try {
    await launchCommand({ name: "set-up-agents", type: LaunchType.UserInitiated });
  } catch {
    await showToast({ style: Toast.Style.Failure, title: "Open Set Up Agents in the Launcher" });
  }
}
