/** One change of a text: `length` characters at `offset` become `text`. */
export interface TextEdit {
  offset: number;
  length: number;
  text: string;
}

/** Where and why a settings file cannot be used; lines and columns count from 1. */
export interface SettingsFault {
  reason: string;
  line: number;
  column: number;
}

/** A byte order mark: some Windows editors put one before a text. */
export const BOM = "\uFEFF";

/** A text with edits made, which do not overlap. Edits at one place are made in the order they are given. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { offset, length, text: inserted } of inOrder(edits)) {
    if (offset < done || offset + length > text.length) throw new RangeError(`edit at ${offset} does not fit`);
    parts.push(text.slice(done, offset), inserted);
    done = offset + length;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** The edits that make the text before of the text after, to the character. */
export function inverseOf(before: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return inOrder(edits).map(({ offset, length, text }) => {
    const inverse = { offset: offset + shift, length: text.length, text: before.slice(offset, offset + length) };
    shift += text.length - length;
    return inverse;
  });
}

function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return edits.toSorted((one, other) => one.offset - other.offset);
}

/** A fault at an offset of a text. */
export function faultAt(text: string, offset: number, reason: string): SettingsFault {
  const before = text.slice(text.startsWith(BOM) ? 1 : 0, Math.max(offset, 0)).split(/\r\n|\r|\n/);
  return { reason, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** How the lines of a text end: as the first one does. */
export function lineEndOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? "\n";
}
