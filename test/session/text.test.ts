import fc from "fast-check";
import { cutText, oneLine, printable, printableJson, textLength } from "../../src/session/text";
import { propertyRuns } from "../property-runs";

test("a text within the limit stays", () => {
  expect(cutText("abc", 3)).toBe("abc");
});

test("a longer one ends in an ellipsis that counts", () => {
  expect(cutText("abcd", 3)).toBe("ab…");
});

test("characters are counted, not halves of them", () => {
  expect(cutText("👍👍👍", 3)).toBe("👍👍👍");
  expect(cutText("👍👍👍👍", 3)).toBe("👍👍…");
  expect(textLength("👍é")).toBe(2);
});

test("whatever the text, the cut one is well-formed and within the limit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.integer({ min: 1, max: 40 }), (text, limit) => {
      const cut = cutText(`${text}\ud83d`, limit);
      expect(cut.isWellFormed()).toBe(true);
      expect(textLength(cut)).toBeLessThanOrEqual(limit);
    }),
    propertyRuns(2000),
  );
});

test.each([
  ["an eight-bit control", "\u009b2J", '"\\u009b2J"'],
  ["a turn of direction", "a\u202eb", '"a\\u202eb"'],
  ["a line separator", "a\u2028b", '"a\\u2028b"'],
  ["a backslash that looks like an escape", "\\ud800", '"\\\\ud800"'],
  ["plain text", "Größe 👍", '"Größe 👍"'],
])("JSON says %s with an escape, and so the same", (_what, text, json) => {
  expect(printableJson(text)).toBe(json);
  expect(JSON.parse(printableJson({ [text]: [text] }, 2))).toEqual({ [text]: [text] });
});

test("half a character becomes a whole one in JSON: some readers end with it", () => {
  expect(printableJson({ a: "x\ud83d", b: ["\udc00"] })).toBe('{"a":"x\ufffd","b":["\ufffd"]}');
});

test("one line is one line", () => {
  expect(oneLine("  a\n\tb\r\n c ")).toBe("a b c");
});

test.each([
  ["an escape sequence", "\u001b[2Jx", "\ufffd[2Jx"],
  ["a C1 control", "\u009b31mx", "\ufffd31mx"],
  ["a line break", "a\nb", "a b"],
  ["a direction mark", "a\u202eb", "a\ufffdb"],
  ["a lone surrogate", "a\ud83d", "a\ufffd"],
  ["a NUL", "a\0b", "a\ufffdb"],
  ["plain text of any script", "Größe 你好 👍", "Größe 你好 👍"],
])("%s cannot steer a terminal", (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});
