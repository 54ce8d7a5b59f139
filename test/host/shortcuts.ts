/** What the launcher keeps for itself, as modifiers and key, in the order of the alphabet. */
const RESERVED = new Set([
  "cmd+w",
  "delete",
  "backspace",
  "deleteForward",
  "cmd+delete",
  "opt+delete",
  "escape",
  "cmd+k",
  "cmd+,",
  "cmd+p",
  "cmd+shift+/",
  "enter",
  "return",
  "cmd+enter",
  "cmd+return",
  "cmd+q",
  "cmd+escape",
  "cmd+a",
]);

/**
 * What is wrong with a shortcut; undefined when nothing is, or when there is none. It is for both platforms, or for the
 * one it is asked for on: Command is a key of macOS alone.
 */
export function shortcutFault(shortcut: unknown, platform: string = process.platform): string | undefined {
  if (shortcut === undefined || shortcut === null) return undefined;
  if (typeof shortcut !== "object") return "its shortcut is not an object";
  const isForBoth = "macOS" in shortcut && "Windows" in shortcut;
  if (!isForBoth && keysOf(shortcut)?.includes("cmd") !== (platform === "darwin")) {
    return "its shortcut is for another platform";
  }
  for (const keys of isForBoth ? [shortcut.macOS, shortcut.Windows] : [shortcut]) {
    const pressed = keysOf(keys);
    if (pressed === undefined) return "its shortcut has no modifiers or no key";
    // On Windows the launcher's own keys take Ctrl where macOS takes Cmd.
    if (RESERVED.has(pressed) || RESERVED.has(pressed.replace("ctrl", "cmd"))) return `${pressed} is reserved`;
  }
  return undefined;
}

function keysOf(keys: unknown): string | undefined {
  if (typeof keys !== "object" || keys === null || !("modifiers" in keys) || !("key" in keys)) return undefined;
  const { modifiers, key } = keys;
  if (!Array.isArray(modifiers) || typeof key !== "string") return undefined;
  return [...modifiers.map(String).sort(), key].join("+");
}
