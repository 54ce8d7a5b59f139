/** Where a session saves to: the file that its pickup phrase reads in. */
export interface Anchor {
  /** The pickup phrase as the memory index spells it; empty when there is none. */
  phrase: string;
  /** The file's absolute path; empty when the index has none for the phrase. */
  file: string;
  /** The phrase belongs to several files, so to none. */
  isAmbiguous?: true;
}

/** A session that began without a pickup phrase. */
export const NO_ANCHOR: Anchor = { phrase: "", file: "" };

/** The index by the comparable form of its phrases. */
export type Anchors = ReadonlyMap<string, Anchor>;

/** So many rows of a conversation, from its beginning, may hold the phrase. */
export const FIRST_ROWS = 15;

/** So much of a prompt is compared with phrases. */
const PROMPT_START = 120;

/** A list entry that links to a memory file. */
const ENTRY = /^\s*[-*+]\s*\[[^\]]*\]\(([^)\s]+\.md)\)/;

/** The phrase right after the key, and the others it goes by. */
const PHRASES = /🔑\s*(?:Magic-Word:\s*)?`([^`]+)`|\((?:auch|also)\s+`([^`]+)`\)/gu;

/** What a prompt reads like when its phrase is not in the index. */
const UNLISTED = /^\s*(.{1,40}?\bpickup)\b/i;

/** A text as it is compared: "Web shop pickup" and "webshop pickup!" are the same phrase. */
export function comparable(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * The pickup phrases of a memory index (MEMORY.md): in the entries with a 🔑, the phrase right after it and those in
 * `` (also `…`) `` or `` (auch `…`) ``. An entry whose link leads out of the folder is none. A phrase of two files is
 * ambiguous: it has no file.
 *
 * @param folder where the index lies, without a separator at its end
 */
export function anchorsIn(index: string, folder: string): Anchors {
  const anchors = new Map<string, Anchor>();
  for (const line of index.split("\n")) {
    const link = ENTRY.exec(line)?.[1];
    if (link === undefined || link.includes("..") || !line.includes("🔑")) continue;
    const file = `${folder}/${link}`;
    for (const [, first, other] of line.matchAll(PHRASES)) {
      const phrase = (first ?? other ?? "").trim();
      const key = comparable(phrase);
      if (key === "") continue;
      const known = anchors.get(key);
      if (known === undefined) anchors.set(key, { phrase, file });
      else if (known.file !== file) anchors.set(key, { phrase: known.phrase, file: "", isAmbiguous: true });
    }
  }
  return anchors;
}

/** A row of a conversation. */
export interface Row {
  role: string;
  text: string;
}

/** The prompts among the first rows that a person may have written: what the client or another session wraps has a `<`. */
export function firstPrompts(rows: readonly Row[]): string[] {
  return rows
    .slice(0, FIRST_ROWS)
    .filter(({ role, text }) => role === "user" && !text.includes("<"))
    .map(({ text }) => text);
}

/**
 * What a session began with. Of the phrases a prompt begins with, the longest decides; when that one is ambiguous, there
 * is no file. A phrase that is in no index is told without a file.
 *
 * @param prompts the first prompts, the first one first
 */
export function anchorOf(prompts: readonly string[], anchors: Anchors): Anchor {
  for (const prompt of prompts) {
    const start = comparable(prompt.slice(0, PROMPT_START));
    const key = [...anchors.keys()]
      .filter((phrase) => start.startsWith(phrase))
      .reduce((longest, phrase) => (phrase.length > longest.length ? phrase : longest), "");
    const anchor = anchors.get(key);
    if (anchor !== undefined) return anchor;
    const unlisted = UNLISTED.exec(prompt)?.[1];
    if (unlisted !== undefined) return { phrase: unlisted, file: "" };
  }
  return NO_ANCHOR;
}
