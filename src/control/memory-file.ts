import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { slugOf } from "../agents/claude/transcript";
import type { NotedFile } from "../files/control-sent";
import type { Session } from "../session/session";
import { systemCodeOf } from "../session/failure";
import { printable } from "../session/text";
import { readGuarded } from "../store/guarded-read";

/** The file a pickup phrase reads in: where a session that began with it saves. */
export interface MemoryTarget {
  /** As the index spells it. */
  phrase: string;
  /** Absolute. */
  file: string;
}

/** The beginning of a prompt in which a phrase is sought, in characters (seed 002). */
const BEGINNING = 120;

/** Larger files are no memory, in bytes. */
const LIMIT = 4 * 1024 * 1024;

/** So many files of a memory folder are noted, at most. */
const FILES = 64;

/** What of a session tells where its project's memory lies. */
type Remembering = Pick<Session, "agent" | "configDirectory" | "cwd">;

/** Where a session saves, as far as it is known. */
export interface Remembered {
  /** Claude's index of the project's memory. */
  index: string;
  /** The file of the session's pickup phrase, when there is just one. */
  target?: MemoryTarget;
}

/**
 * Claude's memory index of the project a session runs in: beside the transcript, in `memory/`; without one by the rule
 * that names project folders. Undefined for other agents, and where neither is known.
 *
 * @param transcript the transcript's path
 * @param usualConfig the configuration folder of sessions that name none
 */
export function memoryIndexOf(
  { agent, configDirectory, cwd }: Remembering,
  transcript: string | undefined,
  usualConfig: string,
): string | undefined {
  if (agent !== "claude") return undefined;
  if (transcript !== undefined && isAbsolute(transcript)) return join(dirname(transcript), "memory", "MEMORY.md");
  if (cwd === undefined || !isAbsolute(cwd)) return undefined;
  return join(configDirectory ?? usualConfig, "projects", slugOf(cwd), "memory", "MEMORY.md");
}

/**
 * How phrases are compared: letters and digits alone, in lower case. The plugin does the same in its own core, which
 * knows no Node; a test holds the two together.
 */
export function comparable(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const LINK = /^\s*[-*+]\s*\[[^\]]*\]\(([^)\s]+\.md)\)/;
const PHRASES = /🔑\s*(?:Magic-Word:\s*)?`([^`]+)`|\((?:auch|also)\s+`([^`]+)`\)/gu;

/**
 * The phrases of a memory index by their comparable form (seed 002): entries that link a file of the folder and have a
 * 🔑. A phrase that stands for two files is ambiguous, and leads nowhere.
 */
export function phrasesIn(index: string, folder: string): Map<string, MemoryTarget | "ambiguous"> {
  const found = new Map<string, MemoryTarget | "ambiguous">();
  for (const line of index.split("\n")) {
    const name = LINK.exec(line)?.[1];
    if (name === undefined || name.includes("..") || !line.includes("🔑")) continue;
    const file = `${folder}/${name}`;
    for (const [, first, other] of line.matchAll(PHRASES)) {
      const phrase = (first ?? other ?? "").trim();
      const key = comparable(phrase);
      // Both are told to the session, perhaps by typing them: what steers a terminal is no phrase, and no file.
      if (key === "" || printable(phrase + file) !== phrase + file) continue;
      const known = found.get(key);
      if (known === undefined) found.set(key, { phrase, file });
      else if (known === "ambiguous" || known.file !== file) found.set(key, "ambiguous");
    }
  }
  return found;
}

/**
 * Where a session that began with these prompts saves: the longest phrase with which the first fitting prompt begins
 * decides (seed 002); when that one is ambiguous, there is no file. What a client or another session wrote has a `<`.
 */
export function targetOf(
  prompts: readonly string[],
  phrases: ReadonlyMap<string, MemoryTarget | "ambiguous">,
): MemoryTarget | undefined {
  for (const prompt of prompts) {
    if (prompt.includes("<")) continue;
    const beginning = comparable(prompt.slice(0, BEGINNING));
    let best: MemoryTarget | "ambiguous" | undefined;
    let length = 0;
    for (const [key, target] of phrases) {
      if (key.length > length && beginning.startsWith(key)) {
        best = target;
        length = key.length;
      }
    }
    if (best !== undefined) return best === "ambiguous" ? undefined : best;
  }
  return undefined;
}

/** What is known of where a session saves; undefined when nothing is. Never throws. */
export function memoryOf(
  session: Remembering,
  { path, prompts }: { path?: string; prompts: readonly string[] },
  usualConfig: string,
): Remembered | undefined {
  const index = memoryIndexOf(session, path, usualConfig);
  if (index === undefined) return undefined;
  const read = readGuarded(index, { limit: LIMIT, links: "private" });
  const target = read.outcome === "text" ? targetOf(prompts, phrasesIn(read.text, dirname(index))) : undefined;
  return { index, ...(target === undefined ? {} : { target }) };
}

/** Notes what a session's memory holds: its target file, or all files of the memory where the target is not known. */
export function noteMemory({ index, target }: Remembered): NotedFile[] {
  const files = target === undefined ? new Set([index, ...memoryFilesIn(dirname(index))]) : [target.file];
  return Array.from(files, (file) => ({ file, digests: Array.from(new Set(linesOf(file).map(digestOf))) }));
}

/** Where lines stand that were not there when the memory was noted; the file with the most of them. */
export function addedTo(noted: readonly NotedFile[]): { file: string; lines: number } | undefined {
  let most: { file: string; lines: number } | undefined;
  for (const { file, digests } of noted) {
    const before = new Set(digests);
    const lines = new Set(
      linesOf(file)
        .map(digestOf)
        .filter((digest) => !before.has(digest)),
    ).size;
    if (lines > (most?.lines ?? 0)) most = { file, lines };
  }
  return most;
}

function memoryFilesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
    return names
      .sort()
      .slice(0, FILES)
      .map((name) => join(folder, name));
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return [];
  }
}

/** The lines that say something; none of a file that cannot be read. */
function linesOf(file: string): string[] {
  const read = readGuarded(file, { limit: LIMIT, links: "private" });
  if (read.outcome !== "text") return [];
  return read.text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Sixty bits of a line: enough to tell it from the few thousand others of its file. */
function digestOf(line: string): string {
  return createHash("sha256").update(line).digest("base64url").slice(0, 10);
}
