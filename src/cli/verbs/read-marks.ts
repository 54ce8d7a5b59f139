import { SessionsError } from "../../session/failure";
import type { Seconds } from "../../session/report";
import type { ReadMark } from "../../session/seen";
import type { Session } from "../../session/session";
import { placesOf } from "../../store/places";
import { pruneMarks, ReadMarksFile } from "../../store/read-marks";
import { findSession } from "../find-session";
import type { CliIo } from "../io";
import { takeSnapshot } from "../take-snapshot";
import { reportProblems } from "../problem-lines";

/** What to mark. */
export type MarkRequest =
  | {
      verb: "read";
      ids: readonly string[];
      /** Only answers finished by then; absent: all there are. */ until?: Seconds;
    }
  | { verb: "read-all"; until?: Seconds }
  | { verb: "unread"; ids: readonly string[] };

/** What was marked: the ids that changed, and those that were so already. */
export interface MarkOutcome {
  verb: "read" | "unread";
  changed: string[];
  unchanged: string[];
}

/**
 * Marks answers as read, or one as unread again. A session is marked up to the answer that was there, so that one which
 * finishes meanwhile stays unread.
 *
 * @throws SessionsError `not-found` or `ambiguous` for an id; `usage` for a session without an answer; `locked`,
 *   `unwritable`, `refused` when the marks cannot be written
 */
export async function markSessions(request: MarkRequest, io: CliIo): Promise<MarkOutcome> {
  const snapshot = await takeSnapshot(io);
  // An answer that cannot be read is not marked: that must not pass without a word.
  reportProblems(snapshot, io);
  const { sessions, problems, at } = snapshot;
  const chosen = request.verb === "read-all" ? sessions : request.ids.map((id) => findSession(sessions, id));
  const outcome: MarkOutcome =
    request.verb === "unread"
      ? { verb: "unread", changed: [], unchanged: [] }
      : { verb: "read", changed: [], unchanged: [] };
  const marks = new Map<string, ReadMark>();
  for (const session of new Set(chosen)) {
    const mark = request.verb === "unread" ? unreadMark(session) : readMark(session, request.until);
    if (mark === undefined) outcome.unchanged.push(session.id);
    else {
      outcome.changed.push(session.id);
      marks.set(session.id, mark);
    }
  }
  if (marks.size > 0) {
    const listed = new Set(sessions.map(({ id }) => id));
    new ReadMarksFile(placesOf(io.environment).home).update(at, (before) => ({
      // A session that cannot be read just now is not gone.
      ...(problems.length === 0 ? pruneMarks(before, listed, at) : before),
      ...Object.fromEntries(Array.from(marks, ([id, mark]) => [id, merged(before[id], mark)])),
    }));
  }
  return outcome;
}

function readMark({ unread, doneAt }: Session, until: Seconds | undefined): ReadMark | undefined {
  if (!unread || doneAt === undefined || (until !== undefined && doneAt > until)) return undefined;
  return { readUntil: doneAt };
}

function unreadMark({ id, unread, doneAt }: Session): ReadMark | undefined {
  if (doneAt === undefined) {
    throw new SessionsError("usage", `${id} has no finished answer.`, "Only an answer can be unread.");
  }
  return unread ? undefined : { keptUnread: doneAt };
}

/** A later mark of another process is not taken back. */
function merged(before: ReadMark | undefined, mark: ReadMark): ReadMark {
  const readUntil = Math.max(before?.readUntil ?? -Infinity, mark.readUntil ?? -Infinity);
  return {
    ...(readUntil === -Infinity ? {} : { readUntil }),
    ...(mark.keptUnread === undefined ? {} : { keptUnread: mark.keptUnread }),
  };
}
