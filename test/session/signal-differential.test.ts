import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { decodeSignalDocument, encodeSignalDocument } from "../../src/files/signal-document";
import { SIGNALS, type Signal } from "../../src/session/signal";
import { applySessionSignal } from "../../src/session/signal-apply";
import type { SignalDocument } from "../../src/session/signal-document";
import { applyManualSignal } from "../../src/session/signal-manual";
import { prune } from "../../src/session/signal-prune";
import { settle } from "../../src/session/signal-read";
import type { SignalRules } from "../../src/session/signal-rules";
import { snapshotOf } from "../../src/session/signal-snapshot";
import { propertyRuns } from "../property-runs";
import { extent } from "../thoroughness";
import {
  referenceAggregate,
  referenceManual,
  referenceRead,
  referenceSession,
  throughFile,
  type ReferenceDocument,
} from "./signal-reference";

const START = 1_780_000_000;

/** Every signal; more often those whose rules meet each other's. */
const signalName = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...SIGNALS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Signal>("done", "thinking", "tool_done", "permission", "session_end", "off"),
  },
);
const sessionId = fc.constantFrom("a", "b", "manual", "__proto__", "7");
const agentName = fc.constantFrom(undefined, "codex", "Codex_CLI", "codex cli", "");
const eventName = fc.constantFrom(
  undefined,
  "PreToolUse",
  "pretooluse ",
  "a b",
  "a_b",
  "DesktopThinking",
  "DesktopToolDone",
  "DesktopActivityHeartbeat",
  "DesktopMessage",
  "desktopmessage",
  // The names of signals, which stand for a missing event's.
  "Thinking",
  "tool_done",
);

/** Seconds between two commands: around every limit of the rules, and now and then backwards. */
const step = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(0, 0.3, 0.9, 1, 3.9, 4, 4.05, 4.2, 4.9, 5, 5.1, 6, 10) },
  { weight: 4, arbitrary: fc.constantFrom(29, 30, 30.5, 31, 90, 1799, 1800, 1801, 4000) },
  { weight: 2, arbitrary: fc.constantFrom(-0.4, -1, -6, -60, -4000) },
);

/** How long before `now` a signal was sent. */
const lag = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constantFrom(0.2, 1.5, 5, 20) },
);

const command = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("manual" as const), step, signal: signalName }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("read" as const), step }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("session" as const),
      step,
      lag,
      sessionId,
      signal: signalName,
      agent: agentName,
      event: eventName,
    }),
  },
);

const rules: fc.Arbitrary<SignalRules> = fc.record({
  ttl: fc.record({ session: fc.constantFrom(1, 5, 30, 1800), completed: fc.constantFrom(0.5, 3, 30, 90) }),
  eventLimit: fc.constantFrom(1, 2, 5, 50),
});

/** A document as somebody may have left it: old, from the future, with an aggregate that does not fit. */
const firstDocument: fc.Arbitrary<SignalDocument> = fc.record({
  aggregate: fc.option(signalName, { nil: undefined }),
  sessions: fc
    .array(
      fc.tuple(
        sessionId,
        fc.record({
          signal: signalName,
          updatedAt: fc.integer({ min: -4000, max: 40 }).map((age) => START + age),
          agent: agentName,
          quota: fc.constantFrom(undefined, { remaining_percent: 50, updated_at: START }),
        }),
      ),
      { maxLength: 4 },
    )
    .map((entries) => new Map(entries.map(([id, record]) => [id, { ...record, extra: { note: id } }]))),
  events: fc
    .array(
      fc.record({
        sessionId,
        signal: signalName,
        agent: agentName,
        event: eventName,
        updatedAt: fc.integer({ min: -20, max: 5 }).map((age) => START + age),
      }),
      { maxLength: 6 },
    )
    .map((events) => events.map((event, index) => ({ ...event, id: `old-${index}`, extra: {} }))),
  extra: fc.constant({}),
});

/** The real document in the reference's words. */
function inReferenceWords(document: SignalDocument): ReferenceDocument {
  return {
    aggregate: document.aggregate ?? null,
    at: document.updatedAt ?? null,
    sessions: new Map(
      Array.from(document.sessions, ([id, { agent, signal, lastEvent, updatedAt, quota }]) => [
        id,
        { agent: agent ?? null, signal, event: lastEvent ?? null, at: updatedAt, quota },
      ]),
    ),
    events: document.events.map(({ id, sessionId: session, agent, signal, event, updatedAt }) => ({
      id,
      session,
      agent: agent ?? null,
      signal,
      event: event ?? null,
      at: updatedAt,
    })),
  };
}

/** What is compared: the order of the sessions in a document means nothing. */
function comparable({ sessions, ...document }: ReferenceDocument) {
  return { ...document, sessions: Object.fromEntries(Array.from(sessions, ([id, record]) => [`id ${id}`, record])) };
}

/** Jest's own comparison takes most of the time of thousands of sequences: it is left to say what differs. */
function expectSame(real: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(real, expected)) expect(real).toStrictEqual(expected);
}

function fromFile(document: SignalDocument): SignalDocument {
  const decoded = decodeSignalDocument(encodeSignalDocument(document));
  if (decoded.outcome !== "document") throw new Error(`${decoded.field}: ${decoded.reason}`);
  return decoded.document;
}

function copy(document: ReferenceDocument): ReferenceDocument {
  return { ...document, sessions: new Map(document.sessions), events: [...document.events] };
}

test("random commands leave the same document as the reference, and show the same", () => {
  fc.assert(
    fc.property(
      firstDocument,
      rules,
      fc.array(command, { minLength: 1, maxLength: 25 }),
      (first, settings, commands) => {
        let real = fromFile(first);
        let reference = inReferenceWords(real);
        const limits = {
          sessionTtl: settings.ttl.session,
          completedTtl: settings.ttl.completed,
          limit: settings.eventLimit,
        };
        let now = START;
        commands.forEach((each, index) => {
          now += each.step;
          const id = `new-${index}`;
          const expected = copy(reference);
          let shown: SignalDocument;
          let isWritten: boolean;
          let isExpectedWritten = true;
          switch (each.kind) {
            case "manual": {
              shown = applyManualSignal(real, { signal: each.signal, eventId: id }, now, settings);
              isWritten = true;
              referenceManual(expected, each.signal, id, now, limits);
              break;
            }
            case "session": {
              const { sessionId: session, signal, agent, event, lag: late } = each;
              const date = now - late;
              const sent = { sessionId: session, signal, agent, event, date, eventId: id };
              const change = applySessionSignal(real, sent, now, settings);
              shown = change.document;
              isWritten = change.outcome === "changed";
              const given = { session, signal, agent: agent ?? null, event: event ?? null, date, id };
              isExpectedWritten = referenceSession(expected, given, now, limits);
              break;
            }
            case "read": {
              // A reader that may not write shows the same, but for the time of the change.
              const seen = prune(real, now, settings.ttl);
              ({ document: shown, changed: isWritten } = settle(real, now, settings));
              expectSame([seen.aggregate, seen.sessions], [shown.aggregate, shown.sessions]);
              isExpectedWritten = referenceRead(expected, now, limits);
              break;
            }
            default:
              throw new Error(each satisfies never);
          }
          expectSame(isWritten, isExpectedWritten);
          expectSame(comparable(inReferenceWords(shown)), comparable(expected));
          expectSame(snapshotOf(shown).aggregate, referenceAggregate(expected));
          if (!isWritten) return;
          real = fromFile(shown);
          reference = throughFile(expected);
          expectSame(comparable(inReferenceWords(real)), comparable(reference));
        });
      },
    ),
    propertyRuns(extent(1000, 3000)),
  );
});

test("no signal is invisible: the history's newest entry is the last signal that was written", () => {
  fc.assert(
    fc.property(firstDocument, rules, signalName, eventName, (first, settings, signal: Signal, event) => {
      const sent = { sessionId: "new", signal, event, date: START, eventId: "just now" };
      const { outcome, document } = applySessionSignal(first, sent, START, settings);
      expect(outcome).toBe("changed");
      expect(document.events.at(-1)).toMatchObject({ id: "just now", sessionId: "new", signal, updatedAt: START });
      expect(document.events.length).toBeLessThanOrEqual(settings.eventLimit);
      expect(document.updatedAt).toBe(START);
    }),
    propertyRuns(500),
  );
});
