import { sessionKey } from "../../src/session/identity";
import type { Session } from "../../src/session/session";

/** A moment in the tests of control. */
export const NOW = 1_780_000_000;

/** A session as an observer gives it: idle for a minute, with nothing else known, unless given. */
export function sessionOf(given: Partial<Session> = {}): Session {
  const agent = given.agent ?? "claude";
  const sessionId = given.sessionId ?? "4f2e8190-1d47-46fc-99e3-ee42f99623d5";
  return {
    agent,
    sessionId,
    id: sessionKey({ agent, sessionId }),
    state: "idle",
    since: NOW - 60,
    unread: false,
    needsYou: false,
    title: "Fix the login",
    subagents: 0,
    sources: ["events"],
    evidence: [],
    ...given,
  };
}

/** A session whose turn our hooks told of. */
export function busySessionOf(given: Partial<Session> = {}): Session {
  return sessionOf({
    state: "working",
    evidence: [
      {
        source: "events",
        file: "/home/dev/.agent-sessions/sessions/x.json",
        state: "working",
        verdict: "stands",
        at: NOW - 5,
      },
    ],
    ...given,
  });
}
