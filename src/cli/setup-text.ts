import { diffOf } from "../observe/settings-diff";
import type { AppliedFile, PlannedFile, SetUpPlan } from "../observe/set-up";
import { printable } from "../session/text";

/** What a set-up would do: for each agent a line a file, then the exact difference. */
export function planText({ files, removes, recorder }: SetUpPlan): string {
  const lines = files.map((file) => `${file.agent.title}: ${summaryOf(file, removes)}`);
  const notes = notesOf(files);
  const installs = recorder === undefined ? [] : [`The recorder will be installed as ${printable(recorder)}`];
  const diffs = files.flatMap((file) => (file.outcome === "change" ? [diffOf(file)] : []));
  return `${[...lines, ...installs, ...notes].join("\n")}\n${diffs.map((diff) => `\n${diff}`).join("")}`;
}

function summaryOf(file: PlannedFile, removes: boolean): string {
  const path = printable(file.target.path);
  switch (file.outcome) {
    case "change":
      if (removes) return file.after === undefined ? `${path} will be removed` : `our part of ${path} will be removed`;
      return file.file.text === undefined
        ? `${path} will be made, with ${file.target.adds}`
        : `${path} gets ${file.target.adds}`;
    case "already":
      return `already set up in ${path}`;
    case "absent":
      return `nothing of ours in ${path}`;
    case "kept":
      return `${path} stays as it is: ${file.reason}`;
    case "refused":
      return `${path} cannot be changed`;
    default:
      return file satisfies never;
  }
}

/** What keeps hooks from running, once an agent. */
function notesOf(files: readonly PlannedFile[]): string[] {
  const notes = files.flatMap(({ agent, obstacle }) =>
    obstacle === undefined ? [] : [`Note: ${agent.title}: ${printable(obstacle)}`],
  );
  return Array.from(new Set(notes));
}

/** What was done. */
export function appliedText(applied: readonly AppliedFile[], removes: boolean): string {
  const lines = applied.flatMap((each) => {
    if (each.outcome !== "written") return [];
    const { agent, target, after } = each.planned;
    const backup = each.backup === undefined ? "" : ` (before: ${each.backup})`;
    const done = !removes ? "Set up" : after === undefined ? "Removed" : "Removed from";
    return [printable(`${done}: ${agent.title}, ${target.path}${backup}`)];
  });
  const afterwards = removes
    ? []
    : applied.flatMap(({ outcome, planned: { agent } }) =>
        outcome === "written" && agent.afterwards !== undefined ? [`${agent.title}: ${agent.afterwards}`] : [],
      );
  return [...lines, ...new Set(afterwards)].map((line) => `${line}\n`).join("");
}
