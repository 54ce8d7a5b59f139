/** What steers a terminal, or turns the direction of what comes after: everything but the line break that ends a line. */
// eslint-disable-next-line no-control-regex
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

/** The first thing in a text that steers what shows it; undefined for a calm one. */
export function calmFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "half a character";
  const found = STEERING.exec(text)?.[0];
  return found === undefined
    ? undefined
    : `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
