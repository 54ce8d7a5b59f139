/** So many lines of a draft are taken back. */
export const DRAFT_LINES = 32;

/**
 * The keys that empty an agent's input, as a terminal takes them: C-e, C-u for each line, Backspace. One C-u takes back
 * one line only; and what is typed into a shell mode would be run, which Claude leaves with the last letter, and Codex
 * with one Backspace more (tried with 2.1.332 and 0.171.0).
 */
export const CLEARING = `\x05${"\x15".repeat(DRAFT_LINES)}\x7f`;
