import { LOOKS } from "../session/looks";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { agentTitle } from "./agent-title";

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

/**
 * The sessions to list, in their order: the first ones, which are those that press, and of the others those that what
 * was typed is about. The launcher filters and ranks what it is given.
 */
export function sessionsToList(sessions: readonly Session[], typed: string): readonly Session[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (sessions.length <= LISTED) return sessions;
  if (words.length === 0) return sessions.slice(0, LISTED);
  const isMeant = (session: Session) => {
    const text = [session.title, ...keywordsOf(session)].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return [...sessions.slice(0, LISTED), ...sessions.slice(LISTED).filter(isMeant).slice(0, LISTED)];
}
