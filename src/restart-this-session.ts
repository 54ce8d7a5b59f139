import { showHUD } from "@raycast/api";
import { findInFront } from "./cli/invoke-front";
import { restartSession } from "./views/asking-confirmed";
import { openListAt } from "./views/open-list";
import { sayFailed } from "./views/open-preferences";
import { settingsToAct } from "./views/settings";

/** Save and Restart This Session: the one whose terminal is in front; where that is not certain, the list asks which. */
export default async function restartThisSession(): Promise<void> {
  try {
    const session = await findInFront(settingsToAct().invoker);
    if (session === undefined) return await choose();
    // No list is open that would have to look again.
    const told = await restartSession(session, { onRefresh: async () => undefined });
    if (told !== undefined) await showHUD(told.message === undefined ? told.title : `${told.title}: ${told.message}`);
  } catch (error) {
    await sayFailed("Could Not Restart This Session", error);
  }
}

async function choose(): Promise<void> {
  // First, since it closes the window that the list opens in.
  await showHUD("Choose the Session to Restart");
  if (!(await openListAt())) await showHUD("Open Search Sessions to Choose the Session to Restart");
}
