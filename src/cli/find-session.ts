import { SessionsError } from "../session/failure";
import type { Session } from "../session/session";
import { cutText, printable } from "../session/text";

/**
 * The session a person means: its id (`agent:session_id`) or its session id, whole or a beginning that only one has.
 *
 * @throws SessionsError `not-found`, or `ambiguous` with the candidates
 */
export function findSession(sessions: readonly Session[], wanted: string): Session {
  const exact = sessions.filter(({ id, sessionId }) => id === wanted || sessionId === wanted);
  const matches =
    exact.length > 0 || wanted === ""
      ? exact
      : sessions.filter(({ id, sessionId }) => id.startsWith(wanted) || sessionId.startsWith(wanted));
  const [match, ...others] = matches;
  const shown = printable(cutText(wanted, 80));
  if (match === undefined) {
    throw new SessionsError("not-found", `No session matches "${shown}".`, "Run agent-sessions list to see them.");
  }
  if (others.length > 0) {
    const candidates = matches.slice(0, 5).map(({ id }) => printable(id));
    const more = matches.length > candidates.length ? ` and ${matches.length - candidates.length} more` : "";
    throw new SessionsError(
      "ambiguous",
      `"${shown}" matches ${matches.length} sessions: ${candidates.join(", ")}${more}.`,
      "Give more of the id.",
    );
  }
  return match;
}
