import * as fc from "fast-check";
import {
  decodeSignalDocument,
  encodeSignalDocument,
  type DecodedSignalDocument,
  type SignalDocument,
} from "../../src/files/signal-document";
import { SIGNALS } from "../../src/session/signal";
import { T } from "../session/signal-sample";
import { propertyRuns } from "../property-runs";

function decoded(value: unknown): SignalDocument {
  const outcome = decodeSignalDocument(JSON.stringify(value));
  if (outcome.outcome !== "document") throw new Error(`${outcome.field}: ${outcome.reason}`);
  return outcome.document;
}

function problem(text: string): Extract<DecodedSignalDocument, { outcome: "stale" }> {
  const outcome = decodeSignalDocument(text);
  if (outcome.outcome !== "stale") throw new Error("It was understood");
  return outcome;
}

/** The example of seed "State Schema", as it stands there. */
const EXAMPLE = {
  schema_version: 1,
  aggregate: "working",
  updated_at: "2026-05-28T03:45:00Z",
  sessions: {
    "codex-main": {
      agent: "codex",
      signal: "working",
      last_event: "PreToolUse",
      updated_at: "2026-05-28T03:45:00Z",
    },
  },
  events: [
    {
      id: "D4204E0A-5B5D-4DFB-A3BC-643E6C7C6F8F",
      session_id: "codex-main",
      agent: "codex",
      signal: "working",
      event: "PreToolUse",
      updated_at: "2026-05-28T03:45:00Z",
    },
  ],
};

test("the seed's example is read, and written as it was", () => {
  const document = decoded(EXAMPLE);
  const at = Date.UTC(2026, 4, 28, 3, 45) / 1000;
  expect(document).toEqual({
    schemaVersion: 1,
    aggregate: "working",
    updatedAt: at,
    sessions: new Map([
      ["codex-main", { agent: "codex", signal: "working", lastEvent: "PreToolUse", updatedAt: at, extra: {} }],
    ]),
    events: [
      {
        id: "D4204E0A-5B5D-4DFB-A3BC-643E6C7C6F8F",
        sessionId: "codex-main",
        agent: "codex",
        signal: "working",
        event: "PreToolUse",
        updatedAt: at,
        extra: {},
      },
    ],
    extra: {},
  });
  expect(JSON.parse(encodeSignalDocument(document))).toEqual(EXAMPLE);
});

test("an empty object is an empty document; what is always written is written", () => {
  expect(decoded({})).toEqual({ sessions: new Map(), events: [], extra: {} });
  expect(encodeSignalDocument(decoded({}))).toBe('{\n  "events": [],\n  "schema_version": 1,\n  "sessions": {}\n}\n');
});

test("an absent field and null are the same, and neither is written", () => {
  const nothing = null;
  const document = decoded({
    schema_version: nothing,
    aggregate: nothing,
    updated_at: nothing,
    sessions: { x: { agent: nothing, signal: "done", last_event: nothing, updated_at: T, quota: nothing } },
    events: nothing,
  });
  expect(encodeSignalDocument(document)).not.toContain("null");
});

test.each<[unknown, number]>([
  ["2026-05-28T20:26:40Z", T],
  ["2026-05-28T20:26:40.250Z", T + 0.25],
  ["2026-05-29T04:26:40+08:00", T],
  ["2026-05-28T15:56:40.5-0430", T + 0.5],
  [T, T],
  [T + 0.5, T + 0.5],
  [0, 0],
])("the date %j", (date, seconds) => {
  expect(decoded({ updated_at: date }).updatedAt).toBe(seconds);
});

test.each(["", "now", "2026-05-28", "2026-13-01T00:00:00Z", true, {}, T * 1e6])("%j is no date", (date) => {
  expect(problem(JSON.stringify({ updated_at: date })).field).toBe("updated_at");
});

test.each(["", "{", "[]", "null", "7", '"x"', '{"sessions":{},}'])("%j is no document", (text) => {
  expect(problem(text).reason).toMatch(/^is not (a JSON object|JSON \()/);
});

test.each<[string, object]>([
  ["aggregate", { aggregate: "purple" }],
  ["schema_version", { schema_version: 1.5 }],
  ["sessions.a b.signal", { sessions: { "a b": { updated_at: T } } }],
  ["sessions.x.agent", { sessions: { x: { signal: "done", updated_at: T, agent: 7 } } }],
  ["sessions.x.updated_at", { sessions: { y: { signal: "done", updated_at: T }, x: { signal: "done" } } }],
  ["sessions.x", { sessions: { x: [] } }],
  ["events", { events: {} }],
  ["events.0.session_id", { events: [{ id: "e", signal: "done", updated_at: T }] }],
  ["events.1", { events: [{ id: "e", session_id: "x", signal: "done", updated_at: T }, "x"] }],
  ["sessions.x.quota", { sessions: { x: { signal: "done", updated_at: T, quota: 7 } } }],
  [
    "sessions.x.quota.primary.used_percent",
    {
      sessions: {
        x: {
          signal: "done",
          updated_at: T,
          quota: { remaining_percent: 1, updated_at: T, primary: { remaining_percent: 1 } },
        },
      },
    },
  ],
])("one wrong field, %s, makes the whole stale, and is named", (field, document) => {
  expect(problem(JSON.stringify(document)).field).toBe(field);
});

test("one that is nested deeper than any stack is stale as a whole, wherever that is", () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  for (const text of [`{"other":${deep}}`, `{"sessions":{"a":{"signal":"idle","updated_at":${T},"x":${deep}}}}`]) {
    expect(problem(text).reason).toBe("is nested too deeply");
  }
});

test("a whole quota is passed on as it is", () => {
  const window = { remaining_percent: 99.5, used_percent: 0.5, window_minutes: 300, resets_at: "2026-05-28T20:26:40Z" };
  const quota = {
    remaining_percent: 99.5,
    used_percent: 0.5,
    limit_name: "weekly",
    updated_at: T,
    primary: window,
    secondary: window,
    token_usage: { input_tokens: 1, total_tokens: 2, later: "kept" },
  };
  const text = encodeSignalDocument(decoded({ sessions: { x: { signal: "idle", updated_at: T, quota } } }));
  expect(JSON.parse(text).sessions.x.quota).toEqual(quota);
});

test("keys stand in order at every level", () => {
  const text = encodeSignalDocument(
    decoded({ zebra: { b: 1, a: [{ d: 1, c: 2 }] }, apple: 1, sessions: { z: EXAMPLE.sessions["codex-main"] } }),
  );
  const indented = (depth: number) =>
    Array.from(text.matchAll(new RegExp(`^ {${depth}}"(\\w+)":`, "gm")), ([, key]) => key);
  expect(indented(2)).toEqual(["apple", "events", "schema_version", "sessions", "zebra"]);
  expect(text).toContain('"a": [\n      {\n        "c": 2,\n        "d": 1\n      }\n    ],\n    "b": 1');
  expect(indented(6)).toEqual(["agent", "last_event", "signal", "updated_at"]);
});

// By way of its text: JSON has no negative zero.
const json = fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text));
const known = [
  "schema_version",
  "aggregate",
  "updated_at",
  "sessions",
  "events",
  "agent",
  "signal",
  "last_event",
  "quota",
  "id",
  "session_id",
  "event",
];
const extra = fc
  .dictionary(fc.string(), json, { maxKeys: 3, noNullPrototype: true })
  .map((keys) => Object.fromEntries(Object.entries(keys).filter(([key]) => !known.includes(key))));
const moment = fc.integer({ min: T - 10_000, max: T + 10_000 });
const name = fc.option(fc.string(), { nil: undefined });

const session = fc.record({
  agent: name,
  signal: fc.constantFrom(...SIGNALS),
  lastEvent: name,
  updatedAt: moment,
  extra,
});
const document: fc.Arbitrary<SignalDocument> = fc.record({
  aggregate: fc.option(fc.constantFrom(...SIGNALS), { nil: undefined }),
  updatedAt: fc.option(moment, { nil: undefined }),
  sessions: fc.array(fc.tuple(fc.string(), session), { maxLength: 4 }).map((entries) => new Map(entries)),
  events: fc.array(
    fc.record({
      id: fc.string(),
      sessionId: fc.string(),
      agent: name,
      signal: fc.constantFrom(...SIGNALS),
      event: name,
      updatedAt: moment,
      extra,
    }),
    { maxLength: 4 },
  ),
  extra,
});

test("what is written is read as it was, whatever ids and unknown keys are called", () => {
  fc.assert(
    fc.property(document, (given) => {
      const text = encodeSignalDocument(given);
      const outcome = decodeSignalDocument(text);
      expect(outcome).toEqual({ outcome: "document", document: { ...given, schemaVersion: 1 } });
      if (outcome.outcome === "document") expect(encodeSignalDocument(outcome.document)).toBe(text);
    }),
    propertyRuns(500),
  );
});

test("any text is either a document or named as none; nothing is thrown", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.jsonValue().map((value) => JSON.stringify({ sessions: value })),
      ),
      (text) => {
        expect(["document", "stale"]).toContain(decodeSignalDocument(text).outcome);
      },
    ),
    propertyRuns(500),
  );
});
