import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { applyEdits, inverseOf, lineEndOf, type TextEdit } from "../../files/settings-edit";
import { readYamlSettings, type YamlSettings } from "../../files/settings-yaml";
import { isOurCommand, recorderCommand, type Recorder } from "../recorder-command";
import type { HooksOf, KeyPath, Refusal, SettingsTarget } from "../settings-target";

const SWITCH = "notifications";
const COMMAND = "notifications-command";

const UNSAFE: Refusal = { outcome: "refused", reason: "cannot be edited without changing something else in it" };

/** aider runs one command when an answer is there, named in its configuration file (its options reference). */
export const aiderHooks: HooksOf = ({ user }) => ({
  agent: "aider",
  title: "aider",
  programs: ["aider"],
  folders: [join(user, ".aider.conf.yml"), join(user, ".aider")],
  targets: [aiderTarget(join(user, ".aider.conf.yml"))],
});

function aiderTarget(path: string): SettingsTarget {
  return {
    path,
    adds: "the notifications command",
    setUp: (before, recorder, known) => {
      const whole = before ?? "";
      const read = readYamlSettings(whole);
      if (read.outcome === "broken") return { outcome: "refused", reason: read.fault.reason, fault: read.fault };
      const wanted = commandFor(recorder);
      const { [SWITCH]: isOn, [COMMAND]: command } = read.settings.values;
      if (isOn === true && command === wanted) return { outcome: "already" };
      const isOurs = isOurCall(command);
      if (command !== undefined && !isOurs) {
        return { outcome: "kept", reason: `"${COMMAND}" calls another program already, and aider calls one only` };
      }
      if (isOn !== undefined && !(isOurs && isOn === true)) {
        // Our command would take the place of aider's own notification, or turn on what the user turned off.
        return { outcome: "kept", reason: `"${SWITCH}" is set already, and our command would change what it does` };
      }
      const base = isOurs ? withoutOurs(read.settings, known) : whole;
      const clean = readYamlSettings(base);
      if (clean.outcome === "broken") return UNSAFE;
      const edits = addition(clean.settings, wanted);
      const text = applyEdits(base, edits);
      if (!says(text, { ...clean.settings.values, [SWITCH]: true, [COMMAND]: wanted })) return UNSAFE;
      const created = [...(before === undefined ? [[]] : []), [SWITCH], [COMMAND]];
      return { outcome: "change", text, created, undo: inverseOf(base, edits) };
    },
    remove: (before, created) => {
      const read = readYamlSettings(before);
      if (read.outcome === "broken") return { outcome: "refused", reason: read.fault.reason, fault: read.fault };
      const { [SWITCH]: isOn, [COMMAND]: command, ...others } = read.settings.values;
      if (!isOurCall(command)) return { outcome: "absent" };
      const text = withoutOurs(read.settings, created);
      const keepsSwitch = isOn !== undefined && !isOurSwitch(isOn, created);
      if (!says(text, keepsSwitch ? { ...others, [SWITCH]: isOn } : others)) return UNSAFE;
      const isOurFile = created?.some((each) => each.length === 0) === true;
      return { outcome: "change", text: isOurFile && text.trim() === "" ? undefined : text };
    },
    holdsOurs: (text) => {
      const read = readYamlSettings(text);
      return read.outcome === "settings" && isOurCall(read.settings.values[COMMAND]);
    },
  };
}

/**
 * aider leaves its own input to the command, and gives it nothing to read. The empty payload has the recorder leave that
 * input alone; cmd, which runs it on Windows, knows the other quotes only.
 */
function commandFor(recorder: Recorder): string {
  return `${recorderCommand(recorder, "aider", "done")} ${recorder.platform === "win32" ? '""' : "''"}`;
}

/** Whether a command is ours, also as it was before it had a payload. */
function isOurCall(command: unknown): boolean {
  return typeof command === "string" && isOurCommand(command.replace(/ (?:''|"")\s*$/, ""), "aider");
}

/** Two lines after the last member, where its comment ends. */
function addition({ text, members }: YamlSettings, command: string): TextEdit[] {
  const eol = lineEndOf(text);
  const first = members[0];
  const last = members.at(-1);
  let at = last?.end ?? text.length;
  if (last !== undefined && text.charAt(at - 1) !== "\n") {
    const line = text.indexOf("\n", at);
    at = line < 0 ? text.length : line + 1;
  }
  const start = first === undefined ? 0 : text.lastIndexOf("\n", first.start - 1) + 1;
  const indent = first === undefined ? "" : (/^[ ]*/.exec(text.slice(start, first.start))?.[0] ?? "");
  const lines = [`${SWITCH}: true`, `${COMMAND}: ${JSON.stringify(command)}`];
  const block = lines.map((line) => indent + line + eol).join("");
  const isOpen = at > 0 && !/[\n\uFEFF]/.test(text.charAt(at - 1));
  return [{ offset: at, length: 0, text: isOpen ? eol + block : block }];
}

function isOurSwitch(isOn: unknown, created: readonly KeyPath[] | undefined): boolean {
  return isOn === true && (created === undefined || created.some(([key]) => key === SWITCH));
}

/** The text without our lines. */
function withoutOurs({ text, members }: YamlSettings, created: readonly KeyPath[] | undefined): string {
  const edits = members.flatMap(({ key, value, start, end }): TextEdit[] => {
    const isOurs = key === COMMAND ? isOurCall(value) : key === SWITCH && isOurSwitch(value, created);
    if (!isOurs) return [];
    const from = text.lastIndexOf("\n", start - 1) + 1;
    const line = text.indexOf("\n", Math.max(end - 1, start));
    const begin = text.startsWith("\uFEFF") && from === 0 ? 1 : from;
    return [{ offset: begin, length: (line < 0 ? text.length : line + 1) - begin, text: "" }];
  });
  return applyEdits(text, edits);
}

function says(text: string, values: Readonly<Record<string, unknown>>): boolean {
  const read = readYamlSettings(text);
  return read.outcome === "settings" && isDeepStrictEqual(read.settings.values, values);
}
