import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import {
  decodeEventLine,
  decodeIgnoredLine,
  decodeRejected,
  encodeEventLine,
  eventLogName,
  sessionOfLog,
} from "../files/event-log";
import { sessionFileName } from "../files/session-name";
import type { Problem } from "../files/problem";
import type { EventLine, IgnoredLine, TimelineEntry } from "../session/event-line";
import { reasonOf, systemCodeOf } from "../session/failure";
import type { Identity } from "../session/identity";
import { makeFolder, replaceFile } from "./atomic-write";
import { isForeign, presenceOf, readGuarded, refusalOnTheWay, stampOf, type Stamp } from "./guarded-read";
import { TranscriptBlocks } from "./transcript-blocks";

/** A log that would grow beyond this is written anew, in bytes. */
const LOG_LIMIT = 64 * 1024;

/** What is kept of it then: so many lines at most, and so many bytes. */
export const LINES_KEPT = 200;
const BYTES_KEPT = 48 * 1024;

/** More bytes no log of ours has; of a larger file only the end is read. */
const TAIL = 2 * LOG_LIMIT;

/** A rejected entry is some 4 KiB. */
const REJECTED_GUARD = { limit: 64 * 1024, links: "refuse" } as const;

/** The log of what no session got. An agent's name has no such letter. */
const IGNORED = "@ignored.jsonl";

/** Where the logs lie: `events/<agent>/<id>.jsonl` in our home. */
export function eventsFolder(home: string): string {
  return join(home, "events");
}

/**
 * Where the events of a session are kept; undefined for what has no log: an id too long to be a name, an agent whose
 * name would lead elsewhere.
 */
export function eventLogFile(home: string, { agent, sessionId }: Pick<Identity, "agent" | "sessionId">) {
  const name = eventLogName(sessionId);
  return name === undefined || !isAgentFolder(agent) ? undefined : join(eventsFolder(home), agent, name);
}

function isAgentFolder(agent: string): boolean {
  return /^[a-z0-9._-]+$/.test(agent) && agent !== "." && agent !== "..";
}

/**
 * Writes the logs of one fold, which holds the fold lock: nobody else writes. A log may be lost, never the fold: nothing
 * here throws. A line is appended after its session was saved, and only for what that fold took in itself; so a kill in
 * between loses the lines of one session's batch, and none is ever there twice.
 */
export class EventLogWriter {
  private readonly made = new Set<string>();
  private readonly begun = new Set<string>();

  constructor(private readonly home: string) {}

  /** Appends what happened in a session, oldest first. */
  append(identity: Pick<Identity, "agent" | "sessionId">, lines: readonly EventLine[]): void {
    const path = eventLogFile(this.home, identity);
    if (path === undefined) return;
    if (this.write(join(eventsFolder(this.home), identity.agent), path, lines)) this.begun.add(identity.agent);
  }

  /** Appends what no session got. */
  appendIgnored(lines: readonly IgnoredLine[]): void {
    const folder = eventsFolder(this.home);
    this.write(folder, join(folder, IGNORED), lines);
  }

  /** Removes the logs of sessions that are gone: looked for where a new session's log began, and not oftener. */
  tidy(): void {
    for (const agent of this.begun) {
      try {
        removeOrphans(this.home, agent);
      } catch {
        // The next session of this agent has them looked for again.
      }
    }
  }

  /** Appends lines; whether the log is a new one. */
  private write(folder: string, path: string, lines: readonly (EventLine | IgnoredLine)[]): boolean {
    if (lines.length === 0) return false;
    try {
      if (!this.made.has(folder)) {
        for (const each of [this.home, eventsFolder(this.home), folder]) makeFolder(each);
        this.made.add(folder);
      }
      return appendLines(path, newest(lines.slice(-LINES_KEPT).map(encodeEventLine)));
    } catch {
      return false;
    }
  }
}

/** Appends lines to a log, which is made when missing and cut when it grows too long; whether it is a new one. */
function appendLines(path: string, lines: readonly string[]): boolean {
  const text = lines.join("");
  // Not blocking, no link: what is no plain file of ours is left alone.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const descriptor = openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), 0o600);
  let old: string[];
  try {
    const stats = fstatSync(descriptor);
    if (!isOurs(stats)) return false;
    if (stats.size + Buffer.byteLength(text) <= LOG_LIMIT) {
      // A write that a kill or a full disk cut short ends without a line break: what follows begins its own line.
      const gap = stats.size > 0 && endOf(descriptor, stats.size, 1) !== "\n" ? "\n" : "";
      writeSync(descriptor, gap + text);
      return stats.size === 0;
    }
    // Where it does not begin with the file, the first is the end of a line.
    old = endOf(descriptor, stats.size, BYTES_KEPT)
      .split("\n")
      .slice(stats.size > BYTES_KEPT ? 1 : 0);
  } finally {
    closeSync(descriptor);
  }
  const kept = old.filter((line) => line !== "").map((line) => `${line}\n`);
  replaceFile(path, newest([...kept, ...lines]).join(""));
  return false;
}

function isOurs(stats: Stats): boolean {
  // What has another name, too, may be a file of the user's that somebody linked to.
  return stats.isFile() && !isForeign(stats) && stats.nlink === 1;
}

/** The end of a file that is open. */
function endOf(descriptor: number, size: number, length: number): string {
  const bytes = Buffer.alloc(Math.min(size, length));
  const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
  return bytes.toString("utf8", 0, read);
}

/** The newest lines that a log may keep, in their order. */
function newest(lines: readonly string[]): string[] {
  let first = lines.length;
  for (let bytes = 0; first > 0 && lines.length - first < LINES_KEPT; first -= 1) {
    bytes += Buffer.byteLength(lines[first - 1] ?? "");
    if (bytes > BYTES_KEPT) break;
  }
  return lines.slice(first);
}

function removeOrphans(home: string, agent: string): void {
  const folder = join(eventsFolder(home), agent);
  const sessions = new Set(readdirSync(join(home, "sessions", agent)));
  for (const name of readdirSync(folder)) {
    const sessionId = sessionOfLog(name);
    const session = sessionId === undefined ? undefined : sessionFileName(sessionId);
    if (session !== undefined && !sessions.has(session)) rmSync(join(folder, name), { force: true });
  }
}

/** What a timeline is asked for. */
export interface TimelineRequest {
  /** So many of the newest entries. */
  limit: number;
  /** Only this session's; then nothing that no session got. */
  session?: Pick<Identity, "agent" | "sessionId">;
  /** Only this agent's. */
  agent?: string;
}

/** The newest entries, oldest of them first, and what could not be read. */
export interface Timeline {
  entries: TimelineEntry[];
  problems: Problem[];
}

/** A file that holds entries. */
interface Source {
  path: string;
  /** Milliseconds since 1970: nothing in it is newer. */
  changedAt: number;
  stamp: Stamp;
  read: (limit: number) => TimelineEntry[];
}

/**
 * Reads the logs: of each file only its end, and of the files only those that can have a part in the newest entries.
 * What did not change since the last read is not read again.
 */
export class EventLogs {
  private known = new Map<string, { stamp: Stamp; limit: number; entries: TimelineEntry[] }>();

  constructor(private readonly home: string) {}

  /** The folders in which something changes when no session does: by what was ignored, by what was rejected. */
  get sharedFolders(): string[] {
    return [eventsFolder(this.home), this.rejectedFolder];
  }

  /** Which of them are there. */
  get sharedFoldersThere(): string[] {
    return this.sharedFolders.filter((folder) => presenceOf(folder).outcome === "there");
  }

  private get rejectedFolder(): string {
    return join(this.home, "inbox", "rejected");
  }

  /** Reads. Lines that are none are left out; a file that may not be read is named. */
  read({ limit, session, agent }: TimelineRequest): Timeline {
    const problems: Problem[] = [];
    const isAsked = (entry: TimelineEntry) => agent === undefined || entry.agent === agent;
    const sources = this.sources({ session, agent }, problems).sort((one, other) => other.changedAt - one.changedAt);
    const seen: typeof this.known = new Map();
    let entries: TimelineEntry[] = [];
    for (const source of sources) {
      // What is kept is newer than anything in the files that changed before it came.
      const oldest = entries.length < limit ? -Infinity : (entries[0]?.at ?? -Infinity);
      if (source.changedAt / 1000 < oldest) break;
      const found = this.entriesOf(source, limit, problems);
      if (found === undefined) continue;
      seen.set(source.path, { stamp: source.stamp, limit, entries: found });
      const newer = found.filter((entry) => entry.at >= oldest && isAsked(entry));
      if (newer.length > 0) entries = newestOf(entries, newer, limit);
    }
    this.known = seen;
    return { entries, problems };
  }

  private entriesOf(source: Source, limit: number, problems: Problem[]): TimelineEntry[] | undefined {
    const known = this.known.get(source.path);
    const isSame = known !== undefined && known.limit === limit && known.stamp.join() === source.stamp.join();
    if (isSame) return known.entries;
    try {
      return source.read(limit);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push({ file: source.path, reason: error.message, outcome: "refused" });
      return undefined;
    }
  }

  private sources({ session, agent: only }: Omit<TimelineRequest, "limit">, problems: Problem[]): Source[] {
    if (session !== undefined) {
      const path = eventLogFile(this.home, session);
      if (path === undefined || this.isRefused(problems, "events", session.agent)) return [];
      return sourceAt(path, (limit) => readLog(path, session, limit));
    }
    const rejected = this.rejected(problems);
    if (this.isRefused(problems, "events")) return rejected;
    const folder = eventsFolder(this.home);
    const ignored = join(folder, IGNORED);
    return [
      ...sourceAt(ignored, (limit) => readIgnored(ignored, limit)),
      ...namesIn(folder, problems).flatMap((agent) => {
        const isAsked = isAgentFolder(agent) && (only === undefined || only === agent);
        return isAsked ? this.logsOf(agent, problems) : [];
      }),
      ...rejected,
    ];
  }

  private logsOf(agent: string, problems: Problem[]): Source[] {
    if (this.isRefused(problems, "events", agent)) return [];
    const folder = join(eventsFolder(this.home), agent);
    return namesIn(folder, problems).flatMap((name) => {
      const sessionId = sessionOfLog(name);
      const path = join(folder, name);
      return sessionId === undefined ? [] : sourceAt(path, (limit) => readLog(path, { agent, sessionId }, limit));
    });
  }

  private rejected(problems: Problem[]): Source[] {
    if (this.isRefused(problems, "inbox", "rejected")) return [];
    const folder = this.rejectedFolder;
    return namesIn(folder, problems).flatMap((name) =>
      sourceAt(join(folder, name), () => readRejected(join(folder, name), name)),
    );
  }

  /** Whether a folder of ours may not be read; what is wrong on the way to it is named once. */
  private isRefused(problems: Problem[], ...names: string[]): boolean {
    const refused = refusalOnTheWay(this.home, ...names);
    if (refused === undefined) return false;
    const { folder: file, reason } = refused;
    if (!problems.some((problem) => problem.file === file)) problems.push({ file, reason, outcome: "refused" });
    return true;
  }
}

/** Why a file is not read. */
class Unreadable extends Error {}

function sourceAt(path: string, read: Source["read"]): Source[] {
  const presence = presenceOf(path);
  if (presence.outcome !== "there") return [];
  return [{ path, changedAt: presence.stats.mtimeMs, stamp: stampOf(presence.stats), read }];
}

function readLog(path: string, { agent, sessionId }: Pick<Identity, "agent" | "sessionId">, limit: number) {
  return readLines(path, limit, (value): TimelineEntry | undefined => {
    const line = decodeEventLine(value);
    return line === undefined ? undefined : { outcome: "event", agent, sessionId, ...line };
  });
}

function readIgnored(path: string, limit: number): TimelineEntry[] {
  return readLines(path, limit, (value): TimelineEntry | undefined => {
    const line = decodeIgnoredLine(value);
    return line === undefined ? undefined : { outcome: "ignored", ...line };
  });
}

/** The last lines of a log, oldest of them first. */
function readLines(
  path: string,
  limit: number,
  decode: (value: unknown) => TimelineEntry | undefined,
): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  let blocks: TranscriptBlocks | undefined;
  try {
    blocks = TranscriptBlocks.open(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw new Unreadable("may not be read");
  }
  if (blocks === undefined) throw new Unreadable("is no plain file of your own");
  try {
    blocks.backward(TAIL, {
      take: (line) => {
        if (entries.length >= limit) return;
        const entry = decode(line.parsed());
        if (entry !== undefined) entries.push(entry);
      },
      wantsMore: () => entries.length < limit,
    });
  } finally {
    blocks.close();
  }
  return entries.reverse();
}

function readRejected(path: string, name: string): TimelineEntry[] {
  const read = readGuarded(path, REJECTED_GUARD);
  if (read.outcome === "missing") return [];
  if (read.outcome !== "text") throw new Unreadable(read.reason);
  const line = decodeRejected(name, read.text);
  return line === undefined ? [] : [{ outcome: "rejected", ...line }];
}

/** Of two lists the newest entries, by time; at the same time each list keeps its order. */
function newestOf(one: readonly TimelineEntry[], other: readonly TimelineEntry[], limit: number): TimelineEntry[] {
  return [...one, ...other].sort((a, b) => a.at - b.at).slice(-limit);
}

/** What is in a folder; nothing when it is missing, and a problem when it cannot be listed. */
function namesIn(folder: string, problems: Problem[]): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT") {
      problems.push({ file: folder, reason: `cannot be listed (${reasonOf(error)})`, outcome: "unreadable" });
    }
    return [];
  }
}
