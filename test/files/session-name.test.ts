import { sessionFileName } from "../../src/files/session-name";

test.each([
  ["4f2e8190-1d47", "4f2e8190-1d47.json"],
  ["a/b", "a%2Fb.json"],
  ["..", "%2E..json"],
  [".hidden", "%2Ehidden.json"],
  ["a b\n", "a%20b%0A.json"],
  ["ü", "%C3%BC.json"],
  ["%41", "%2541.json"],
  // Windows has devices of these names in every folder, whatever comes after the dot.
  ["con", "%63on.json"],
  ["NUL.txt", "%4EUL.txt.json"],
  ["com1", "%63om1.json"],
  ["console", "console.json"],
  ["com", "com.json"],
])("the session %j is kept in %s, which leads back to it", (id, name) => {
  expect(sessionFileName(id)).toBe(name);
  expect(decodeURIComponent(name.slice(0, -".json".length))).toBe(id);
});

test.each([
  ["nothing", ""],
  ["what is longer than a name", "x".repeat(181)],
  ["letters that become longer than a name", "ü".repeat(31)],
  // Two of them would have one name: a file's name is UTF-8.
  ["half a character", "a\ud800"],
])("%s has none", (_what, id) => {
  expect(sessionFileName(id)).toBeUndefined();
});
