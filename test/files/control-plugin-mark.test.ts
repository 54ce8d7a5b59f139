import { decodePluginMark } from "../../src/files/plugin-mark";

const T = 1_780_000_000;

test("a mark tells phrase and file where they are known, and is known without them", () => {
  const mark = { at: T, pickup: "webshop pickup", file: "/m/webshop.md", language: "de", pid: 42 };
  expect(decodePluginMark(JSON.stringify({ version: 1, ...mark, context: 12_000 }))).toEqual({ outcome: "mark", mark });
  const empty = { version: 1, at: T, pickup: "", file: "" };
  expect(decodePluginMark(JSON.stringify(empty))).toEqual({ outcome: "mark", mark: { at: T } });
});

test.each([
  ["", "nothing"],
  ["{", "a cut text"],
  [JSON.stringify({ version: 2, at: T, pickup: "", file: "" }), "another version"],
  [JSON.stringify({ version: 1, at: T * 1000, pickup: "", file: "" }), "milliseconds"],
  [JSON.stringify({ version: 1, at: T, pickup: "", file: "", pid: -1 }), "no process"],
  [JSON.stringify({ version: 1, at: T }), "no phrase"],
])("%j is no mark: %s", (text) => {
  expect(decodePluginMark(text)).toEqual({ outcome: "refused", reason: expect.stringMatching(/./) as string });
});
