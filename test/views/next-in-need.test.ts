import * as fc from "fast-check";
import { inNeed, nextInNeed, parseRound, ROUND_MS, type Round } from "../../src/views/next-in-need";
import { propertyRuns } from "../property-runs";

const NOW = 1_800_000_000_000;

function needing(id: string, since: number, needsYou = true) {
  return { id, since, needsYou };
}

const three = [needing("b", 20), needing("a", 30), needing("c", 10), needing("d", 1, false)];

test("the one that has waited longest comes first; alike, by id; who needs nobody is left out", () => {
  expect(inNeed(three).map(({ id }) => id)).toEqual(["c", "b", "a"]);
  expect(inNeed([needing("b", 5), needing("a", 5)]).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("used again within a minute it goes on, and begins anew after the last", () => {
  const went: string[] = [];
  let round: Round | undefined;
  for (let n = 0; n < 5; n += 1) {
    const next = nextInNeed(three, round, NOW + n * (ROUND_MS - 1));
    went.push(next?.session.id ?? "none");
    round = next?.round;
  }
  expect(went).toEqual(["c", "b", "a", "c", "b"]);
});

test("after a minute, and when the clock was set back, it begins anew", () => {
  const round = { at: NOW, ids: ["c"] };
  expect(nextInNeed(three, round, NOW + ROUND_MS)?.session.id).toBe("c");
  expect(nextInNeed(three, round, NOW - 1)?.session.id).toBe("c");
  expect(nextInNeed(three, round, NOW + ROUND_MS - 1)?.session.id).toBe("b");
});

test("one that came to need the user meanwhile has its turn, one that was answered has none", () => {
  const round = { at: NOW, ids: ["c", "b"] };
  expect(nextInNeed([...three, needing("e", 5)], round, NOW + 1)?.session.id).toBe("e");
  expect(nextInNeed([needing("b", 20), needing("a", 30)], { at: NOW, ids: ["c"] }, NOW + 1)?.session.id).toBe("b");
});

test("nobody: none", () => {
  expect(nextInNeed([], undefined, NOW)).toBeUndefined();
  expect(nextInNeed([needing("d", 1, false)], { at: NOW, ids: ["d"] }, NOW)).toBeUndefined();
});

test("a round visits everybody once before anybody twice", () => {
  const sessions = fc.uniqueArray(fc.record({ id: fc.string(), since: fc.integer(), needsYou: fc.constant(true) }), {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(sessions, (all) => {
      let round: Round | undefined;
      const went = all.map((_each, n) => {
        const next = nextInNeed(all, round, NOW + n);
        round = parseRound(JSON.stringify(next?.round));
        return next?.session.id;
      });
      expect(new Set(went).size).toBe(all.length);
    }),
    propertyRuns(300),
  );
});

test.each([undefined, 5, "", "{", "null", "[]", '{"at":"x","ids":[]}', '{"at":1}'])(
  "what is no round is none: %j",
  (text) => {
    expect(parseRound(text)).toBeUndefined();
  },
);

test("a round keeps its ids", () => {
  expect(parseRound('{"at":1,"ids":["a",5,"b"]}')).toEqual({ at: 1, ids: ["a", "b"] });
});
