import { isAbsolute } from "node:path";
import type { Problem } from "../files/problem";
import { isTranscriptFacts } from "../files/transcript-cached";
import type { SoughtSession, TranscriptFormat, TranscriptKind } from "../files/transcript-format";
import { systemCodeOf } from "../session/failure";
import { sessionKey } from "../session/identity";
import type { TranscriptFacts } from "../session/transcript-facts";
import { hasStamp, presenceOf, stampOf, type Stamp } from "./guarded-read";
import type { CachedRow } from "./parse-cache";
import { BLOCK, linesRefusal, TranscriptBlocks } from "./transcript-blocks";
import { FolderListing } from "./transcript-folders";

/** The beginning is read up to here for the first prompts, in bytes. */
const BEGINNING_LIMIT = 4 * BLOCK;

/** The end is read up to here when lines larger than a block stand after the last answer, in bytes. */
const END_LIMIT = 4 * 1024 * 1024;

/** A transcript that was nowhere is looked for again after this. */
const SEARCH_AGAIN_MS = 30_000;

/** How many rows are kept for a later run. */
const ROWS_KEPT = 5_000;

/** A session whose transcript is wanted. */
export interface TranscribedSession extends SoughtSession {
  /** The agent's one name. */
  agent: string;
  /** Where the transcript lies, as the agent itself told. */
  transcript?: string;
}

/** A session's transcript: where it lies, and what it tells. */
export interface FoundTranscript {
  path: string;
  facts: TranscriptFacts;
}

interface Row {
  stamp: Stamp;
  /** None: the file is refused until it changes. */
  facts?: TranscriptFacts;
  /** The sessions that were found to have it, by key. */
  sessions: Set<string>;
}

/**
 * What the transcripts of sessions tell. A transcript that did not change costs one stat; of one that did, only the
 * beginning and the end are read. Which file is a session's is looked for once, and remembered.
 */
export class Transcripts {
  /** By path. */
  private readonly rows = new Map<string, Row>();
  /** What is wrong with transcripts that may not be read, by their paths. */
  private readonly refused = new Map<string, Problem>();
  /** The path of a session's transcript, by the session's key. */
  private readonly paths = new Map<string, string>();
  private readonly kinds: ReadonlyMap<string, TranscriptKind>;
  /** When a session's transcript was looked for and was nowhere (ms), by the session's key. */
  private readonly searched = new Map<string, number>();
  private listing?: { folders: FolderListing; at: number };
  private readonly clock: () => number;
  private hasNews = false;

  /** How many transcripts were read, for who wants to know what a refresh costs. */
  reads = 0;

  /**
   * @param kinds the agents' transcripts
   * @param options.clock milliseconds since 1970
   */
  constructor(kinds: readonly TranscriptKind[], { clock = Date.now }: { clock?: () => number } = {}) {
    this.kinds = new Map(kinds.map((kind) => [kind.agent, kind]));
    this.clock = clock;
  }

  /** Whether there is more to keep for a later run than what was restored or kept last. */
  get changed(): boolean {
    return this.hasNews;
  }

  /**
   * A session's transcript as it is now, at the price of one stat while it did not change; see `factsOf`.
   *
   * @param options.search look for it in all the agent's folders, too, when it does not lie where it should
   */
  find(session: TranscribedSession, { search = true }: { search?: boolean } = {}): FoundTranscript | undefined {
    return this.look(session, search);
  }

  /**
   * What a session's transcript tells now; undefined when there is none, it may not be read, or the agent's are not
   * known. Never throws. What it gives is the same object as before while the file did not change.
   */
  factsOf(session: TranscribedSession): TranscriptFacts | undefined {
    return this.look(session)?.facts;
  }

  /** Where a session's transcript lies; undefined when there is none. */
  pathOf(session: TranscribedSession): string | undefined {
    return this.look(session)?.path;
  }

  /** Transcripts of sessions that may not be read, each file or folder that is in the way once. */
  problems(): Problem[] {
    const problems = new Map<string, Problem>();
    for (const [path, problem] of this.refused) {
      if (presenceOf(path).outcome === "missing") this.refused.delete(path);
      else problems.set(problem.file, problem);
    }
    return Array.from(problems.values());
  }

  /** Takes over what an earlier run read; each row counts only while its file is unchanged. */
  restore(cached: ReadonlyMap<string, CachedRow>): void {
    for (const [path, { stamp, value }] of cached) {
      // What was refused is looked at again, to say why.
      if (!isCachedValue(value) || value.facts === undefined) continue;
      this.rows.set(path, { stamp, facts: value.facts, sessions: new Set(value.sessions) });
      for (const key of value.sessions) this.paths.set(key, path);
    }
  }

  /** What to keep for a later run, of the transcripts that changed last. */
  cacheable(): Map<string, CachedRow> {
    this.hasNews = false;
    const rows = Array.from(this.rows).sort(([, { stamp: one }], [, { stamp: other }]) => other[0] - one[0]);
    return new Map(
      rows
        .slice(0, ROWS_KEPT)
        .map(([path, { stamp, facts, sessions }]) => [
          path,
          { stamp, value: { facts: kept(facts), sessions: [...sessions] } },
        ]),
    );
  }

  private look(session: TranscribedSession, search = true): FoundTranscript | undefined {
    const kind = this.kinds.get(session.agent);
    if (kind === undefined) return undefined;
    const key = sessionKey(session);
    for (const path of this.candidates(session, kind, key, search)) {
      const row = this.rowOf(path, kind.format);
      if (row?.facts !== undefined) return this.found(key, path, row, row.facts);
    }
    return undefined;
  }

  /** Where the transcript may lie, the surest first; what costs more is only done when it is asked for. */
  private *candidates(
    session: TranscribedSession,
    kind: TranscriptKind,
    key: string,
    search: boolean,
  ): Iterable<string> {
    const { transcript } = session;
    if (transcript !== undefined && isAbsolute(transcript)) yield transcript;
    const remembered = this.paths.get(key);
    if (remembered !== undefined) yield remembered;
    yield* kind.likely(session);
    if (!search) return;
    const now = this.clock();
    const before = this.searched.get(key);
    if (kind.search === undefined || (before !== undefined && now - before < SEARCH_AGAIN_MS && now >= before)) return;
    this.searched.set(key, now);
    const path = kind.search(session, this.foldersAt(now).names);
    if (path !== undefined) yield path;
  }

  /** Folders as they were listed last; anew when that was long ago. */
  private foldersAt(now: number): FolderListing {
    if (this.listing === undefined || now - this.listing.at >= SEARCH_AGAIN_MS || now < this.listing.at) {
      this.listing = { folders: new FolderListing(), at: now };
    }
    return this.listing.folders;
  }

  private found(key: string, path: string, row: Row, facts: TranscriptFacts): FoundTranscript {
    const before = this.paths.get(key);
    if (before !== path) {
      if (before !== undefined) this.rows.get(before)?.sessions.delete(key);
      this.paths.set(key, path);
      this.searched.delete(key);
    }
    if (!row.sessions.has(key)) {
      row.sessions.add(key);
      this.hasNews = true;
    }
    return { path, facts };
  }

  /** What is known of the file at a path, as it is now; undefined when there is none. */
  private rowOf(path: string, format: TranscriptFormat): Row | undefined {
    const presence = presenceOf(path);
    const before = this.rows.get(path);
    if (presence.outcome !== "there") {
      if (before !== undefined && presence.outcome === "missing") this.forget(path, before);
      if (presence.outcome === "refused") this.refuse(path, presence.reason);
      else this.refused.delete(path);
      return undefined;
    }
    if (before !== undefined && hasStamp(presence.stats, before.stamp)) return before;
    this.reads += 1;
    const read = readFacts(path, format);
    if (read.outcome === "unreadable") return undefined;
    if (read.outcome === "refused") this.refuse(path, read.reason);
    else this.refused.delete(path);
    // What is refused stays so until its stamp, the permissions in it, changes.
    const { stamp, facts } = read.outcome === "facts" ? read : { stamp: stampOf(presence.stats), facts: undefined };
    const row: Row = { stamp, facts, sessions: before?.sessions ?? new Set() };
    this.rows.set(path, row);
    this.hasNews = true;
    return row;
  }

  private refuse(path: string, reason: string): void {
    this.refused.set(path, { ...(linesRefusal(path) ?? { file: path, reason }), outcome: "refused" });
  }

  private forget(path: string, { sessions }: Row): void {
    this.rows.delete(path);
    for (const key of sessions) if (this.paths.get(key) === path) this.paths.delete(key);
    this.hasNews = true;
  }
}

/** What is kept of facts for a later run: the prompts, most of their size, are for who asks a session to save. */
function kept(facts: TranscriptFacts | undefined): TranscriptFacts | undefined {
  return facts === undefined ? undefined : { ...facts, prompts: undefined };
}

type ReadFacts =
  | { outcome: "facts"; stamp: Stamp; facts: TranscriptFacts }
  | { outcome: "refused"; reason: string }
  | { outcome: "unreadable" };

function readFacts(path: string, format: TranscriptFormat): ReadFacts {
  let blocks: TranscriptBlocks | undefined;
  try {
    blocks = TranscriptBlocks.open(path);
    if (blocks === undefined) return { outcome: "refused", reason: "is not a plain file of your own" };
    const reading = format();
    blocks.forward(BEGINNING_LIMIT, {
      take: (line) => reading.takeFirst(line),
      wantsMore: () => reading.wantsBeginning,
    });
    blocks.backward(END_LIMIT, { take: (line) => reading.takeLast(line), wantsMore: () => reading.wantsEnd });
    return { outcome: "facts", stamp: blocks.stamp, facts: reading.facts() };
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== "EACCES" && code !== "EPERM") return { outcome: "unreadable" };
    return { outcome: "refused", reason: "may not be read; check its permissions" };
  } finally {
    blocks?.close();
  }
}

interface CachedValue {
  facts?: TranscriptFacts;
  sessions: string[];
}

function isCachedValue(value: unknown): value is CachedValue {
  if (typeof value !== "object" || value === null || !("sessions" in value)) return false;
  const { sessions } = value;
  const isList = Array.isArray(sessions) && sessions.every((key) => typeof key === "string");
  return isList && (!("facts" in value) || value.facts === undefined || isTranscriptFacts(value.facts));
}
