import type { Snapshot } from "../../observe/snapshot";
import { SessionsError } from "../../session/failure";
import type { Session } from "../../session/session";
import { findSession } from "../find-session";
import type { CliIo } from "../io";
import { reportProblems } from "../problem-lines";

/**
 * The session that is meant by an id or its beginning. Where there is none, what could not be read is named on stderr: it
 * may be among that.
 *
 * @throws SessionsError `not-found` or `ambiguous`
 */
export function wantedSession(snapshot: Snapshot, wanted: string, io: Pick<CliIo, "stderr">): Session {
  try {
    return findSession(snapshot.sessions, wanted);
  } catch (error) {
    if (error instanceof SessionsError && error.code === "not-found") reportProblems(snapshot, io);
    throw error;
  }
}
