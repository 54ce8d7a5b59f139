import { linesOf } from "./text-lines";

/** So many lines are remembered; more prove nothing more. */
const PROOF_LIMIT = 50;

/**
 * The lines that a session added to its file itself, after one more of its tools ran: what the tool brought in counts,
 * what it took out counts no more (the session reworked its own entry). Reading changes nothing. Lines without a letter
 * or a digit, such as a rule, prove nothing.
 *
 * @param proof the lines until now
 * @param before the file before the tool ran
 * @param after the file after it
 */
export function credited(proof: readonly string[], before: string, after: string): readonly string[] {
  const had = new Set(linesOf(before));
  const lines = linesOf(after);
  const has = new Set(lines);
  const added = lines.filter((line) => !had.has(line) && /[\p{L}\p{N}]/u.test(line));
  return [...new Set([...proof.filter((line) => has.has(line)), ...added])].slice(-PROOF_LIMIT);
}

/** Whether a save is proven: the session added lines, and all of them still stand in the file. */
export function isProven(proof: readonly string[], text: string): boolean {
  const has = new Set(linesOf(text));
  return proof.length > 0 && proof.every((line) => has.has(line));
}
