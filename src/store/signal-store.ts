import { lstatSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { signalDocumentCodec } from "../files/codecs";
import type { Problem } from "../files/problem";
import { reasonOf, SessionsError } from "../session/failure";
import type { Seconds } from "../session/report";
import type { SignalChange } from "../session/signal-apply";
import { EMPTY_SIGNAL_DOCUMENT, untrustedSignalDocument, type SignalDocument } from "../session/signal-document";
import { settle } from "../session/signal-read";
import type { SignalRules } from "../session/signal-rules";
import { makeFolder, replaceFile } from "./atomic-write";
import { folderRefusal, readGuarded } from "./guarded-read";
import { withLock } from "./lock";
import { holdOriginalsLock } from "./originals-lock";
import { SIGNAL_DOCUMENT_GUARD } from "./signal-guard";

/** Our own lock beside the document. The original's is `state.lock`, which is always there and says nothing to us. */
const LOCK = "state.lock.agent-sessions";

/** Where a signal document lies, and by which rules and clock it is kept. */
export interface SignalPlace {
  /** Absolute path of the document. */
  stateFile: string;
  rules: SignalRules;
  now(): Seconds;
  /** How long to wait for a lock, in milliseconds; 10 seconds unless said otherwise. */
  patienceMs?: number;
  platform?: NodeJS.Platform;
}

/** A document as it counts, and what was wrong with its file. */
export interface SignalReading {
  document: SignalDocument;
  problem?: Problem;
  /** The system did not give the file, which may pass: nothing may take its place. */
  isPassing?: true;
}

/**
 * Reads the document as `status` shows it, and lets the file follow when that changed it (Agent Signal's read). An
 * unchanged document needs no lock, since it is only ever replaced whole. Where it cannot be locked or written, the
 * same is shown and nothing is kept. A missing file is an empty document and is not made.
 *
 * @throws SessionsError `refused` when the folder or the file is not the user's own
 */
export function readSignals(place: SignalPlace): SignalReading {
  const seen = load(place, place.now());
  const settled = settle(seen.document, place.now(), place.rules);
  if (!settled.changed || seen.isPassing === true) return seen;
  try {
    return locked(place, () => {
      const now = place.now();
      const latest = load(place, now);
      if (latest.isPassing === true) return latest;
      const { changed, document } = settle(latest.document, now, place.rules);
      if (changed) write(place, document);
      return { ...latest, document };
    });
  } catch (error) {
    if (!(error instanceof SessionsError)) throw error;
    return { ...seen, document: { ...settled.document, updatedAt: seen.document.updatedAt } };
  }
}

/**
 * Changes the document under the lock. A damaged file counts as stale and without sessions, and is replaced. One that
 * the system does not give just now is not.
 *
 * @param change gets the document and the time, and says whether to write what it made of it
 * @returns the document to show
 * @throws SessionsError `refused`, `locked` or `unwritable`, with the original's words for the folder and the lock;
 *   `unreadable`
 */
export function changeSignals(
  place: SignalPlace,
  change: (document: SignalDocument, now: Seconds) => SignalChange,
): SignalDocument {
  return locked(place, () => {
    const now = place.now();
    const { document: before, problem, isPassing } = load(place, now);
    if (isPassing === true) {
      throw new SessionsError(
        "unreadable",
        `${place.stateFile}: ${problem?.reason}.`,
        "It was left as it is; try again.",
      );
    }
    const { outcome, document } = change(before, now);
    if (outcome === "changed") write(place, document);
    return document;
  });
}

function load({ stateFile }: SignalPlace, now: Seconds): SignalReading {
  const refusal = folderRefusal(dirname(stateFile));
  if (refusal !== undefined) throw refused(dirname(stateFile), refusal);
  const read = readGuarded(stateFile, SIGNAL_DOCUMENT_GUARD);
  const untrusted = (reason: string, field?: string): SignalReading => ({
    document: untrustedSignalDocument(now),
    problem: { file: stateFile, ...(field === undefined ? {} : { field }), reason, outcome: "unreadable" },
  });
  switch (read.outcome) {
    case "missing":
      return { document: EMPTY_SIGNAL_DOCUMENT };
    case "text": {
      const decoded = signalDocumentCodec().decodeSignalDocument(read.text);
      return decoded.outcome === "document" ? decoded : untrusted(decoded.reason, decoded.field);
    }
    case "unreadable":
      return { ...untrusted(read.reason), isPassing: true };
    case "refused":
      // What the system refuses is the user's own file with the wrong permissions: not trusted, but replaceable.
      if (read.code !== undefined) return untrusted(read.reason);
      throw refused(stateFile, read.reason);
    default:
      return read satisfies never;
  }
}

function refused(path: string, reason: string): SessionsError {
  return new SessionsError("refused", `${path} ${reason}.`, "Remove it, or name another place.");
}

function write({ stateFile }: SignalPlace, document: SignalDocument): void {
  replaceFile(behindLink(stateFile), signalDocumentCodec().encodeSignalDocument(document));
}

/** A link that the guard let pass is the user's own: what it points to is replaced, not the link. */
function behindLink(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path;
}

/** Runs `work` while no other process of ours, and on macOS none of the original's, holds the document. */
function locked<T>({ stateFile, patienceMs, platform = process.platform }: SignalPlace, work: () => T): T {
  const folder = dirname(stateFile);
  const path = join(folder, LOCK);
  let isHeld = false;
  const held = () => {
    isHeld = true;
    return platform === "darwin" ? holdOriginalsLock(folder, work, patienceMs) : work();
  };
  try {
    makeFolder(folder);
  } catch (error) {
    const reason = error instanceof SessionsError && error.cause !== undefined ? error.cause : error;
    throw restated(error, "unwritable", `Cannot create state directory at ${folder}: ${reasonOf(reason)}`);
  }
  try {
    return withLock(path, held, patienceMs);
  } catch (error) {
    if (isHeld) throw error;
    throw error instanceof SessionsError && error.code === "locked"
      ? restated(
          error,
          "locked",
          `Cannot acquire state lock at ${path}: errno ${constants.errno.EAGAIN}.`,
          error.message,
        )
      : restated(error, "unwritable", `Cannot open state lock at ${path}.`, reasonOf(error));
  }
}

/** A failure in the original's words, which scripts may look for; the code and the cause stay. */
function restated(error: unknown, code: SessionsError["code"], what: string, next?: string): SessionsError {
  return new SessionsError(error instanceof SessionsError ? error.code : code, what, next, { cause: error });
}
