import { showHUD } from "@raycast/api";
import { findInFront } from "./cli/invoke-front";
import { reasonOf } from "./session/failure";
import { printable } from "./session/text";
import { restartSession } from "./views/asking-confirmed";
import { openListAt } from "./views/open-list";
import { readSettings } from "./views/settings";

/** Save and Restart This Session: the one whose terminal is in front; where that is not certain, the list asks which. */
export default async function restartThisSession(): Promise<void> {
  try {
    const session = await findInFront(readSettings().invoker);
    if (session === undefined) return await choose();
    // No list is open that would have to look again.
    const told = await restartSession(session, { onRefresh: async () => undefined });
    if (told !== undefined) await showHUD(told.message === undefined ? told.title : `${told.title}: ${told.message}`);
  } catch (error) {
    await showHUD(`Could Not Restart This Session: ${printable(reasonOf(error))}`);
  }
}

async function choose(): Promise<void> {
  // First, since it closes the window that the list opens in.
  await showHUD("Choose the Session to Restart");
  if (!(await openListAt())) await showHUD("Open Search Sessions to Choose the Session to Restart");
}
