import { dirname } from "node:path";
import { signalDocumentCodec } from "../files/codecs";
import type { Problem } from "../files/problem";
import type { SignalDocument } from "../files/signal-document";
import type { Seconds } from "../session/report";
import { folderRefusal, hasStamp, presenceOf, readGuarded, stampOf, type Stamp } from "./guarded-read";
import type { CachedRow } from "./parse-cache";
import { SIGNAL_DOCUMENT_GUARD } from "./signal-guard";

/** A damaged document younger than this may be half written. */
const YOUNG_MS = 2_000;
const RETRY_MS = 40;

/** Agent Signal's state document as the file stands, and what was good of it last. */
export interface SignalFileState {
  /** The last good document. */
  document?: SignalDocument;
  /** When it was read. */
  goodAt?: Seconds;
  /** Since when the file cannot be read or decoded; then `document` is an earlier version. */
  damagedSince?: Seconds;
  /** Since when the file is gone, having been there. */
  goneSince?: Seconds;
  problem?: Problem;
}

/** Reads Agent Signal's state document when it changed; only reads, never prunes or writes. */
export class SignalDocumentFile {
  private current: SignalFileState = {};
  private stamp?: Stamp;
  /** The last good document is an earlier run's, and this run has not met its file. */
  private isUnmet = false;

  constructor(readonly path: string) {}

  get state(): Readonly<SignalFileState> {
    return this.current;
  }

  /** Whether the file is there. */
  get exists(): boolean {
    return this.stamp !== undefined && this.current.goneSince === undefined;
  }

  restore(cached: ReadonlyMap<string, CachedRow>): void {
    const row = cached.get("document");
    if (row === undefined || !isCachedDocument(row.value)) return;
    const { sessions, ...document } = row.value.document;
    this.current = { document: { ...document, sessions: new Map(sessions) }, goodAt: row.value.goodAt };
    this.stamp = row.stamp;
    this.isUnmet = true;
  }

  cacheable(): Map<string, CachedRow> {
    const { document, goodAt, damagedSince } = this.current;
    if (document === undefined || this.stamp === undefined || damagedSince !== undefined) return new Map();
    const value = { document: { ...document, sessions: Array.from(document.sessions) }, goodAt };
    return new Map([["document", { stamp: this.stamp, value }]]);
  }

  /** Looks at the file; parses it only when it changed. */
  look(nowMs: number): { changed: boolean; parsed: number; retryIn?: number } {
    const now = nowMs / 1000;
    const refusal = folderRefusal(dirname(this.path));
    if (refusal !== undefined) return this.fail(`is not read: its folder ${refusal}`, "refused", now);
    const presence = presenceOf(this.path);
    if (presence.outcome === "missing") return this.miss(now);
    if (presence.outcome !== "there") return this.fail(presence.reason, presence.outcome, now);
    const stamp = stampOf(presence.stats);
    const wasUnmet = this.isUnmet;
    this.isUnmet = false;
    const isSettled = !isYoung(stamp, nowMs) || this.current.damagedSince === undefined;
    const isKnown =
      this.stamp !== undefined && this.current.goneSince === undefined && hasStamp(presence.stats, this.stamp);
    if (isKnown && isSettled) return { changed: wasUnmet, parsed: 0 };
    const read = readGuarded(this.path, SIGNAL_DOCUMENT_GUARD);
    if (read.outcome === "missing") return this.miss(now);
    this.stamp = stamp;
    if (read.outcome !== "text") {
      return this.fail(read.reason, read.outcome === "refused" ? "refused" : "unreadable", now);
    }
    const decoded = signalDocumentCodec().decodeSignalDocument(read.text);
    if (decoded.outcome === "document") {
      this.stamp = read.stamp;
      this.current = { document: decoded.document, goodAt: now };
      return { changed: true, parsed: 1 };
    }
    const failure = this.fail(decoded.reason, "unreadable", now, decoded.field);
    return isYoung(stamp, nowMs) ? { ...failure, parsed: 1, retryIn: RETRY_MS } : { ...failure, parsed: 1 };
  }

  private miss(now: Seconds): { changed: boolean; parsed: number } {
    if (this.stamp === undefined || this.current.goneSince !== undefined) return { changed: false, parsed: 0 };
    this.isUnmet = false;
    const { document, goodAt } = this.current;
    this.current = { ...(document === undefined ? {} : { document, goodAt }), goneSince: now };
    return { changed: true, parsed: 0 };
  }

  private fail(reason: string, outcome: Problem["outcome"], now: Seconds, field?: string) {
    const { document, goodAt, damagedSince, problem } = this.current;
    this.current = {
      ...(document === undefined ? {} : { document, goodAt }),
      damagedSince: damagedSince ?? now,
      problem: { file: this.path, ...(field === undefined ? {} : { field }), reason, outcome },
    };
    return { changed: problem?.reason !== reason, parsed: 0 };
  }
}

/** One from the future is not being written now, whatever became of the clock. */
function isYoung([mtimeMs]: Stamp, nowMs: number): boolean {
  return Math.abs(nowMs - mtimeMs) < YOUNG_MS;
}

function isCachedDocument(
  value: unknown,
): value is { document: Omit<SignalDocument, "sessions"> & { sessions: [string, never][] }; goodAt: Seconds } {
  return (
    typeof value === "object" &&
    value !== null &&
    "goodAt" in value &&
    typeof value.goodAt === "number" &&
    "document" in value &&
    typeof value.document === "object" &&
    value.document !== null &&
    "sessions" in value.document &&
    Array.isArray(value.document.sessions) &&
    "events" in value.document &&
    Array.isArray(value.document.events)
  );
}
