import { environment, LaunchType, openExtensionPreferences, showHUD, showToast, Toast } from "@raycast/api";
import { reasonOf, SessionsError } from "../session/failure";
import { printable } from "../session/text";

/** What the action is called wherever a preference has to be corrected. */
export const OPEN_PREFERENCES_TITLE = "Open Extension Preferences";

/** Whether what failed does so until a preference is corrected. */
export function isOfPreferences(error: unknown): boolean {
  return error instanceof SessionsError && (error.code === "wrong-preference" || error.code === "command-missing");
}

/** The action of a toast that says what failed: the preferences, where correcting them helps; else none. */
export function preferencesAction(error: unknown): Pick<Toast.Options, "primaryAction"> {
  if (!isOfPreferences(error)) return {};
  return { primaryAction: { title: OPEN_PREFERENCES_TITLE, onAction: () => openExtensionPreferences() } };
}

/**
 * Says what failed in a command without a window: a toast where it can offer the preferences, else a HUD. There are no
 * toasts in the background.
 *
 * @param title what could not be done
 */
export async function sayFailed(title: string, error: unknown): Promise<void> {
  const message = printable(reasonOf(error));
  const { primaryAction } = preferencesAction(error);
  if (primaryAction === undefined || environment.launchType === LaunchType.Background) {
    await showHUD(`${title}: ${message}`);
    return;
  }
  await showToast({ style: Toast.Style.Failure, title, message, primaryAction });
}
