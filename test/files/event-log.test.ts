import * as fc from "fast-check";
import {
  decodeEventLine,
  decodeRejected,
  encodeEventLine,
  eventLogName,
  sessionOfLog,
} from "../../src/files/event-log";
import { CHANNELS, UNHEARD, type EventLine } from "../../src/session/event-line";
import { STATES, WAIT_KINDS } from "../../src/session/state";
import { propertyRuns } from "../property-runs";

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const text = fc.string({ unit: "binary", maxLength: 120 });
const waits = fc.array(
  fc.record({ kind: fc.constantFrom(...WAIT_KINDS), message: text, subagent: text }, { requiredKeys: ["kind"] }),
  { maxLength: 3 },
);

const lines: fc.Arbitrary<EventLine> = fc.record(
  {
    at: fc.integer({ min: 0, max: 2e12 }).map((milliseconds) => milliseconds / 1000),
    event: text,
    from: fc.constantFrom(...CHANNELS),
    subagent: text,
    tool: text,
    before: fc.constantFrom(...STATES),
    after: fc.constantFrom(...STATES),
    unread: fc.constantFrom("set" as const, "cleared" as const),
    began: waits,
    ended: waits,
    failure: text,
    unheard: fc.constantFrom(...UNHEARD),
  },
  { requiredKeys: ["at", "event", "from", "after"] },
);

test("a line reads back as what was written, on one line", () => {
  fc.assert(
    fc.property(lines, (line) => {
      const encoded = encodeEventLine(line);
      expect(encoded.indexOf("\n")).toBe(encoded.length - 1);
      expect(decodeEventLine(JSON.parse(encoded))).toEqual(line);
    }),
    propertyRuns(300),
  );
});

test("a time is written in milliseconds", () => {
  const line = encodeEventLine({ at: 1_700_000_000.123456, event: "Stop", from: "hook", after: "done" });
  expect(JSON.parse(line)).toMatchObject({ at: 1_700_000_000.123 });
});

test("whatever a line holds, reading it does not throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), some(lines), (value, line) => {
      decodeEventLine(value);
      if (typeof value === "object") decodeEventLine({ ...line, ...value });
    }),
    propertyRuns(300),
  );
});

test("a log's name tells its session, and other names tell none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), (id) => {
      const name = eventLogName(id);
      if (name !== undefined) expect(sessionOfLog(name)).toBe(id);
    }),
    propertyRuns(300),
  );
  expect(
    ["a.json", ".a.jsonl", "%41.jsonl", "%zz.jsonl", "%ff.jsonl", ".jsonl", "a b.jsonl"].map(sessionOfLog),
  ).toEqual(Array(7).fill(undefined));
});

describe("a rejected entry", () => {
  const head = "agent-sessions 1\nagent=codex-vscode\nevent=Stop\nTMUX=x\n\n{";

  test("tells its time, the reason, and what its head says", () => {
    expect(decodeRejected("1700000000123-codex-1-2.txt", `The payload is not JSON.\n\n${head}`)).toEqual({
      at: 1_700_000_000.123,
      reason: "The payload is not JSON.",
      agent: "codex",
      event: "Stop",
    });
  });

  test("without a head tells the reason only", () => {
    expect(decodeRejected("1700000000000-stray.txt", "is not an entry\n\nsomething")).toEqual({
      at: 1_700_000_000,
      reason: "is not an entry",
    });
  });

  test("cannot steer what shows it, and is cut", () => {
    const found = decodeRejected("1-x.txt", `\u001b[2J\u202e${"x".repeat(4000)}`);
    expect(found?.reason).toMatch(/^�\[2J�x+…$/);
    expect(found?.reason).toHaveLength(300);
  });

  test.each(["stray.txt", "12.txt", "1700000000000-x", "99999999999999999-x.txt", "999999999999999-x.txt"])(
    "%s is none",
    (name) => {
      expect(decodeRejected(name, "reason\n\n")).toBeUndefined();
    },
  );
});
