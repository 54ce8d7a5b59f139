import fc from "fast-check";
import { parseCutObject } from "../../src/files/cut-json";
import { propertyRuns } from "../property-runs";

test("keeps the keys whose values are whole", () => {
  expect(parseCutObject('{"a":1,"b":{"c":[1,2]},"d":"x, \\"}{[')).toEqual({ a: 1, b: { c: [1, 2] } });
});

test.each([['{"a":1'], ["{"], [""], ["[1,2"], ["nonsense"]])("has nothing of %j", (text) => {
  expect(parseCutObject(text)).toBeUndefined();
});

test("of any object cut anywhere, what is kept is as it was", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (whole, share) => {
        const text = JSON.stringify(whole);
        const kept = parseCutObject(text.slice(0, Math.floor(text.length * share)));
        if (kept === undefined) return;
        const values: Record<string, unknown> = JSON.parse(text);
        for (const [key, value] of Object.entries(kept as object)) expect(value).toEqual(values[key]);
      },
    ),
    propertyRuns(2000),
  );
});
