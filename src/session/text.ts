/**
 * The first `limit` code points of a text, never half a character: a lone surrogate would end a launcher's view,
 * and limits of the status file count characters. An ellipsis marks what was cut and counts towards the limit.
 */
export function cutText(text: string, limit: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= limit) return whole;
  const points = Array.from(whole.slice(0, (limit + 1) * 2));
  return points.length <= limit ? whole : `${points.slice(0, limit - 1).join("")}…`;
}

/** How many characters (code points) a text has; the unit of the status file's limits. */
export function textLength(text: string): number {
  let length = 0;
  for (const point of text) length += point === "" ? 0 : 1;
  return length;
}

/** A text on one line: white space runs, line breaks among them, become one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

// C0 and C1 controls, and the marks that turn the direction of the text after them (U+202A–E, U+2066–9, LRM, RLM, ALM).
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g;

/** A text that cannot steer what shows it: control characters and direction marks appear as a visible replacement. */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, (mark) => (/\s/.test(mark) ? " " : "�"));
}

// Of what is not printable, all that JSON itself leaves as it is.
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g;

/**
 * A value as JSON that cannot steer what shows it: what is not printable stands as an escape, so that whoever reads it
 * gets the same value. Half a character, which ends some readers, becomes a visible replacement.
 */
export function printableJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent);
  // Only those that have no other half are written as escapes.
  const whole = /\\ud[89a-f]/.test(json) ? JSON.stringify(value, wellFormed, indent) : json;
  return whole.replace(UNESCAPED, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
