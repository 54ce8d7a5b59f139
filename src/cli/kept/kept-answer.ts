import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeOf, type Environment } from "../../store/places";
import { stillHold, userNow, versionOf, type Premises, type Version } from "./premises";

/** Raised whenever the shape of a kept answer changes: an older one is not read. */
const KEPT_VERSION = 1;

/** A larger one is none of ours, in bytes. */
const LIMIT = 64 * 1024 * 1024;

/** A place in the text where a figure of the moment stands: its offset and length in bytes. */
export type Gap = readonly [at: number, length: number, sinceMs: number | null];

/** What is kept of an answer beside its text. */
export interface KeptHead {
  version: number;
  /** The program that gave it. */
  program: Version;
  argv: readonly string[];
  /** It holds from when it was given until then, in milliseconds since 1970, as long as its premises do. */
  from: number;
  until: number;
  premises: Premises;
  /** In order: an age in seconds since a moment, or, without one, the time of the answer itself. */
  gaps: readonly Gap[];
}

/** The folder in which answers are kept. */
export function answersFolder(environment: Environment): string {
  return join(homeOf(environment), "cache");
}

/** Where the answer to a command line is kept; undefined for one whose answers are not kept. */
export function keptFile(argv: readonly string[], environment: Environment): string | undefined {
  const name = NAMES.get(argv.join(" "));
  return name === undefined ? undefined : join(answersFolder(environment), `answer-${name}`);
}

/** What status bars and scripts ask every few seconds, and whose answer does not depend on who reads it. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["list --json", "list-json"],
  ["status --json", "status-json"],
  ["tmux", "tmux"],
  ["tmux --short", "tmux-short"],
  ["prompt", "prompt"],
  ["prompt --short", "prompt-short"],
]);

/**
 * Prints what the same command line was answered last, when everything that answer depended on is as it was: each file
 * and folder that was looked at, each process, the environment. Ages are of now.
 *
 * @param program the file of the program that is run
 * @returns whether it did; else nothing was printed
 */
export function printKept(argv: readonly string[], environment: Environment, program: string): boolean {
  const file = keptFile(argv, environment);
  if (file === undefined) return false;
  let text: Uint8Array;
  try {
    const folder = answersFolder(environment);
    const kept = isOwnFolder(dirname(folder)) && isOwnFolder(folder) ? readKept(file) : undefined;
    if (kept === undefined) return false;
    const now = Date.now();
    const { head } = kept;
    const isOurs =
      head.version === KEPT_VERSION &&
      now >= head.from &&
      now < head.until &&
      head.argv.join("\n") === argv.join("\n") &&
      String(head.program) === String(versionOf(lstatSync(program)));
    if (!isOurs || !stillHold(head.premises, environment)) return false;
    text = filled(kept.text, head.gaps, now);
  } catch {
    // Damaged, or none: the program itself answers, and keeps what it says.
    return false;
  }
  print(text);
  return true;
}

/** The text of an answer with its figures as they are at a moment; where they are as long as before, in the same bytes. */
export function filled(text: Buffer, gaps: readonly Gap[], nowMs: number): Buffer {
  const figures = gaps.map(([, , sinceMs]) => figureOf(sinceMs, nowMs));
  if (gaps.every(([, length], index) => figures[index]?.length === length)) {
    for (const [index, [at]] of gaps.entries()) text.write(figures[index] ?? "", at, "latin1");
    return text;
  }
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const [index, [at, length]] of gaps.entries()) {
    parts.push(text.subarray(end, at), Buffer.from(figures[index] ?? "", "latin1"));
    end = at + length;
  }
  parts.push(text.subarray(end));
  return Buffer.concat(parts);
}

/** An age in whole seconds, never below zero; without a moment it counts from, the time itself. */
function figureOf(sinceMs: number | null, nowMs: number): string {
  if (sinceMs === null) return new Date(nowMs).toISOString();
  return String(Math.max(0, Math.floor((nowMs - sinceMs) / 1000)));
}

/** The first line of a kept answer; its text follows. */
export function headLine(head: Omit<KeptHead, "version">): string {
  return `${JSON.stringify({ version: KEPT_VERSION, ...head })}\n`;
}

/** Whether a folder is a plain one of the user's: a link to one makes no answer that is kept. */
function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path);
  const user = userNow();
  return stats.isDirectory() && (user === null || stats.uid === user);
}

function readKept(file: string): { head: KeptHead; text: Buffer } | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(descriptor);
    const user = userNow();
    if (!stats.isFile() || stats.size > LIMIT || (user !== null && stats.uid !== user)) return undefined;
    const whole = Buffer.allocUnsafe(stats.size);
    if (readSync(descriptor, whole, 0, stats.size, 0) !== stats.size) return undefined;
    const end = whole.indexOf("\n");
    const head: unknown = JSON.parse(whole.toString("utf8", 0, end));
    return isHead(head) ? { head, text: whole.subarray(end + 1) } : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** What was read is ours alone, so its outline is enough; whatever else is wrong with it fails, and counts as none. */
function isHead(value: unknown): value is KeptHead {
  return (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    "program" in value &&
    "from" in value &&
    "until" in value &&
    "premises" in value &&
    "argv" in value &&
    Array.isArray(value.argv) &&
    "gaps" in value &&
    Array.isArray(value.gaps)
  );
}

/** Writes it at once; the streams of Node cost more than all of the rest. */
function print(bytes: Uint8Array): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
    // A reader that left has what it wanted.
    if (code === "EPIPE") return;
    // A reader that set its end not to block gets the rest by Node's stream, which waits.
    if (code !== "EAGAIN") throw error;
    process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
      if (failure.code !== "EPIPE") throw failure;
    });
    process.stdout.write(bytes.subarray(written));
  }
}
