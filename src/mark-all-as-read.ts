import { showHUD } from "@raycast/api";
import { reasonOf } from "./session/failure";
import { markAllRead } from "./views/marking";

/** Mark All as Read: says in a HUD what was marked, since no window is open. */
export default async function markAllAsRead(): Promise<void> {
  try {
    await showHUD(await markAllRead());
  } catch (error) {
    await showHUD(`Could Not Mark All as Read: ${reasonOf(error)}`);
  }
}
