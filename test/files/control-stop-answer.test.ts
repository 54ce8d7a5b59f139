import * as fc from "fast-check";
import { decodeStopAnswer, encodeStopAnswer, STOP_ANSWER_LIMIT } from "../../src/files/control-stop-answer";
import { propertyRuns } from "../property-runs";

test("the first line is when it ends, in whole seconds, and the rest is what Claude and Codex go on by", () => {
  const text = encodeStopAnswer({ expiresAt: 1_780_000_600.9, reason: 'Pause: "save"\nnow' });
  const [first = "", second = "", ...rest] = text.split("\n");
  expect(first).toBe("1780000600");
  expect(JSON.parse(second)).toEqual({ decision: "block", reason: 'Pause: "save"\nnow' });
  expect(rest).toEqual([""]);
});

test.each(["", "x\n{}", "\n{}", "1780000600", "-1\n{}", "1780000600.5\n{}"])("%j is no answer", (text) => {
  expect(decodeStopAnswer(text)).toBeUndefined();
});

test("every reason comes back as it was, on one line, and the longest message has room", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 99_999_999_999 }), (reason, expiresAt) => {
      const decoded = decodeStopAnswer(encodeStopAnswer({ expiresAt, reason }));
      expect(decoded?.expiresAt).toBe(expiresAt);
      expect(decoded?.printed.trimEnd().includes("\n")).toBe(false);
      expect(JSON.parse(decoded?.printed ?? "")).toEqual({ decision: "block", reason });
    }),
    propertyRuns(200),
  );
  const longest = encodeStopAnswer({ expiresAt: 1_780_000_600, reason: '"\n'.repeat(8 * 1024) });
  expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(STOP_ANSWER_LIMIT);
});
