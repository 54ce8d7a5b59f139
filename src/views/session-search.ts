import { LOOKS } from "../session/looks";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { agentTitle } from "./agent-title";
import { isAbout } from "./typed-words";

/** So many rows stand in the list at once: some thousand take more memory than a launcher gives a command. */
export const LISTED = 500;

/** The words by which the launcher finds a session, beside its title. */
export function keywordsOf(session: Session): string[] {
  const words = [
    session.agent,
    agentTitle(session.agent),
    session.surface,
    session.sessionId,
    session.project,
    LOOKS[session.state].word,
    session.unread ? "unread" : undefined,
    ...(session.cwd?.split(/[\\/]/) ?? []),
  ].filter((word) => word !== undefined);
  return Array.from(new Set(words.filter((word) => word !== "").map(printable)));
}

/** Whether there are more sessions than a list holds. */
export function isCut(sessions: readonly Session[]): boolean {
  return sessions.length > LISTED;
}

/** The first sessions of a list, in their order: those that press. */
export function firstSessions(sessions: readonly Session[]): readonly Session[] {
  return isCut(sessions) ? sessions.slice(0, LISTED) : sessions;
}

/** The sessions that these words are about, all of them where there is none. */
export function sessionsAbout(sessions: readonly Session[], words: readonly string[]): readonly Session[] {
  if (words.length === 0) return sessions;
  return sessions.filter((session) => isAbout(words, session.title, keywordsOf(session)));
}
