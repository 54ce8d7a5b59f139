import * as fc from "fast-check";
import { SIGNALS } from "../../../src/session/signal";
import { propertyRuns } from "../../property-runs";
import { extent } from "../../thoroughness";
import {
  emptyReference,
  referenceAggregate,
  referenceManual,
  referenceRead,
  referenceSession,
  throughFile,
  type ReferenceDocument,
} from "../../session/signal-reference";
import { SignalCommand, type StatusJson } from "./command";

const signalName = fc.constantFrom(...SIGNALS);

const command = fc.record({
  step: fc.constantFrom(0, 0.4, 1, 4, 4.5, 5.2, 10, 31, 61, -3),
  signal: signalName,
  // By hand, of a session, or only a look.
  of: fc.constantFrom("hand", "look", "a", "b", "b", "__proto__"),
  agent: fc.constantFrom(undefined, "codex", "Codex_CLI"),
  event: fc.constantFrom(undefined, "PreToolUse", "DesktopThinking"),
});

const SETTINGS = { sessionTtl: 60, completedTtl: 5, limit: 4 };

function iso(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace(".000Z", "Z");
}

/** What of a status must be the same; of sessions that are alike in all that orders them, the order is free. */
function essence({ aggregate, updated_at, sessions, recent_events }: StatusJson) {
  const bySession = Object.fromEntries(sessions.map(({ session_id, ...session }) => [`id ${session_id}`, session]));
  return { aggregate, updated_at, sessions: bySession, recent_events };
}

function expected(document: ReferenceDocument) {
  const optional = <K extends string>(key: K, value: string | null) => (value === null ? {} : { [key]: value });
  return {
    aggregate: referenceAggregate(document),
    updated_at: document.at === null ? undefined : iso(document.at),
    sessions: Object.fromEntries(
      Array.from(document.sessions, ([id, { agent, signal, event, at }]) => [
        `id ${id}`,
        { ...optional("agent", agent), signal, ...optional("last_event", event), updated_at: iso(at) },
      ]),
    ),
    recent_events: document.events
      .map(({ id, session, agent, signal, event, at }) => ({
        id,
        session_id: session,
        ...optional("agent", agent),
        signal,
        ...optional("event", event),
        updated_at: iso(at),
      }))
      .reverse(),
  };
}

test("random command lines print what the reference says, and keep it in the file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
      const signal = new SignalCommand();
      signal.environment.SIGNAL_LIGHT_SESSION_TTL_SECONDS = String(SETTINGS.sessionTtl);
      signal.environment.AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS = String(SETTINGS.completedTtl);
      signal.environment.AGENT_SIGNAL_LIGHT_EVENT_LIMIT = String(SETTINGS.limit);
      let reference = emptyReference();
      let ids = 0;
      for (const { step, signal: name, of, agent, event } of commands) {
        signal.now += step;
        const after: ReferenceDocument = {
          ...reference,
          sessions: new Map(reference.sessions),
          events: [...reference.events],
        };
        const options = [
          ...(agent === undefined ? [] : ["--agent", agent]),
          ...(event === undefined ? [] : ["--event", event]),
        ];
        let out: string;
        let isWritten = true;
        if (of === "look") {
          out = await signal.ok(["status", "--json"]);
          isWritten = referenceRead(after, signal.now, SETTINGS);
        } else {
          const id = `0000ABCD-${(ids += 1)}`;
          if (of === "hand") {
            out = await signal.ok([name, "--json", ...options]);
            referenceManual(after, name, id, signal.now, SETTINGS);
          } else {
            out = await signal.ok([name, "--json", "--session", of, ...options]);
            const sent = {
              session: of,
              signal: name,
              agent: agent ?? null,
              event: event ?? null,
              date: signal.now,
              id,
            };
            isWritten = referenceSession(after, sent, signal.now, SETTINGS);
          }
        }
        expect(essence(JSON.parse(out))).toEqual(expected(after));
        if (isWritten) reference = throughFile(after);
      }
    }),
    propertyRuns(extent(100, 300)),
  );
}, 60_000);
