// The names and values of the launcher's enums, read from its own types: the package ships no code.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The launcher's types as a text. */
export const TYPES = readFileSync(
  join(dirname(require.resolve("@raycast/api/package.json")), "types", "index.d.ts"),
  "utf8",
);

/** Member to value of an enum in the launcher's types. */
function enumNamed(name: string): Readonly<Record<string, string>> {
  const body = new RegExp(`\\benum ${name} \\{([^}]*)\\}`).exec(TYPES)?.[1];
  if (body === undefined) throw new Error(`The launcher's types have no enum ${name}`);
  return Object.fromEntries(
    Array.from(body.matchAll(/^\s*(\w+) = "([^"]*)"/gm), ([, member = "", value = ""]) => [member, value]),
  );
}

export const Icon = enumNamed("Icon");
export const Color = enumNamed("Color");
export const Image = { Mask: enumNamed("Mask") };
export const PopToRootType = enumNamed("PopToRootType");

/** Both platforms' keys, as the launcher's lint rule on common shortcuts lists them. */
const COMMON = {
  Copy: both(["cmd", "shift"], ["ctrl", "shift"], "c"),
  CopyDeeplink: both(["cmd", "shift"], ["ctrl", "shift"], "c"),
  CopyName: both(["cmd", "opt"], ["ctrl", "alt"], "c"),
  CopyPath: both(["cmd", "ctrl"], ["alt", "shift"], "c"),
  Save: both(["cmd"], ["ctrl"], "s"),
  Duplicate: both(["cmd", "shift"], ["ctrl", "shift"], "s"),
  Edit: both(["cmd"], ["ctrl"], "e"),
  MoveDown: both(["cmd", "shift"], ["ctrl", "shift"], "arrowDown"),
  MoveUp: both(["cmd", "shift"], ["ctrl", "shift"], "arrowUp"),
  New: both(["cmd"], ["ctrl"], "n"),
  Open: both(["cmd"], ["ctrl"], "o"),
  OpenWith: both(["cmd", "shift"], ["ctrl", "shift"], "o"),
  Pin: both(["cmd"], ["ctrl"], "."),
  Refresh: both(["cmd"], ["ctrl"], "r"),
  Remove: both(["ctrl"], ["ctrl"], "d"),
  RemoveAll: both(["ctrl", "shift"], ["ctrl", "shift"], "d"),
  ToggleQuickLook: both(["cmd"], ["ctrl"], "y"),
};

export const Keyboard = { Shortcut: { Common: COMMON } };

function both(macOS: string[], windows: string[], key: string) {
  return { macOS: { modifiers: macOS, key }, Windows: { modifiers: windows, key } };
}
