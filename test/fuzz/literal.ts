/**
 * What stands literally in a value: its texts, and its numbers. The oracle for whatever a reader makes of a damaged file:
 * it may leave things out, and has to say so, but what it gives stands in the file.
 */
export interface Literal {
  texts: ReadonlySet<string>;
  numbers: ReadonlySet<number>;
}

/** Collects them, without recursion: a file may be nested deeper than any stack. */
export function literalsIn(...values: unknown[]): Literal {
  const texts = new Set<string>();
  const numbers = new Set<number>();
  const left = [...values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") texts.add(value);
    else if (typeof value === "number") numbers.add(value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, part] of Object.entries(value)) {
        if (!Array.isArray(value)) texts.add(key);
        left.push(part);
      }
    }
  }
  return { texts, numbers };
}

/** Whether a text is one of a set, whole, or cut with an ellipsis. */
export function standsIn(text: string, texts: ReadonlySet<string>): boolean {
  if (texts.has(text)) return true;
  for (const each of texts) {
    const whole = each.toWellFormed();
    if (whole === text) return true;
    if (text.endsWith("…") && whole.startsWith(text.slice(0, -1))) return true;
  }
  return false;
}

/** The value of a JSON text; undefined for none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** A member of a JSON object, whatever it is called; undefined where there is none. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(key);
}

/** Every text in a value that is not well-formed: half a character ends what takes it over as JSON. */
export function brokenTextsIn(value: unknown): string[] {
  return Array.from(literalsIn(value).texts).filter((text) => !text.isWellFormed());
}
