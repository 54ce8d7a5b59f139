import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { BOM, faultAt, lineEndOf, type SettingsFault, type TextEdit } from "./settings-edit";

export type JsonNode = Node;

/** What we write into a settings file. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined };

/** A settings file in JSON as people write it: with comments, trailing commas, a byte order mark, or nothing at all. */
export interface JsonSettings {
  text: string;
  /** The outermost object; undefined while the file holds none. */
  root: JsonNode | undefined;
}

export type ReadJson = { outcome: "settings"; settings: JsonSettings } | { outcome: "broken"; fault: SettingsFault };

/** Reads settings in JSON. Never throws. */
export function readJsonSettings(text: string): ReadJson {
  const errors: ParseError[] = [];
  // A space in the mark's place keeps every offset.
  const parsed = text.startsWith(BOM) ? ` ${text.slice(1)}` : text;
  let root: JsonNode | undefined;
  try {
    root = parseTree(parsed, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { outcome: "broken", fault: faultAt(text, 0, "is nested too deeply") };
  }
  const [first] = errors;
  if (first !== undefined) return { outcome: "broken", fault: faultAt(text, first.offset, wordsOf(first)) };
  if (root !== undefined && root.type !== "object") {
    return { outcome: "broken", fault: faultAt(text, root.offset, "object expected") };
  }
  return { outcome: "settings", settings: { text, root } };
}

/** `PropertyNameExpected` as words. */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

/** The value at a path of keys, undefined when there is none. */
export function nodeAt({ root }: JsonSettings, path: readonly (string | number)[]): JsonNode | undefined {
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

/** What a node says, as data. */
export function valueOf(node: JsonNode | undefined): unknown {
  // The library's objects have no prototype, ours have one: a comparison would tell them apart.
  const value: unknown = node === undefined ? undefined : JSON.parse(JSON.stringify(getNodeValue(node)));
  return value;
}

/** An object's members: key, value, and the property as a whole. */
export function membersOf(node: JsonNode): { key: string; value: JsonNode; property: JsonNode }[] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    const name: unknown = key?.value;
    return typeof name === "string" && value !== undefined ? [{ key: name, value, property }] : [];
  });
}

/** An array's elements. */
export function elementsOf(node: JsonNode): readonly JsonNode[] {
  return node.type === "array" ? (node.children ?? []) : [];
}

/** A key that an object has twice: which of them counts is the reader's choice, so nobody may edit either. */
export function doubledKey(node: JsonNode): JsonNode | undefined {
  const seen = new Set<string>();
  for (const { key, property } of membersOf(node)) {
    if (seen.has(key)) return property;
    seen.add(key);
  }
  return undefined;
}

/** A member to add at the end of an object, or an element (no key) at the end of an array. */
export interface Addition {
  key?: string;
  value: JsonValue;
}

/** The edits that add members at the end of a container, in the file's own formatting. */
export function additionEdits(
  { text, root }: JsonSettings,
  container: JsonNode,
  members: readonly Addition[],
): TextEdit[] {
  if (members.length === 0) return [];
  const style = styleOf(text, root);
  const close = container.offset + container.length - 1;
  const children = container.children ?? [];
  const first = children[0];
  const last = children.at(-1);
  if (first === undefined || last === undefined) {
    if (style.isCompact) {
      return [{ offset: container.offset + 1, length: 0, text: members.map((each) => rendered(each)).join(",") }];
    }
    const at = endOfComments(text, container.offset + 1, close);
    const own = indentOf(text, container.offset);
    const block = members.map((each) => style.eol + rendered(each, { ...style, indent: own + style.unit })).join(",");
    const breaks = /[\r\n]/.test(text.slice(at, close));
    return [{ offset: at, length: 0, text: breaks ? block : block + style.eol + own }];
  }

  const comma = commaAfter(text, last);
  const end = last.offset + last.length;
  const tail = comma === undefined ? end : comma + 1;
  if (!/[\r\n]/.test(text.slice(container.offset, first.offset))) {
    const gap = style.isCompact ? "" : " ";
    const list = members.map((each) => rendered(each)).join(`,${gap}`);
    return [{ offset: tail, length: 0, text: comma === undefined ? `,${gap}${list}` : `${gap}${list},` }];
  }
  const indent = indentOf(text, first.offset);
  const block = members.map((each) => style.eol + rendered(each, { ...style, indent })).join(",");
  // A comment that ends the last member's line stays with it.
  const at = endOfLineComments(text, tail);
  if (comma !== undefined) return [{ offset: at, length: 0, text: `${block},` }];
  return [
    { offset: end, length: 0, text: "," },
    { offset: at, length: 0, text: block },
  ];
}

/** The edits that give a file without any object one. */
export function rootEdits({ text }: JsonSettings, value: JsonValue): TextEdit[] {
  const eol = lineEndOf(text);
  const body = JSON.stringify(value, null, 2).replaceAll("\n", eol) + eol;
  const isOpen = text !== "" && text !== BOM && !/[\r\n]$/.test(text);
  return [{ offset: text.length, length: 0, text: isOpen ? eol + body : body }];
}

/**
 * The edits that remove members of objects (properties) and elements of arrays. Comments stay. A container left with
 * nothing but white space is closed up.
 */
export function removalEdits(text: string, removed: readonly JsonNode[]): TextEdit[] {
  const parents = new Map<JsonNode, Set<JsonNode>>();
  for (const node of removed) {
    const { parent } = node;
    if (parent === undefined) throw new RangeError("the outermost value cannot be removed");
    parents.set(parent, (parents.get(parent) ?? new Set()).add(node));
  }
  return Array.from(parents, ([parent, gone]) => removalFrom(text, parent, gone)).flat();
}

function removalFrom(text: string, parent: JsonNode, gone: ReadonlySet<JsonNode>): TextEdit[] {
  const children = parent.children ?? [];
  const edits: TextEdit[] = [];
  const remove = (from: number, to: number) => {
    if (to > from) edits.push({ offset: from, length: to - from, text: "" });
  };
  let from = parent.offset + 1;
  let keeps = false;
  let lastKept: JsonNode | undefined;
  for (const child of children) {
    const comma = commaAfter(text, child);
    const end = child.offset + child.length;
    if (gone.has(child)) {
      const { at, isLine } = lastComment(text, from, child.offset);
      const joins = comma !== undefined && /^[ \t\r\n]*$/.test(text.slice(end, comma));
      let to = joins ? comma + 1 : end;
      let start = at;
      const next = /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
      // A line comment must not swallow what comes after.
      if (isLine && !/^[\r\n]/.test(text.slice(to + next)))
        start += /^(\r\n|\r|\n)/.exec(text.slice(at))?.[0].length ?? 0;
      if (!keeps && joins && !/[\r\n]/.test(text.slice(start, child.offset))) to += next;
      remove(start, to);
      if (comma !== undefined && !joins) remove(comma, comma + 1);
    } else {
      keeps = true;
      lastKept = child;
    }
    from = comma === undefined ? end : comma + 1;
  }
  const last = children.at(-1);
  if (lastKept === undefined) return closedUp(text, parent, edits);
  if (last !== undefined && last !== lastKept && commaAfter(text, last) === undefined) {
    const comma = commaAfter(text, lastKept);
    if (comma !== undefined) remove(comma, comma + 1);
  }
  return edits;
}

/** An emptied container keeps its comments; without any it keeps nothing. */
function closedUp(text: string, parent: JsonNode, edits: TextEdit[]): TextEdit[] {
  const offset = parent.offset + 1;
  const length = parent.length - 2;
  let left = text.slice(offset, offset + length);
  for (const edit of edits.toReversed()) {
    left = left.slice(0, edit.offset - offset) + left.slice(edit.offset - offset + edit.length);
  }
  return left.trim() === "" ? [{ offset, length, text: "" }] : edits;
}

interface Style {
  unit: string;
  eol: string;
  /** All on one line. */
  isCompact: boolean;
}

function styleOf(text: string, root: JsonNode | undefined): Style {
  const first = root?.children?.[0];
  const eol = lineEndOf(text);
  if (root === undefined || first === undefined) return { unit: "  ", eol, isCompact: false };
  const isCompact = !/[\r\n]/.test(text.slice(root.offset, root.offset + root.length));
  const isBroken = /[\r\n]/.test(text.slice(root.offset, first.offset));
  const unit = isBroken ? indentOf(text, first.offset).slice(indentOf(text, root.offset).length) : "";
  return { unit: unit === "" ? "  " : unit, eol, isCompact };
}

/** The white space that the line of an offset begins with. */
function indentOf(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !/[\r\n\uFEFF]/.test(text.charAt(start - 1))) start -= 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function rendered({ key, value }: Addition, style?: Style & { indent: string }): string {
  const json = style === undefined ? JSON.stringify(value) : JSON.stringify(value, null, style.unit);
  const lines = style === undefined ? json : json.replaceAll("\n", style.eol + style.indent);
  const name = key === undefined ? "" : `${JSON.stringify(key)}:${style === undefined ? "" : " "}`;
  return `${style?.indent ?? ""}${name}${lines}`;
}

/** A stretch between two values that says nothing: white space, a line's end, a comment. */
interface Trivia {
  kind: "space" | "line-end" | "line-comment" | "block-comment";
  end: number;
}

function triviaAt(text: string, offset: number): Trivia | undefined {
  switch (text.charAt(offset)) {
    case " ":
    case "\t":
      return { kind: "space", end: offset + 1 };
    case "\r":
    case "\n":
      return { kind: "line-end", end: offset + 1 };
    case "/": {
      if (text.charAt(offset + 1) === "/") {
        let end = offset + 2;
        while (end < text.length && !/[\r\n]/.test(text.charAt(end))) end += 1;
        return { kind: "line-comment", end };
      }
      const close = text.indexOf("*/", offset + 2);
      return { kind: "block-comment", end: close < 0 ? text.length : close + 2 };
    }
    default:
      return undefined;
  }
}

/** Where the comma after a node is, which comments may come before. */
function commaAfter(text: string, node: JsonNode): number | undefined {
  let at = node.offset + node.length;
  for (let trivia = triviaAt(text, at); trivia !== undefined; trivia = triviaAt(text, at)) at = trivia.end;
  return text.charAt(at) === "," ? at : undefined;
}

/** The end of the last comment from an offset on, and whether it goes to its line's end; the offset when there is none. */
function lastComment(text: string, from: number, to: number): { at: number; isLine: boolean } {
  let found = { at: from, isLine: false };
  let at = from;
  for (let trivia = triviaAt(text, at); trivia !== undefined && at < to; trivia = triviaAt(text, at)) {
    at = trivia.end;
    if (trivia.kind === "line-comment") found = { at, isLine: true };
    if (trivia.kind === "block-comment") found = { at, isLine: false };
  }
  return found;
}

function endOfComments(text: string, from: number, to: number): number {
  return lastComment(text, from, to).at;
}

/** The end of the comments that stand on the rest of a line. */
function endOfLineComments(text: string, from: number): number {
  let end = from;
  let at = from;
  for (let trivia = triviaAt(text, at); trivia !== undefined; trivia = triviaAt(text, at)) {
    if (trivia.kind === "line-end") break;
    at = trivia.end;
    if (trivia.kind !== "space") end = at;
  }
  return end;
}
