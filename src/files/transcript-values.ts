import type { Seconds } from "../session/report";
import { cutText, oneLine, printable } from "../session/text";
import { isMoment, secondsOfIso } from "./timestamp";
import type { TranscriptLine, Values } from "./transcript-format";

/** The longest a title or a prompt becomes, in characters. */
export const SHOWN_LIMIT = 200;

/** Of longer texts only the beginning is looked at: it is more than is shown. */
const CONSIDERED = 8192;

/** A path that is longer is none. */
const PATH_LIMIT = 4096;

/** The JSON object in a text; undefined for anything else. */
export function objectIn(text: string): Values | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A value as a JSON object. */
export function asObject(value: unknown): Values | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as a list; none when it is something else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A value as a text. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A value as a count: a number that is not negative, and not more than can be counted. */
export function asCount(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** A moment written as a number of seconds. */
export function asSeconds(value: unknown): Seconds | undefined {
  return typeof value === "number" && isMoment(value) ? value : undefined;
}

/** A moment written in ISO 8601. */
export function asMoment(value: unknown): Seconds | undefined {
  return typeof value === "string" ? secondsOfIso(value) : undefined;
}

/** A text for people: one line of at most 200 characters, nothing in it that steers a terminal; blank is none. */
export function asShown(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = cutText(oneLine(printable(value.slice(0, CONSIDERED))), SHOWN_LIMIT);
  return line === "" ? undefined : line;
}

/** An absolute path; what is none, or cannot be one, is left out. */
export function asPath(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > PATH_LIMIT || value.includes("\0")) return undefined;
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value) ? value.toWellFormed() : undefined;
}

/** The texts of a message: itself, or its blocks' `text`. */
export function textsIn(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return asList(content).flatMap((block) => {
    const text = asText(asObject(block)?.text);
    return text === undefined ? [] : [text];
  });
}

/** A line that is at hand as text. */
export function lineOf(text: string): TranscriptLine {
  return { mentions: (pattern) => pattern.test(text), parsed: () => objectIn(text) };
}

/** Facts without the properties that are not known. */
export function withoutAbsent<T extends object>(facts: T): T {
  const kept = { ...facts };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}
