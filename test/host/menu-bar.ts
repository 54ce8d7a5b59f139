/** What an action launches so that the menu bar shows it at once: only macOS has one. */
export const MENU_BAR_REFRESH =
  process.platform === "darwin" ? [{ name: "sessions-in-menu-bar", type: "background" }] : [];
