import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import type { TranscriptLine, Values } from "../files/transcript-format";
import { objectIn } from "../files/transcript-values";
import { fileRefusal, folderRefusal, isForeign, presenceOf, stampOf, type Stamp } from "./guarded-read";

/** How much is read at once, in bytes. */
export const BLOCK = 64 * 1024;

/** The least that a line with anything in it has. */
const LEAST_LINE = 2;

/**
 * Why a file of lines may not be read, and the file or folder that is the reason; undefined when it may. Only a plain
 * file of this user's in a folder of this user's counts, never a link, a FIFO or a device.
 */
export function linesRefusal(path: string): { file: string; reason: string } | undefined {
  const folder = folderRefusal(dirname(path));
  if (folder !== undefined) return { file: dirname(path), reason: folder };
  const presence = presenceOf(path);
  if (presence.outcome === "missing") return undefined;
  const reason =
    presence.outcome === "there"
      ? fileRefusal(path, presence.stats, { limit: Infinity, links: "refuse" })
      : presence.reason;
  return reason === undefined ? undefined : { file: path, reason };
}

/** What to do with lines: take each, and tell between two blocks whether another is wanted. */
export interface LineTaker {
  take(line: TranscriptLine): void;
  wantsMore(): boolean;
}

/**
 * A file of lines that may be of any size, of which only the beginning and the end are read, in blocks, with the same
 * memory whatever its size. Lines are cut out of the bytes, so that no character is ever halved.
 */
export class TranscriptBlocks {
  private constructor(
    private readonly descriptor: number,
    /** The version of the file that is read: what is appended later does not count. */
    readonly stamp: Stamp,
  ) {}

  /**
   * Opens a file of lines; undefined for one that is missing, or may not be read (`linesRefusal`).
   *
   * @throws what the system throws when the file cannot be opened
   */
  static open(path: string): TranscriptBlocks | undefined {
    if (presenceOf(path).outcome !== "there" || linesRefusal(path) !== undefined) return undefined;
    // Not blocking, no link: what was a file a moment ago may be something else now.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(path, flags);
    try {
      const stats = fstatSync(descriptor);
      if (stats.isFile() && !isForeign(stats)) return new TranscriptBlocks(descriptor, stampOf(stats));
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    closeSync(descriptor);
    return undefined;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /**
   * The lines from the beginning on. What stands after the last line break of the file is taken for a line too.
   *
   * @param limit how many bytes are read at most; a line that goes beyond them is left out
   */
  forward(limit: number, { take, wantsMore }: LineTaker): void {
    const [, , size] = this.stamp;
    const end = Math.min(size, limit);
    const bytes = scratch(end);
    let start = 0;
    for (let read = 0; read < end && (read === 0 || wantsMore());) {
      const length = readSync(this.descriptor, bytes, read, Math.min(BLOCK, end - read), read);
      if (length === 0) return;
      read += length;
      const characters = bytes.toString("latin1", start, read);
      const begun = start;
      for (let next = characters.indexOf("\n"); next >= 0; next = characters.indexOf("\n", start - begun)) {
        give(take, bytes, start, characters.slice(start - begun, next));
        start = begun + next + 1;
      }
      if (read === size) give(take, bytes, start, characters.slice(start - begun));
    }
  }

  /**
   * The lines from the end, the last one first. What stands after the last line break is taken for a line too.
   *
   * @param limit how many bytes are read at most; a line that begins before them is left out
   */
  backward(limit: number, { take, wantsMore }: LineTaker): void {
    const [, , size] = this.stamp;
    const beginning = Math.max(0, size - limit);
    /** What was read of the line whose beginning was not met yet, in the file's order. */
    let pieces: Buffer[] = [];
    for (let position = size; position > beginning && (position === size || wantsMore());) {
      const length = Math.min(BLOCK, position - beginning);
      const block = scratch(length);
      // The file became shorter under the reader: what lies before is not what was asked for.
      if (readSync(this.descriptor, block, 0, length, position - length) < length) return;
      position -= length;
      const characters = block.toString("latin1", 0, length);
      let end = length;
      for (let last = characters.lastIndexOf("\n"); last >= 0; last = lastBreak(characters, last)) {
        if (pieces.length === 0) {
          give(take, block, last + 1, characters.slice(last + 1, end));
        } else {
          giveJoined(take, [block.subarray(last + 1, end), ...pieces]);
          pieces = [];
        }
        end = last;
      }
      if (position === 0) giveJoined(take, [block.subarray(0, end), ...pieces]);
      else pieces.unshift(Buffer.from(block.subarray(0, end)));
    }
  }
}

/** What is read goes here, each time over what was before: lines are good only while they are taken. */
let shared = Buffer.allocUnsafeSlow(0);

function scratch(length: number): Buffer {
  if (shared.length < length) shared = Buffer.allocUnsafeSlow(Math.max(length, 4 * BLOCK));
  return shared;
}

function lastBreak(characters: string, before: number): number {
  // A negative start would find a break at 0 once more.
  return before === 0 ? -1 : characters.lastIndexOf("\n", before - 1);
}

function giveJoined(take: LineTaker["take"], pieces: readonly Buffer[]): void {
  const bytes = Buffer.concat(pieces);
  give(take, bytes, 0, bytes.toString("latin1"));
}

function give(take: LineTaker["take"], bytes: Buffer, start: number, characters: string): void {
  if (characters.length >= LEAST_LINE) take(new BytesLine(bytes, start, characters));
}

/** A line as bytes, with one character a byte beside them: looking for ASCII needs no decoding. */
class BytesLine implements TranscriptLine {
  private object?: { values: Values | undefined };

  constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly characters: string,
  ) {}

  mentions(pattern: RegExp): boolean {
    return pattern.test(this.characters);
  }

  parsed(): Values | undefined {
    const end = this.start + this.characters.length;
    this.object ??= { values: objectIn(this.bytes.toString("utf8", this.start, end)) };
    return this.object.values;
  }
}
