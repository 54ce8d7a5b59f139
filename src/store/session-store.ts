import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { decodeSessionFile, encodeSessionFile, type SessionFile } from "../files/session-file";
import { sessionFileName } from "../files/session-name";
import { SessionsError } from "../session/failure";
import type { Identity } from "../session/identity";
import { makeFolder, replaceFile } from "./atomic-write";
import { readGuarded, type Guard } from "./guarded-read";

const GUARD: Guard = { limit: 16 * 1024 * 1024, links: "refuse" };

/** Whether a file is of the session it is named after. */
function isOf({ record }: SessionFile, { agent, sessionId }: Pick<Identity, "agent" | "sessionId">): boolean {
  return record.agent === agent && record.sessionId === sessionId;
}

/** Our own store: `sessions/<agent>/<id>.json` in our home, the whole of what we know of each session. */
export class SessionStore {
  constructor(private readonly home: string) {}

  /** The folder of all agents' folders. */
  get folder(): string {
    return join(this.home, "sessions");
  }

  /** Whether an id can be a file's name; one that cannot has no place in the store. */
  holds({ sessionId }: Pick<Identity, "sessionId">): boolean {
    return sessionFileName(sessionId) !== undefined;
  }

  /**
   * What is known of a session; undefined when nothing is. A damaged file is kept aside as `.damaged` and counts as
   * nothing known.
   *
   * @throws SessionsError `refused` or `unreadable` when there is a file that may not be or could not be read: it must
   *   not be overwritten with less
   */
  load(identity: Pick<Identity, "agent" | "sessionId">): SessionFile | undefined {
    const path = this.fileOf(identity);
    const read = readGuarded(path, GUARD);
    switch (read.outcome) {
      case "missing":
        return undefined;
      case "refused":
      case "unreadable":
        throw new SessionsError(
          read.outcome,
          `${path} ${read.reason}.`,
          "Move it away to go on without what it holds.",
        );
      case "text": {
        const decoded = decodeSessionFile(read.text);
        if (decoded.outcome === "session" && isOf(decoded.file, identity)) return decoded.file;
        renameSync(path, `${path}.damaged`);
        return undefined;
      }
      default:
        return read satisfies never;
    }
  }

  /**
   * Replaces what is known of a session.
   *
   * @throws SessionsError `refused` or `unwritable`
   */
  save(file: SessionFile): void {
    for (const folder of [this.home, this.folder]) makeFolder(folder);
    replaceFile(this.fileOf(file.record), encodeSessionFile(file));
  }

  /** Forgets a session. */
  remove(identity: Pick<Identity, "agent" | "sessionId">): void {
    rmSync(this.fileOf(identity), { force: true });
  }

  /**
   * Where a session is kept.
   *
   * @throws SessionsError `refused` for an id too long to be a file's name
   */
  fileOf({ agent, sessionId }: Pick<Identity, "agent" | "sessionId">): string {
    const name = sessionFileName(sessionId);
    if (name === undefined) throw new SessionsError("refused", `The session id of ${agent} is too long to be kept.`);
    return join(this.folder, agent, name);
  }
}
