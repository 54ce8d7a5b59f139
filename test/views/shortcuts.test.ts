import { shortcutsOf } from "../../src/views/shortcuts";
import { shortcutFault } from "../host/shortcuts";

describe.each(["darwin", "win32", "linux"] as const)("on %s", (platform) => {
  const shortcuts = Object.entries(shortcutsOf(platform));

  test.each(shortcuts)("%s is no key that the launcher keeps for itself, and one of this platform", (_name, keys) => {
    expect(shortcutFault(keys, platform)).toBeUndefined();
    // termcast fails on keys by platform.
    expect(Object.keys(keys).sort()).toEqual(["key", "modifiers"]);
  });

  test("no two are the same", () => {
    expect(new Set(shortcuts.map(([, keys]) => JSON.stringify(keys))).size).toBe(shortcuts.length);
  });
});
