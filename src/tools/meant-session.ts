import { findSession } from "../cli/find-session";
import { SessionsError } from "../session/failure";
import type { Session } from "../session/session";
import { fenced, idTold, TEXT_LIMITS, visibleText } from "./fenced-text";

/** How many candidates are named. */
const CANDIDATES = 5;

/**
 * The session that a model means: by its id as it was told, by the beginning of one, or by words of its title, project
 * and agent that only one session has. A whole title counts before words.
 *
 * @throws SessionsError `not-found`, or `ambiguous` with the candidates
 */
export function meantSession(sessions: readonly Session[], wanted: string): Session {
  const byId = sessions.filter((session) => idTold(session) === wanted);
  const [only] = byId;
  if (only !== undefined && byId.length === 1) return only;
  // A model quotes what it read.
  const bare = wanted.replace(/^[«"“]\s*|(?<!\s)\s*[»"”]$/g, "");
  return sessionById(sessions, bare) ?? sessionByWords(sessions, bare);
}

/** @throws SessionsError `ambiguous` */
function sessionById(sessions: readonly Session[], wanted: string): Session | undefined {
  try {
    return findSession(sessions, wanted);
  } catch (error) {
    if (error instanceof SessionsError && error.code === "not-found") return undefined;
    throw error;
  }
}

function sessionByWords(sessions: readonly Session[], wanted: string): Session {
  const shown = visibleText(wanted, 80);
  const titled = sessions.filter(({ title }) => comparable(title) === comparable(wanted));
  const matches = titled.length > 0 ? titled : sessions.filter((session) => hasWords(session, wanted));
  const [match] = matches;
  if (match === undefined) {
    throw new SessionsError(
      "not-found",
      `No session matches "${shown}".`,
      "Call list-sessions to see which there are.",
    );
  }
  if (matches.length > 1) {
    const named = matches
      .slice(0, CANDIDATES)
      .map((each) => `${idTold(each)} ${fenced(each.title, TEXT_LIMITS.project)}`);
    const more = matches.length > CANDIDATES ? ` and ${matches.length - CANDIDATES} more` : "";
    throw new SessionsError(
      "ambiguous",
      `"${shown}" fits ${matches.length} sessions: ${named.join(", ")}${more}.`,
      "Ask the user which one, then give its id.",
    );
  }
  return match;
}

function hasWords({ title, project = "", agent }: Session, wanted: string): boolean {
  return includesWords(`${title} ${project} ${agent}`, wanted);
}

/** Whether a text has every word of another, in any case; no words are in none. */
export function includesWords(text: string, wanted: string): boolean {
  const words = comparable(wanted).split(" ");
  const whole = comparable(text);
  return words[0] !== "" && words.every((word) => whole.includes(word));
}

function comparable(text: string): string {
  return visibleText(text.normalize("NFKC"), 10_000).toLowerCase();
}
