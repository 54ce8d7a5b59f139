import fc from "fast-check";
import { cacheOf, cacheTtlOf, isWarm, parseTtl, reserveOf, type Cached } from "../../src/session/cache";
import { cacheText, tokensText } from "../../src/session/cache-text";
import { sortByCold } from "../../src/session/sort";
import { STATES, type State } from "../../src/session/state";
import { propertyRuns } from "../property-runs";

const NOW = 1_800_000_000;
const HOUR = 3600;

/** A session that rests, whose model answered that long ago. */
function answered(ago: number, fields: Partial<Cached> = {}): Cached {
  return { agent: "claude", state: "idle", context: { lastAnswerAt: NOW - ago }, ...fields };
}

describe("the time to live", () => {
  test.each<
    [what: string, session: Parameters<typeof cacheTtlOf>[0], preferred: number | undefined, expected: unknown]
  >([
    ["Claude's subscription (seed 002)", { agent: "claude" }, undefined, { ttl: HOUR, ttlFrom: "assumed" }],
    ["OpenAI's", { agent: "codex" }, undefined, { ttl: 300, ttlFrom: "assumed" }],
    ["of which nobody knows", { agent: "gemini" }, undefined, undefined],
    ["of an agent called like a property", { agent: "constructor" }, undefined, undefined],
    ["as the session told", { agent: "claude", context: { ttl: 300 } }, undefined, { ttl: 300, ttlFrom: "session" }],
    ["as any session told", { agent: "gemini", context: { ttl: 90 } }, undefined, { ttl: 90, ttlFrom: "session" }],
    [
      "as was settled",
      { agent: "gemini", cacheTtl: { ttl: 7, ttlFrom: "assumed" } },
      undefined,
      { ttl: 7, ttlFrom: "assumed" },
    ],
    ["as the user set it", { agent: "claude", context: { ttl: 300 } }, 600, { ttl: 600, ttlFrom: "preference" }],
    ["as the user set it where nobody knows", { agent: "gemini" }, 600, { ttl: 600, ttlFrom: "preference" }],
    [
      "as the user set it, whatever was settled",
      { agent: "claude", cacheTtl: { ttl: 7, ttlFrom: "session" } },
      600,
      { ttl: 600, ttlFrom: "preference" },
    ],
  ])("%s", (_what, session, preferred, expected) => {
    expect(cacheTtlOf(session, preferred)).toEqual(expected);
  });

  test.each([
    [HOUR, 300],
    [300, 25],
    [2 * HOUR, 300],
    [60, 5],
    [12, 1],
  ])("of %i seconds, %i are reserve: a twelfth, at most five minutes", (ttl, reserve) => {
    expect(reserveOf(ttl)).toBe(reserve);
  });

  test.each<[string | undefined, number | undefined]>([
    ["5m", 300],
    ["1h", 3600],
    ["300s", 300],
    ["90", 5400],
    [" 2 H ", 7200],
    ["1", 60],
    ["999999s", 999_999],
    ["0", undefined],
    ["0h", undefined],
    ["-5m", undefined],
    ["1.5h", undefined],
    ["1d", undefined],
    ["5m 30s", undefined],
    ["1e3", undefined],
    ["9999999", undefined],
    ["five", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("written as %j it is %p seconds", (text, seconds) => {
    expect(parseTtl(text)).toBe(seconds);
  });
});

describe("warm or cold", () => {
  /** Seed 002: WARM_MS is 55 minutes of TTL_MS, an hour; at 5 minutes the reserve of 25 s leaves 4:35. */
  test.each<[ttl: number, ago: number, temperature: string]>([
    [HOUR, 0, "warm"],
    [HOUR, 54 * 60 + 59.999, "warm"],
    [HOUR, 55 * 60, "cold"],
    [HOUR, 55 * 60 + 0.001, "cold"],
    [HOUR, HOUR, "cold"],
    [300, 0, "warm"],
    [300, 4 * 60 + 34.999, "warm"],
    [300, 4 * 60 + 35, "cold"],
    [300, 300, "cold"],
    [2 * HOUR, 115 * 60 - 0.001, "warm"],
    [2 * HOUR, 115 * 60, "cold"],
    [60, 54.999, "warm"],
    [60, 55, "cold"],
  ])("kept %i s, %f s after the answer: %s", (ttl, ago, temperature) => {
    const told = { context: { lastAnswerAt: NOW - ago, ttl } };
    expect(cacheOf(answered(ago, told), NOW).temperature).toBe(temperature);
    expect(cacheOf(answered(ago), NOW, ttl).temperature).toBe(temperature);
  });

  test("warm tells until when it is kept, and how long that is; cold, since which answer", () => {
    expect(cacheOf(answered(600), NOW)).toEqual({
      temperature: "warm",
      until: NOW + 3000,
      left: 3000,
      // Five minutes of it are reserve.
      coldIn: 2700,
      ttl: HOUR,
      ttlFrom: "assumed",
    });
    expect(cacheOf(answered(4000), NOW)).toEqual({
      temperature: "cold",
      since: NOW - 4000,
      ttl: HOUR,
      ttlFrom: "assumed",
    });
  });

  /** Seed 002: busy is warm, whenever the last answer came. */
  test.each<[State, string]>([
    ["working", "active"],
    ["compacting", "active"],
    ["waitingForSubagents", "active"],
    ["idle", "cold"],
    ["waiting", "cold"],
    ["decision", "cold"],
    ["done", "cold"],
    ["failed", "cold"],
    ["scheduled", "cold"],
    ["dormant", "cold"],
    ["unknown", "cold"],
  ])("%s, a day after the last answer: %s", (state, temperature) => {
    expect(cacheOf(answered(86_400, { state }), NOW).temperature).toBe(temperature);
  });

  test.each<[what: string, session: Cached, temperature: string]>([
    ["a context, but no answer yet", { agent: "claude", state: "idle", context: { tokens: 500 } }, "none"],
    ["neither context nor answer", { agent: "claude", state: "idle" }, "unknown"],
    ["an answer a hook told, no context", { agent: "claude", state: "idle", doneAt: NOW - 60 }, "warm"],
    ["an agent whose time to live nobody knows", answered(1, { agent: "gemini" }), "unknown"],
    ["the transcript's answer before the hook's", answered(HOUR, { doneAt: NOW - 1 }), "cold"],
    ["told that it is gone", answered(1, { context: { lastAnswerAt: NOW - 1, isGone: true } }), "cold"],
    ["an answer from the future", answered(-30), "warm"],
  ])("%s: %s", (_what, session, temperature) => {
    expect(cacheOf(session, NOW).temperature).toBe(temperature);
  });

  test("never warm beyond its time to live, nor within the reserve, whatever is told", () => {
    const session = fc.record(
      {
        agent: fc.constantFrom("claude", "codex", "gemini"),
        state: fc.constantFrom(...STATES),
        context: fc.record(
          {
            lastAnswerAt: fc.integer({ min: NOW - 3 * HOUR, max: NOW + 60 }),
            ttl: fc.integer({ min: 1, max: 2 * HOUR }),
            isGone: fc.boolean(),
            tokens: fc.nat(),
          },
          { requiredKeys: [] },
        ),
        doneAt: fc.integer({ min: NOW - 3 * HOUR, max: NOW + 60 }),
      },
      { requiredKeys: ["agent", "state"] },
    );
    const preferred = fc.option(fc.integer({ min: 1, max: 2 * HOUR }), { nil: undefined });
    fc.assert(
      fc.property(session, preferred, fc.nat(4 * HOUR), (given: Cached, ttl, later) => {
        const cache = cacheOf(given, NOW, ttl);
        const known = cacheTtlOf(given, ttl);
        if (cache.temperature === "warm") {
          const answer = given.context?.lastAnswerAt ?? given.doneAt ?? NaN;
          expect(known).toBeDefined();
          expect(NOW - answer).toBeLessThan(known?.ttl ?? 0);
          expect(cache.left).toBeGreaterThan(reserveOf(cache.ttl));
          expect(cache.until).toBe(answer + cache.ttl);
        }
        // What went cold stays cold until another answer.
        if (cache.temperature === "cold") expect(cacheOf(given, NOW + later, ttl).temperature).toBe("cold");
      }),
      propertyRuns(2000),
    );
  });

  test("warm and active wake cheaply, nothing else does", () => {
    expect(isWarm(cacheOf(answered(1), NOW))).toBe(true);
    expect(isWarm(cacheOf(answered(HOUR, { state: "working" }), NOW))).toBe(true);
    expect(isWarm(cacheOf(answered(HOUR), NOW))).toBe(false);
    expect(isWarm({ temperature: "none" })).toBe(false);
    expect(isWarm({ temperature: "unknown" })).toBe(false);
  });
});

describe("in words", () => {
  test.each<[what: string, session: Cached, text: string]>([
    ["just answered", answered(0), "warm, 1h left"],
    ["a minute ago", answered(60), "warm, 59m left"],
    ["18 minutes ago", answered(18 * 60), "warm, 42m left"],
    ["at the end of it", answered(55 * 60 - 1), "warm, 5m left"],
    ["55 minutes ago", answered(55 * 60), "cold for 55m"],
    ["three hours ago", answered(3 * HOUR), "cold for 3h"],
    ["two days ago", answered(2 * 86_400), "cold for 2d"],
    ["it works", answered(3 * HOUR, { state: "working" }), "works"],
    ["no answer yet", { agent: "claude", state: "idle", context: {} }, "no answer yet"],
    ["nothing known", { agent: "gemini", state: "idle" }, "unknown"],
    // At least a minute (seed 002): a cache of a minute has 50 seconds left, and is warm.
    ["less than a minute left", answered(10, { context: { lastAnswerAt: NOW - 10, ttl: 60 } }), "warm, 1m left"],
    [
      "gone, though it was just told",
      answered(-5, { context: { lastAnswerAt: NOW + 5, isGone: true } }),
      "cold for 0s",
    ],
  ])("%s", (_what, session, text) => {
    expect(cacheText(cacheOf(session, NOW), NOW)).toBe(text);
  });

  /** Seed 002, fmtTokens: millions with a decimal, thousands rounded, a dash for none. */
  test.each<[number | undefined, string]>([
    [undefined, "–"],
    [0, "–"],
    [-5, "–"],
    [1, "1"],
    [999, "999"],
    [1000, "1k"],
    [1499, "1k"],
    [1500, "2k"],
    [45_210, "45k"],
    [999_499, "999k"],
    // The seed would write 1000k.
    [999_500, "1.0M"],
    [1_000_000, "1.0M"],
    [1_249_999, "1.2M"],
  ])("%p tokens read %s", (tokens, text) => {
    expect(tokensText(tokens)).toBe(text);
  });
});

describe("sorted by what goes cold next", () => {
  const row = (id: string, ago: number | undefined, fields: Partial<Cached> = {}) => ({
    id,
    unread: false,
    since: NOW,
    agent: "claude",
    state: "idle" as State,
    ...(ago === undefined ? {} : { context: { lastAnswerAt: NOW - ago } }),
    ...fields,
  });

  const ROWS = [
    row("cold, 2 h", 2 * HOUR),
    row("ended", 60, { state: "dormant" }),
    row("warm, 50 min left", 600),
    row("unknown", undefined),
    row("works", 10, { state: "working" }),
    row("warm, 10 min left", 50 * 60),
    row("cold, 1 h", HOUR),
    row("five minutes, 2 min left", 180, { context: { lastAnswerAt: NOW - 180, ttl: 300 } }),
  ];

  const ORDER = [
    "five minutes, 2 min left",
    "warm, 10 min left",
    "warm, 50 min left",
    "works",
    "cold, 1 h",
    "cold, 2 h",
    "unknown",
    "ended",
  ];

  test("warm ones by what is left, then who works, then the cold ones, the longest last, then the rest", () => {
    const before = [...ROWS];
    const sorted = sortByCold(ROWS, NOW).map(({ id }) => id);
    expect(sorted.slice(0, 6)).toEqual(ORDER.slice(0, 6));
    expect(new Set(sorted.slice(6))).toEqual(new Set(ORDER.slice(6)));
    expect(ROWS).toEqual(before);
  });

  test("where caches are alike, as in a list: nothing is left to chance", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ROWS, { minLength: ROWS.length }), (shuffled) => {
        expect(sortByCold(shuffled, NOW)).toEqual(sortByCold(ROWS, NOW));
      }),
      propertyRuns(200),
    );
    const alike = [row("b", 600), row("a", 600), row("waits", 600, { state: "waiting" })];
    expect(sortByCold(alike, NOW).map(({ id }) => id)).toEqual(["waits", "a", "b"]);
  });

  test("a week-old cold session is before one without a cache", () => {
    const sorted = sortByCold([row("none", undefined), row("old", 7 * 86_400)], NOW);
    expect(sorted.map(({ id }) => id)).toEqual(["old", "none"]);
  });
});
