import fc from "fast-check";
import { isMoment, isoOf, secondsOfIso, wholeSecondIsoOf } from "../../src/files/timestamp";
import { propertyRuns } from "../property-runs";

test.each<[string, number | undefined]>([
  ["2026-05-28T03:45:00Z", 1_779_939_900],
  ["2026-05-28T03:45:00.250Z", 1_779_939_900.25],
  ["2026-05-28T11:45:00+08:00", 1_779_939_900],
  ["2026-05-28T11:45:00+0800", 1_779_939_900],
  ["2026-05-27T22:45:00-05:00", 1_779_939_900],
  ["2026-05-28T03:45:00", 1_779_939_900],
  ["2024-02-29T00:00:00Z", 1_709_164_800],
  ["2023-02-29T00:00:00Z", undefined],
  ["2026-13-01T00:00:00Z", undefined],
  ["2026-05-28T24:00:00Z", undefined],
  ["2026-05-28", undefined],
  ["2026-05-28T03:45:00+24:00", undefined],
  ["yesterday", undefined],
  ["", undefined],
])("%j is %s", (text, seconds) => {
  expect(secondsOfIso(text)).toBe(seconds);
});

test("written whole, a moment loses its fraction, never a second", () => {
  expect(wholeSecondIsoOf(1_779_939_900.999)).toBe("2026-05-28T03:45:00Z");
});

test("what is written reads back to the millisecond", () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_000 }), (milliseconds) => {
      expect(secondsOfIso(isoOf(milliseconds / 1000))).toBeCloseTo(milliseconds / 1000, 3);
    }),
    propertyRuns(2000),
  );
});

test.each([
  [0, true],
  [1_800_000_000, true],
  [1_800_000_000_000, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])("%s seconds are a moment: %s", (seconds, is) => {
  expect(isMoment(seconds)).toBe(is);
});
