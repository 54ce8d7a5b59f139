import { isDeepStrictEqual } from "node:util";
import { applyEdits, BOM, inverseOf, lineEndOf, type TextEdit } from "../../files/settings-edit";
import { readTomlSettings, tomlString } from "../../files/settings-toml";
import { isOurArguments, recorderArguments } from "../recorder-command";
import type { Refusal, SettingsTarget } from "../settings-target";

const UNSAFE: Refusal = { outcome: "refused", reason: "cannot be edited without changing something else in it" };

/**
 * Codex's `notify`: one program, a key above every table (configuration reference). The line goes in as text, since a
 * TOML writer loses comments; what the file says before and after is compared before anybody writes it.
 */
export function codexNotifyTarget(path: string): SettingsTarget {
  return {
    path,
    adds: "the notify program",
    setUp: (before, recorder) => {
      const whole = before ?? "";
      const read = readTomlSettings(whole);
      if (read.outcome === "broken") return { outcome: "refused", reason: read.fault.reason, fault: read.fault };
      const wanted = recorderArguments(recorder, "codex", "notify");
      const { notify } = read.values;
      if (isDeepStrictEqual(notify, wanted)) return { outcome: "already" };
      if (notify !== undefined && !isOurArguments(notify, "codex")) {
        return { outcome: "kept", reason: `"notify" calls another program already, and Codex calls one only` };
      }
      const base = notify === undefined ? whole : withoutLine(whole);
      if (base === undefined) return UNSAFE;
      const eol = lineEndOf(base);
      const line = `notify = [${wanted.map(tomlString).join(", ")}]${eol}`;
      const edits: TextEdit[] = [{ offset: topOf(base), length: 0, text: line }];
      const text = applyEdits(base, edits);
      if (!saysBesides(text, read.values, wanted)) return UNSAFE;
      const created = [...(before === undefined ? [[]] : []), ["notify"]];
      return { outcome: "change", text, created, undo: inverseOf(base, edits) };
    },
    remove: (text, created) => {
      const read = readTomlSettings(text);
      if (read.outcome === "broken") return { outcome: "refused", reason: read.fault.reason, fault: read.fault };
      if (!isOurArguments(read.values.notify, "codex")) return { outcome: "absent" };
      const left = withoutLine(text);
      if (left === undefined || !saysBesides(left, read.values, undefined)) return UNSAFE;
      const isOurFile = created?.some((each) => each.length === 0) === true;
      return { outcome: "change", text: isOurFile && left.trim() === "" ? undefined : left };
    },
    holdsOurs: (text) => {
      const read = readTomlSettings(text);
      return read.outcome === "settings" && isOurArguments(read.values.notify, "codex");
    },
  };
}

/** Above everything, but for a mark and for the comment that names a schema, which has to be the first line. */
function topOf(text: string): number {
  const [top = ""] = /^\uFEFF?(?:#:schema[^\n]*\n)?/.exec(text) ?? [];
  return Math.max(top.length, text.startsWith(BOM) ? 1 : 0);
}

/** The text without our one line; undefined when it is written otherwise. */
function withoutLine(text: string): string | undefined {
  const found = /^notify[ \t]*=[ \t]*\[[^\]\r\n]*\][ \t]*(?:\r\n|\n|$)/m.exec(text.replace(BOM, "\n"));
  if (found === null) return undefined;
  return text.slice(0, found.index) + text.slice(found.index + found[0].length);
}

/** Whether a text says what it said before, with `notify` as it is wanted. */
function saysBesides(text: string, before: Readonly<Record<string, unknown>>, notify: unknown): boolean {
  const read = readTomlSettings(text);
  if (read.outcome === "broken") return false;
  const { notify: said } = read.values;
  const besides = (values: Readonly<Record<string, unknown>>) => ({ ...values, notify: undefined });
  return isDeepStrictEqual(said, notify) && isDeepStrictEqual(besides(read.values), besides(before));
}
