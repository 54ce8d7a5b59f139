import { SessionsError } from "../session/failure";
import { hasControls } from "./identifiers";

/** A word that a POSIX shell takes as it stands. A bare `=` would make the first word an assignment, a `~` a home. */
const PLAIN = /^(?:--[a-z-]+=)?[A-Za-z0-9/._@%+:,-]+$/;

/**
 * A word for a POSIX shell (`sh`, `bash`, `zsh`) and for fish. Within single quotes a POSIX shell takes all but the
 * quote as it is (POSIX, Shell Command Language, 2.2.2), and fish all but quote and backslash (its language page,
 * "Quotes"); so these two stand outside, where a backslash means the same to both.
 *
 * @throws SessionsError `refused` for control characters: pasted, a line break would run what came before it
 */
export function posixWord(word: string): string {
  refuseControls(word);
  if (PLAIN.test(word)) return word;
  return word === ""
    ? "''"
    : word.replace(/[^'\\]+|['\\]/g, (part) => (/['\\]/.test(part) ? `\\${part}` : `'${part}'`));
}

/**
 * A word for PowerShell: within single quotes only the quotes count, and the typographic ones are quotes too
 * (about_Quoting_Rules; the language's grammar, single-quote-character).
 *
 * @throws SessionsError `refused` as `posixWord`
 */
export function powershellWord(word: string): string {
  refuseControls(word);
  return /^[A-Za-z0-9/._\\:-]+$/.test(word) && !word.startsWith("-") ? word : powershellQuoted(word);
}

/** A text as a literal of PowerShell. */
export function powershellQuoted(text: string): string {
  refuseControls(text);
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}

/** An argument list as one line for a POSIX shell. */
export function commandLine(argv: readonly string[]): string {
  return argv.map(posixWord).join(" ");
}

function refuseControls(text: string): void {
  if (!hasControls(text) && text.isWellFormed()) return;
  throw new SessionsError(
    "refused",
    "A name in the command has control characters, so it cannot be given to a shell.",
    "Rename the folder.",
  );
}
