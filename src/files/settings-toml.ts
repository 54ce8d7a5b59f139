import { parse, TomlError } from "smol-toml";
import { isDeeper } from "./nesting";
import { BOM, type SettingsFault } from "./settings-edit";

export type ReadToml =
  { outcome: "settings"; values: Readonly<Record<string, unknown>> } | { outcome: "broken"; fault: SettingsFault };

/** No settings are nested deeper: a dotted key can be as deep as a file is long, and what compares them goes down as far. */
const DEPTH = 500;

/** Reads settings in TOML. Never throws. */
export function readTomlSettings(text: string): ReadToml {
  try {
    const values = parse(text.startsWith(BOM) ? text.slice(1) : text);
    return isDeeper(values, DEPTH) ? TOO_DEEP : { outcome: "settings", values };
  } catch (error) {
    if (error instanceof TomlError) {
      const [, reason = "cannot be read"] = /^Invalid TOML document: ([^\n]*)/.exec(error.message) ?? [];
      return { outcome: "broken", fault: { reason, line: error.line, column: error.column } };
    }
    if (!(error instanceof RangeError)) throw error;
    return TOO_DEEP;
  }
}

const TOO_DEEP: ReadToml = { outcome: "broken", fault: { reason: "is nested too deeply", line: 1, column: 1 } };

/** A text as a TOML string. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
