import { isMap, isScalar, parseAllDocuments, type YAMLMap } from "yaml";
import { reasonOf } from "../session/failure";
import { BOM, faultAt, type SettingsFault } from "./settings-edit";

/** A member of the outermost mapping, with where it stands. */
export interface YamlMember {
  key: string;
  value: unknown;
  /** From the key's first character to the end of its value. */
  start: number;
  end: number;
}

/** A settings file in YAML: one document, a mapping written as a block, or nothing at all. */
export interface YamlSettings {
  text: string;
  values: Readonly<Record<string, unknown>>;
  members: readonly YamlMember[];
  /** Where another member can be added: after the last line of the mapping. */
  end: number;
}

export type ReadYaml = { outcome: "settings"; settings: YamlSettings } | { outcome: "broken"; fault: SettingsFault };

/** No settings are nested deeper, in braces and brackets, and no line begins further in. */
const DEPTH = 100;
const INDENT = 400;

/** Reads settings in YAML. Never throws. */
export function readYamlSettings(text: string): ReadYaml {
  const deep = tooDeepAt(text);
  if (deep !== undefined) return { outcome: "broken", fault: faultAt(text, deep, "is nested too deeply") };
  try {
    return readDocuments(text);
  } catch (error) {
    // The library's own: an alias without its anchor, aliases that multiply beyond measure.
    return { outcome: "broken", fault: { reason: firstLine(reasonOf(error)), line: 1, column: 1 } };
  }
}

/**
 * Where a text is nested deeper than the library can go: it calls itself for each level, and at the end of the stack a
 * pattern that has to be compiled there ends the whole process, which nobody can catch.
 */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  let indent = 0;
  let isIndent = true;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === "\n") {
      isIndent = true;
      indent = 0;
      continue;
    }
    // Each of these can begin another level.
    isIndent &&= letter === " " || letter === "-" || letter === "?" || letter === "\t";
    if (isIndent) indent += 1;
    if (letter === "[" || letter === "{") depth += 1;
    if (letter === "]" || letter === "}") depth = Math.max(0, depth - 1);
    if (depth > DEPTH || indent > INDENT) return at;
  }
  return undefined;
}

function readDocuments(text: string): ReadYaml {
  const broken = (offset: number, reason: string): ReadYaml => {
    return { outcome: "broken", fault: faultAt(text, offset, reason) };
  };
  // A space would indent the first line: a mark goes, and every offset is one more then.
  const skipped = text.startsWith(BOM) ? 1 : 0;
  const documents = parseAllDocuments(text.slice(skipped), {
    prettyErrors: false,
    // The library compares each key with every other one; ours below looks at each once.
    uniqueKeys: false,
    // What is odd in the file is no business of whoever runs the command.
    logLevel: "error",
  });
  if (!Array.isArray(documents)) return empty(text);
  const [document, second] = documents;
  if (document === undefined) return empty(text);
  for (const { errors } of documents) {
    const [error] = errors;
    if (error !== undefined) return broken(error.pos[0] + skipped, firstLine(error.message));
  }
  if (second !== undefined) return broken((second.range?.[0] ?? 0) + skipped, "holds more than one document");
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return empty(text);
  if (!isMap(contents)) return broken((contents.range?.[0] ?? 0) + skipped, "is no mapping");
  if (contents.flow === true)
    return broken((contents.range?.[0] ?? 0) + skipped, "is written in braces, on which no line can be added");
  const members = membersOf(contents, skipped);
  const seen = new Set<string>();
  for (const { key, start } of members) {
    if (seen.has(key)) return broken(start, "the same key stands here twice");
    seen.add(key);
  }
  const values: unknown = document.toJS({ maxAliasCount: 100 });
  if (typeof values !== "object" || values === null) return broken(0, "is no mapping");
  return {
    outcome: "settings",
    settings: {
      text,
      values: { ...values },
      members,
      end: (contents.range?.[2] ?? text.length - skipped) + skipped,
    },
  };
}

function empty(text: string): ReadYaml {
  return { outcome: "settings", settings: { text, values: {}, members: [], end: text.length } };
}

function membersOf(map: YAMLMap, skipped: number): YamlMember[] {
  return map.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || typeof key.value !== "string") return [];
    const end = isNode(value) ? value.range?.[1] : undefined;
    const said: unknown = isScalar(value) ? value.value : undefined;
    const start = key.range?.[0];
    if (start === undefined) return [];
    return [{ key: key.value, value: said, start: start + skipped, end: (end ?? key.range?.[1] ?? start) + skipped }];
  });
}

function isNode(value: unknown): value is { range?: [number, number, number] | null } {
  return typeof value === "object" && value !== null && "range" in value;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
