import { lstatSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { sessionKey } from "../session/identity";
import type { Seconds } from "../session/report";
import type { RequestOutcome } from "../session/request";
import type { Session } from "../session/session";
import { folderRefusal, isForeign } from "../store/guarded-read";
import { locking } from "../store/writing";
import { ControlFolder, idNamed, isAgentFolder, privacyRefusal, type Addressee } from "./control-folder";
import { addedTo } from "./memory-file";
import { nextStep } from "./next-step";
import { isNews, isOver, lastStep, withStep } from "../session/request-progress";
import {
  namesIn,
  readFiled,
  removeRequest,
  removeSent,
  requestIds,
  writeOutcome,
  type FiledRequest,
} from "./request-files";
import { waitsForStop, withdrawStopAnswer } from "./stop-answer";

/** Requests are kept this long, for whoever wants to know what came of them. */
const KEPT: Seconds = 24 * 3600;

/** What was quiet for so long neither runs nor is news: it need not be read, in milliseconds. */
const QUIET_MS = 2 * 3600 * 1000;

/** So many files are cleaned up at one look, at most: the next look goes on. */
const CLEANED_AT_ONCE = 200;

/** A folder that was written to just now may be so again within the same tick of its clock, in milliseconds. */
const TICK_MS = 50;

/** Who looks while somebody else writes looks again later. In milliseconds. */
const LOCK_PATIENCE_MS = 200;

/** One session's folder of requests as it was last read. */
interface KnownFolder {
  addressee: Addressee;
  folder: string;
  mtimeMs: number;
  filed: readonly FiledRequest[];
  /** Nothing in it changes unless the folder does. */
  isStill: boolean;
}

/**
 * The requests of all sessions as they stand in `control/`. A look costs one stat where nothing was ever asked, and one
 * for each session that was asked lately; what is not over is read again each time, since a receiver rewrites it in
 * place.
 */
export class RequestLog {
  private readonly control: ControlFolder;
  private readonly folders = new Map<string, KnownFolder>();

  constructor(home: string) {
    this.control = new ControlFolder(home);
  }

  /** The last request of each session, by its key: one that still runs before one that is over. */
  last(): Map<string, RequestOutcome> {
    this.look();
    const requests = new Map<string, RequestOutcome>();
    for (const { addressee, filed } of this.folders.values()) {
      const request = lastOf(filed);
      if (request !== undefined) requests.set(sessionKey(addressee), request);
    }
    return requests;
  }

  /**
   * Moves requests on as far as the sessions tell, and cleans up what is old. Never throws: what cannot be written now
   * is tried at the next look.
   */
  settle(sessions: readonly Session[], now: Seconds): void {
    this.look();
    if (this.folders.size === 0) return;
    const byKey = new Map(sessions.map((session) => [session.id, session]));
    for (const known of this.folders.values()) {
      const session = byKey.get(sessionKey(known.addressee));
      for (const filed of known.filed) this.settleOne(known, filed, session, now);
    }
    this.cleanUp(now);
  }

  private settleOne(known: KnownFolder, filed: FiledRequest, session: Session | undefined, now: Seconds): void {
    if (this.stepOf(known, filed, session, now) === undefined) return;
    try {
      locking().withLock(
        this.control.lock,
        () => {
          // Somebody else may have moved it on since it was read.
          const current = readFiled(known.folder, filed.id);
          const step = current === undefined ? undefined : this.stepOf(known, current, session, now);
          if (current === undefined || step === undefined) return;
          const next = withStep(current.outcome, step);
          if (isOver(next)) {
            if (next.by === "stop-hook" && step.outcome !== "saved") withdrawStopAnswer(this.control, known.addressee);
            if (next.by === "plugin") removeRequest(known.folder, filed.id);
          }
          writeOutcome(known.folder, next);
          known.isStill = false;
        },
        LOCK_PATIENCE_MS,
      );
    } catch {
      known.isStill = false;
    }
  }

  private stepOf(known: KnownFolder, filed: FiledRequest, session: Session | undefined, now: Seconds) {
    return nextStep(
      filed,
      {
        ...(session === undefined ? {} : { session }),
        waitsForStop: () => waitsForStop(this.control, known.addressee),
        added: () => addedTo(filed.sent?.files ?? []),
      },
      now,
    );
  }

  /** Reads what changed. */
  private look(): void {
    const present = new Set<string>();
    for (const addressee of this.addressees()) {
      const folder = this.control.requests(addressee);
      const stats = folderStats(folder);
      if (stats === undefined) continue;
      present.add(folder);
      const known = this.folders.get(folder);
      if (known?.isStill === true && known.mtimeMs === stats.mtimeMs) continue;
      const isQuiet = Date.now() - lastChange(folder, stats) > QUIET_MS;
      const filed = (isQuiet ? [] : requestIds(folder))
        .map((id) => readFiled(folder, id))
        .filter((each): each is FiledRequest => each !== undefined);
      const isOld = Date.now() - stats.mtimeMs > TICK_MS;
      const isStill = isOld && filed.every(({ outcome }) => isOver(outcome));
      this.folders.set(folder, { addressee, folder, mtimeMs: stats.mtimeMs, filed, isStill });
    }
    for (const folder of this.folders.keys()) if (!present.has(folder)) this.folders.delete(folder);
  }

  private *addressees(): Iterable<Addressee> {
    if (folderRefusal(this.control.home) !== undefined || folderStats(this.control.path) === undefined) return;
    if (privacyRefusal(this.control.path) !== undefined) return;
    for (const agent of namesIn(this.control.path)) {
      const folder = join(this.control.path, agent);
      if (!isAgentFolder(agent) || folderStats(folder) === undefined) continue;
      for (const name of namesIn(folder)) {
        const sessionId = idNamed(name);
        if (sessionId !== undefined) yield { agent, sessionId };
      }
    }
  }

  /** Removes what is older than a day, a bounded number of files at a time. */
  private cleanUp(now: Seconds): void {
    let left = CLEANED_AT_ONCE;
    for (const known of this.folders.values()) {
      for (const { id, outcome, sent } of known.filed) {
        if (!isOver(outcome)) continue;
        // What its memory held is compared with nothing any more.
        if (sent !== undefined) {
          removeSent(known.folder, id);
          known.isStill = false;
        }
      }
      if (now - known.mtimeMs / 1000 < KEPT) continue;
      for (const name of namesIn(known.folder)) {
        if (left === 0) return;
        left -= 1;
        removeOld(join(known.folder, name), now);
      }
      removeEmpty(known.folder);
    }
  }
}

/** The request that tells most of a session: one that runs, else the one that moved last. */
function lastOf(filed: readonly FiledRequest[]): RequestOutcome | undefined {
  const byTime = filed
    .map(({ outcome }) => outcome)
    .sort((one, other) => lastStep(one).at - lastStep(other).at || (one.id < other.id ? -1 : 1));
  return byTime.findLast((outcome) => !isOver(outcome)) ?? byTime.at(-1);
}

/** The stat of a folder of ours: no link, and nobody else's. */
function folderStats(path: string): Stats | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isDirectory() === true && !isForeign(stats) && isPrivate(stats) ? stats : undefined;
  } catch {
    return undefined;
  }
}

/** When something in a folder was written last, in milliseconds; a receiver writes in place, which the folder does not show. */
function lastChange(folder: string, { mtimeMs }: Stats): number {
  if (Date.now() - mtimeMs <= QUIET_MS) return mtimeMs;
  return namesIn(folder).reduce((last, name) => {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return Math.max(last, stats?.mtimeMs ?? 0);
  }, mtimeMs);
}

function isPrivate({ mode }: Stats): boolean {
  return process.geteuid === undefined || (mode & 0o022) === 0;
}

function removeOld(path: string, now: Seconds): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory() && now - stats.mtimeMs / 1000 >= KEPT)
      rmSync(path, { force: true });
  } catch {
    // What cannot be removed stays.
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is left in it.
  }
}

/** The one log of this process, and of which home it is. */
let log: { home: string; log: RequestLog } | undefined;

function logOf(home: string): RequestLog {
  if (log?.home !== home) log = { home, log: new RequestLog(home) };
  return log.log;
}

/**
 * Moves the requests of sessions on, for whoever looks: what was taken is delivered, what was written is saved, what
 * came too late is expired. Costs one stat where nothing was ever asked. Never throws.
 */
export function settleRequests(home: string, sessions: readonly Session[], now: Seconds): void {
  logOf(home).settle(sessions, now);
}

/**
 * The last request of each session, by `agent:session_id`.
 *
 * @param now leave out what ended so long ago that it is no news any more; absent: all of the last two hours
 */
export function lastRequests(home: string, now?: Seconds): Map<string, RequestOutcome> {
  const requests = logOf(home).last();
  if (now === undefined) return requests;
  return new Map(Array.from(requests).filter(([, request]) => isNews(request, now)));
}

/** How far one request came; undefined when nothing of it can be read. */
export function requestOutcome(home: string, session: Addressee, id: string): RequestOutcome | undefined {
  return readFiled(new ControlFolder(home).requests(session), id)?.outcome;
}
