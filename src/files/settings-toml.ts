import { parse, TomlError } from "smol-toml";
import { BOM, type SettingsFault } from "./settings-edit";

export type ReadToml =
  { outcome: "settings"; values: Readonly<Record<string, unknown>> } | { outcome: "broken"; fault: SettingsFault };

/** Reads settings in TOML. Never throws. */
export function readTomlSettings(text: string): ReadToml {
  try {
    return { outcome: "settings", values: parse(text.startsWith(BOM) ? text.slice(1) : text) };
  } catch (error) {
    if (error instanceof TomlError) {
      const [, reason = "cannot be read"] = /^Invalid TOML document: ([^\n]*)/.exec(error.message) ?? [];
      return { outcome: "broken", fault: { reason, line: error.line, column: error.column } };
    }
    if (!(error instanceof RangeError)) throw error;
    return { outcome: "broken", fault: { reason: "is nested too deeply", line: 1, column: 1 } };
  }
}

/** A text as a TOML string. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
