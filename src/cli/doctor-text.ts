import type { AgentFinding, Diagnosis, PluginsFinding, SettingsFinding } from "../observe/doctor";
import type { PluginFinding } from "../observe/plugin-set-up";
import { printable } from "../session/text";
import type { RecorderState } from "../store/installed-recorder";

/** A diagnosis for people: an agent a paragraph, what to do last. */
export function diagnosisText({ recorder, agents }: Diagnosis, nowSeconds: number): string {
  const head = `Recorder: ${recorderText(recorder.state)} (${printable(recorder.path)})`;
  if (agents.length === 0) return `${head}\nNo agent was found on this machine.\n`;
  return `${head}\n${agents.map((agent) => `\n${agentText(agent, nowSeconds)}`).join("")}`;
}

function recorderText(state: RecorderState): string {
  switch (state) {
    case "current":
      return "installed";
    case "outdated":
      return "installed by another version";
    case "not-executable":
      return "not executable";
    case "missing":
      return "not installed";
    case "refused":
      return "not a file of yours";
    default:
      return state satisfies never;
  }
}

function agentText(finding: AgentFinding, now: number): string {
  const { title, program, version, settings, plugin, lastEventAt, notes, next } = finding;
  const mark = next === undefined ? "ok" : "to do";
  const lines = [
    `${title}: ${mark}`,
    `  program   ${program === undefined ? "not on the PATH" : printable([program, version].filter(Boolean).join(", "))}`,
    ...settings.map((file) => `  settings  ${settingsText(file)}`),
    ...(plugin === undefined ? [] : pluginLines(plugin)),
    `  events    ${lastEventAt === undefined ? "none yet" : `the last one ${agoText(now - lastEventAt)} ago`}`,
    ...notes.map((note) => `  note      ${printable(note)}`),
    ...(next === undefined ? [] : [`  next      ${printable(next)}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function settingsText({ path, state, reason }: SettingsFinding): string {
  const file = printable(path);
  switch (state) {
    case "set-up":
      return `${file}: set up`;
    case "outdated":
      return `${file}: set up, but not as this version does it`;
    case "missing":
      return `${file}: not set up`;
    case "kept":
      return `${file}: somebody else's (${reason ?? "in use"})`;
    case "refused":
      return `${file}: cannot be changed`;
    default:
      return state satisfies never;
  }
}

function pluginLines({ folders, version, sessions }: PluginsFinding): string[] {
  const isThere = folders.some(({ state }) => state !== "missing" && state !== "refused");
  const counted =
    isThere && sessions !== undefined && sessions.running > 0
      ? [`  plugin    in ${sessions.having} of ${sessions.running} running sessions`]
      : [];
  return [...folders.map((each) => `  plugin    ${pluginText(each, version)}`), ...counted];
}

function pluginText({ folder, state, version, reason, isOff }: PluginFinding, ours: string): string {
  const path = printable(folder);
  const there = printable(version ?? "unknown version");
  const off = isOff === true ? ", turned off in Claude Code" : "";
  switch (state) {
    case "installed":
      return `${path}: ${there}${off}`;
    case "outdated":
      return `${path}: ${there}, but not as ${printable(ours)} is${off}`;
    case "newer":
      return `${path}: ${there}, newer than ours (${printable(ours)})${off}`;
    case "missing":
      return `${path}: not installed`;
    case "refused":
      return `${path}: not ours; it ${printable(reason ?? "is refused")}`;
    default:
      return state satisfies never;
  }
}

function agoText(seconds: number): string {
  const units: [number, string][] = [
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
  ];
  const [size, unit] = units.find(([each]) => seconds >= each) ?? [1, "second"];
  const count = Math.max(0, Math.floor(seconds / size));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
