import fc from "fast-check";
import { ageOf, nextAgeChange, shortAge } from "../../src/session/age";
import { propertyRuns } from "../property-runs";

test.each([
  [0, "0s"],
  [59, "59s"],
  [60, "1m"],
  [3599, "59m"],
  [3600, "1h"],
  [86_399, "23h"],
  [86_400, "1d"],
  [13 * 86_400, "13d"],
  [14 * 86_400, "2w"],
])("an age of %i seconds reads %s", (age, text) => {
  expect(shortAge(age)).toBe(text);
});

test("a session from the future is as old as now", () => {
  expect(ageOf(2000, 1000)).toBe(0);
});

test("a fraction of a second is not a second", () => {
  expect(ageOf(1000.5, 1002.4)).toBe(1);
});

test("an age reads the same until it changes, and then differently", () => {
  fc.assert(
    fc.property(fc.nat(40 * 86_400), (age) => {
      const change = nextAgeChange(age);
      expect(change).toBeGreaterThan(0);
      expect(shortAge(age + change - 1)).toBe(shortAge(age));
      expect(shortAge(age + change)).not.toBe(shortAge(age));
    }),
    propertyRuns(2000),
  );
});
