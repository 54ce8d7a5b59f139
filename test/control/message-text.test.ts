import * as fc from "fast-check";
import { cleanMessage } from "../../src/control/message-text";
import { SessionsError } from "../../src/session/failure";
import { propertyRuns } from "../property-runs";

test("a text stays as it is, but for what would steer a terminal", () => {
  expect(cleanMessage("Weiter mit Schritt 2:\n\tTests")).toEqual({
    text: "Weiter mit Schritt 2:\n\tTests",
    removed: 0,
  });
  expect(cleanMessage("one\r\ntwo\rthree\u2028four")).toEqual({ text: "one\ntwo\nthree\nfour", removed: 0 });
  expect(cleanMessage("\u001b[31mred\u0007\u009b")).toEqual({ text: "[31mred", removed: 3 });
  expect(cleanMessage("a\u202eb")).toEqual({ text: "ab", removed: 1 });
});

test.each(["", "  \n ", "\u001b\u0000"])("%j is no message", (text) => {
  expect(() => cleanMessage(text)).toThrow(SessionsError);
});

test("16 KiB are the most", () => {
  expect(cleanMessage("ü".repeat(8192)).text).toHaveLength(8192);
  expect(() => cleanMessage("ü".repeat(8193))).toThrow("16384");
});

test("whatever comes in, no control character but line breaks and tabs comes out", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (raw) => {
      try {
        // eslint-disable-next-line no-control-regex
        expect(cleanMessage(raw).text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      } catch (error) {
        expect(error).toBeInstanceOf(SessionsError);
      }
    }),
    propertyRuns(300),
  );
});
