import * as fc from "fast-check";
import { decodeRequest, encodeRequest } from "../../src/files/control-request";
import { REQUEST_KINDS, type ControlRequest } from "../../src/session/request";
import { propertyRuns } from "../property-runs";

const T = 1_780_000_000;
const save: ControlRequest = { id: "k-1", kind: "save", author: "command", at: T, expiresAt: T + 600 };

test("a request is written as docs/control.md has it, and read again", () => {
  const prompt: ControlRequest = { ...save, kind: "prompt", text: "Grüße,\n\tweiter" };
  expect(JSON.parse(encodeRequest(prompt))).toEqual({
    version: 1,
    id: "k-1",
    kind: "prompt",
    text: "Grüße,\n\tweiter",
    author: "command",
    at: T,
    expiresAt: T + 600,
  });
  expect(decodeRequest(encodeRequest(prompt))).toEqual({ outcome: "request", request: prompt });
  expect(JSON.parse(encodeRequest(save))).not.toHaveProperty("text");
});

test("keys that are not known are left out", () => {
  const text = JSON.stringify({ version: 1, ...save, extra: 1 });
  expect(decodeRequest(text)).toEqual({ outcome: "request", request: save });
});

test.each([
  ["another version", { version: 2 }],
  ["a path as id", { id: "../../x" }],
  ["an empty id", { id: "" }],
  ["a long id", { id: "x".repeat(65) }],
  ["an unknown kind", { kind: "rm" }],
  ["no author", { author: "" }],
  ["milliseconds", { at: T * 1000, expiresAt: T * 1000 + 1 }],
  ["an end before its beginning", { expiresAt: T }],
  ["a text that is no message", { text: "hello" }],
  ["a prompt without a text", { kind: "prompt" }],
  ["a prompt with an empty text", { kind: "prompt", text: "" }],
  ["an escape", { kind: "prompt", text: "\u001b[31m" }],
  ["a carriage return", { kind: "prompt", text: "one\rtwo" }],
  ["a C1 control", { kind: "prompt", text: "\u009b31m" }],
  ["a text that is too long", { kind: "prompt", text: "ü".repeat(8193) }],
])("%s is refused with a reason", (_what, changes) => {
  const decoded = decodeRequest(JSON.stringify({ version: 1, ...save, ...changes }));
  expect(decoded).toEqual({ outcome: "refused", reason: expect.stringMatching(/./) as string });
});

test("the longest message is 16 KiB", () => {
  const text = "ü".repeat(8192);
  expect(decodeRequest(JSON.stringify({ version: 1, ...save, kind: "prompt", text })).outcome).toBe("request");
});

test("a request that nobody would take is not written", () => {
  expect(() => encodeRequest({ ...save, id: "../x" })).toThrow(RangeError);
  expect(() => encodeRequest({ ...save, kind: "prompt", text: "\u001b" })).toThrow(RangeError);
});

test("whatever a file holds, reading it never throws, and what is read can be written", () => {
  const near = fc.record(
    {
      version: fc.constantFrom<unknown>(1, 1, 1, 2, "1"),
      id: fc.oneof(fc.constant("k-1"), fc.string(), fc.integer()),
      kind: fc.oneof(fc.constantFrom(...REQUEST_KINDS), fc.string()),
      text: fc.oneof(fc.string({ unit: "binary" }), fc.constant(undefined), fc.constant(null)),
      author: fc.string(),
      at: fc.oneof(fc.constant(T), fc.double()),
      expiresAt: fc.oneof(fc.constant(T + 60), fc.double()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        near.map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const decoded = decodeRequest(text);
        if (decoded.outcome === "request") {
          expect(decodeRequest(encodeRequest(decoded.request))).toEqual(decoded);
        }
      },
    ),
    propertyRuns(300),
  );
});
