import type { Keyboard } from "@raycast/api";

type Key = Keyboard.KeyEquivalent;
type Modifiers = Keyboard.KeyModifier[];

/** A key with Command and Shift; with Ctrl and Shift on Windows. */
function shifted(key: Key): Keyboard.Shortcut {
  return both(key, ["cmd", "shift"], ["ctrl", "shift"]);
}

/** A key with Command and Option; with Ctrl and Alt on Windows. */
function optioned(key: Key): Keyboard.Shortcut {
  return both(key, ["cmd", "opt"], ["ctrl", "alt"]);
}

/**
 * The keys of each platform; and those of this one as they are, since termcast fails on keys by platform, and Vicinae passes
 * over them.
 */
function both(key: Key, mac: Modifiers, windows: Modifiers): Keyboard.Shortcut {
  const modifiers = process.platform === "darwin" ? mac : windows;
  return { key, modifiers, macOS: { modifiers: mac, key }, Windows: { modifiers: windows, key } };
}

/** The keys of actions that have no common ones. */
export const SHORTCUTS = {
  markRead: shifted("r"),
  markUnread: shifted("u"),
  copyResumeCommand: optioned("r"),
  pause: shifted("p"),
  pauseAndRestart: optioned("p"),
  cancelRestart: shifted("x"),
} as const satisfies Record<string, Keyboard.Shortcut>;
