import type { Keyboard } from "@raycast/api";

/**
 * The keys of actions that have no common ones: Command on macOS, Ctrl elsewhere. They are told as this platform's alone,
 * since termcast fails on keys by platform, and Vicinae passes over them.
 */
export function shortcutsOf(platform: NodeJS.Platform) {
  const isMac = platform === "darwin";
  const shifted = (key: Keyboard.KeyEquivalent): Keyboard.Shortcut => ({
    modifiers: isMac ? ["cmd", "shift"] : ["ctrl", "shift"],
    key,
  });
  const optioned = (key: Keyboard.KeyEquivalent): Keyboard.Shortcut => ({
    modifiers: isMac ? ["cmd", "opt"] : ["ctrl", "alt"],
    key,
  });
  return {
    markRead: shifted("r"),
    markUnread: shifted("u"),
    copyResumeCommand: optioned("r"),
    pause: shifted("p"),
    pauseAndRestart: optioned("p"),
    cancelRestart: shifted("x"),
    openDetails: shifted("i"),
    showEvents: shifted("e"),
  } as const satisfies Record<string, Keyboard.Shortcut>;
}

/** The keys on this platform. */
export const SHORTCUTS = shortcutsOf(process.platform);
