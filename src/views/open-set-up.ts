import { launchCommand, LaunchType, showToast, Toast } from "@raycast/api";

/** The command's title, as the manifest has it. */
export const SET_UP_TITLE = "Set Up Agents";

/** Opens Set Up Agents; where a launcher cannot open one command from another, it says what to open. */
export async function openSetUp(): Promise<void> {
  try {
    await launchCommand({ name: "set-up-agents", type: LaunchType.UserInitiated });
  } catch {
    await showToast({ style: Toast.Style.Failure, title: `Open ${SET_UP_TITLE} in the Launcher` });
  }
}
