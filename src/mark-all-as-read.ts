import { showHUD } from "@raycast/api";
import { markAllRead } from "./views/marking";
import { refreshMenuBar } from "./views/menu-refresh";
import { sayFailed } from "./views/open-preferences";

/** Mark All as Read: says in a HUD what was marked, since no window is open. */
export default async function markAllAsRead(): Promise<void> {
  try {
    await showHUD(await markAllRead());
  } catch (error) {
    await sayFailed("Could Not Mark All as Read", error);
    return;
  }
  await refreshMenuBar();
}
