import * as fc from "fast-check";
import { decodeOutcome, encodeOutcome } from "../../src/files/control-outcome";
import type { RequestOutcome } from "../../src/session/request";
import { propertyRuns } from "../property-runs";

const T = 1_780_000_000;

const outcome: RequestOutcome = {
  id: "k-1",
  kind: "save-restart",
  by: "plugin",
  steps: [
    { outcome: "delivered", at: T },
    { outcome: "saved", at: T + 60, proof: { file: "/memory/webshop.md", lines: 3 } },
    { outcome: "cancelled", at: T + 61, reason: "the user typed" },
  ],
};

test("an outcome is written as docs/control.md has it, and read again", () => {
  expect(JSON.parse(encodeOutcome(outcome))).toEqual({ version: 1, ...outcome });
  expect(decodeOutcome(encodeOutcome(outcome))).toEqual({ outcome: "outcome", request: outcome });
});

test("by may be missing, and keys that are not known are left out", () => {
  const text = JSON.stringify({
    version: 1,
    id: "k-1",
    kind: "save",
    x: 1,
    steps: [{ outcome: "saving", at: T, y: 2 }],
  });
  expect(decodeOutcome(text)).toEqual({
    outcome: "outcome",
    request: { id: "k-1", kind: "save", steps: [{ outcome: "saving", at: T }] },
  });
});

test.each([
  ["cut", encodeOutcome(outcome).slice(0, 50)],
  ["empty", ""],
  ["another version", JSON.stringify({ ...outcome, version: 2 })],
  ["without steps", JSON.stringify({ version: 1, ...outcome, steps: [] })],
  ["of an unknown step", JSON.stringify({ version: 1, ...outcome, steps: [{ outcome: "won", at: T }] })],
  ["of an unknown way", JSON.stringify({ version: 1, ...outcome, by: "pigeon" })],
  ["with a path as id", JSON.stringify({ version: 1, ...outcome, id: "../x" })],
  [
    "with more steps than there can be",
    JSON.stringify({ version: 1, ...outcome, steps: Array(65).fill(outcome.steps[0]) }),
  ],
])("an outcome that is %s is refused with a reason", (_what, text) => {
  expect(decodeOutcome(text)).toEqual({ outcome: "refused", reason: expect.stringMatching(/./) as string });
});

test("whatever a file holds, reading it never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(["outcome", "refused"]).toContain(decodeOutcome(text).outcome);
    }),
    propertyRuns(200),
  );
});
