import type { AgentFinding, Diagnosis, SettingsFinding } from "../observe/doctor";
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

function agentText({ title, program, version, settings, lastEventAt, notes, next }: AgentFinding, now: number): string {
  const mark = next === undefined ? "ok" : "to do";
  const lines = [
    `${title}: ${mark}`,
    `  program   ${program === undefined ? "not on the PATH" : printable([program, version].filter(Boolean).join(", "))}`,
    ...settings.map((file) => `  settings  ${settingsText(file)}`),
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
