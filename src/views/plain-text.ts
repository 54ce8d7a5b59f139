import { printable } from "../session/text";

/** A text of several lines that cannot steer what shows it: as `printable`, but its line breaks stay. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join("\n");
}

/**
 * A text as it is: in a code block whose fence is longer than any in the text, so that nothing in it is a link or a
 * picture, which the launcher would fetch.
 */
export function fenced(text: string): string {
  const longest = Array.from(text.matchAll(/`+/g)).reduce((length, [run]) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${printableLines(text)}\n${fence}`;
}
