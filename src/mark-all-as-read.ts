import { showHUD } from "@raycast/api";
import { reasonOf } from "./session/failure";
import { printable } from "./session/text";
import { markAllRead } from "./views/marking";
import { refreshMenuBar } from "./views/menu-refresh";

/** Mark All as Read: says in a HUD what was marked, since no window is open. */
export default async function markAllAsRead(): Promise<void> {
  try {
    await showHUD(await markAllRead());
  } catch (error) {
    await showHUD(`Could Not Mark All as Read: ${printable(reasonOf(error))}`);
    return;
  }
  await refreshMenuBar();
}
