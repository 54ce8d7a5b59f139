import { closeMainWindow, showHUD } from "@raycast/api";
import { printable } from "../session/text";
import { refreshMenuBar } from "./menu-refresh";

/** Closes the window and says what was done, as the user looks elsewhere by now; the menu bar then shows it, too. */
export async function leaveWith(done: string): Promise<void> {
  await closeMainWindow();
  await showHUD(printable(done));
  await refreshMenuBar();
}

/** A sentence as a title: without its full stop. */
export function asTitle(sentence: string): string {
  return sentence.trim().replace(/\.$/, "");
}
