import { SHORTCUTS } from "../../src/views/shortcuts";
import { shortcutFault } from "../host/shortcuts";

test.each(Object.entries(SHORTCUTS))(
  "%s has keys for each platform, and as a launcher without platforms reads them",
  (_name, keys) => {
    expect(shortcutFault(keys)).toBeUndefined();
    expect(keys).toMatchObject(process.platform === "darwin" ? { macOS: plain(keys) } : { Windows: plain(keys) });
  },
);

test("no two actions have the same", () => {
  const all = Object.values(SHORTCUTS).map((keys) => JSON.stringify(keys));
  expect(new Set(all).size).toBe(all.length);
});

/** The keys as termcast and Vicinae read them. */
function plain(keys: object): unknown {
  expect(keys).toMatchObject({ key: expect.any(String) as string, modifiers: expect.any(Array) as string[] });
  const { key, modifiers } = { key: undefined, modifiers: undefined, ...keys };
  return { modifiers, key };
}
