/** The words of what was typed, in small letters. */
export function wordsOf(typed: string): string[] {
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Whether a row is about each of these words: it stands in the row's title or in one of its keywords. */
export function isAbout(words: readonly string[], title: string, keywords: readonly string[]): boolean {
  const text = [title, ...keywords].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
