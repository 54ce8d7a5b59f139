import { diffOf } from "../../observe/settings-diff";
import type { AppliedFile, PlannedFile, SetUpPlan } from "../../observe/set-up";
import { reasonOf } from "../../session/failure";
import { fenced } from "../plain-text";
import { changedFiles } from "./change-plan";

/** A tab would be shown as a single space. */
const TAB = "    ";

/** The exact differences of a plan's files, as they can be given to `patch`. */
export function diffText(plan: SetUpPlan): string {
  return changedFiles(plan).map(diffOf).join("\n");
}

/** What a plan would do, in markdown: a line a file, then the exact difference of each. */
export function planMarkdown(plan: SetUpPlan): string {
  const { files, removes, recorder } = plan;
  const lines = files.map((file) => `${file.target.path}: ${summaryOf(file, removes)}`);
  const notes = Array.from(new Set(files.flatMap(({ obstacle }) => (obstacle === undefined ? [] : [obstacle]))));
  return [
    "**What Would Change**",
    fenced([...lines, ...(recorder === undefined ? [] : [`${recorder}: the recorder is installed`])].join("\n")),
    ...(notes.length === 0 || removes ? [] : ["**What Keeps Hooks From Running**", fenced(notes.join("\n"))]),
    ...changedFiles(plan).map((file) => diffBlock(diffOf(file))),
  ].join("\n\n");
}

/** A difference in a code block, in a difference's colors. */
function diffBlock(diff: string): string {
  const [fence = "", ...rest] = fenced(diff.replaceAll("\t", TAB).trimEnd()).split("\n");
  return [`${fence}diff`, ...rest].join("\n");
}

function summaryOf(file: PlannedFile, removes: boolean): string {
  switch (file.outcome) {
    case "change":
      if (removes) return file.after === undefined ? "is removed" : "our part is removed";
      return file.file.text === undefined ? `is made, with ${file.target.adds}` : `gets ${file.target.adds}`;
    case "already":
      return "is set up already";
    case "absent":
      return "holds nothing of ours";
    case "kept":
      return `stays as it is: ${file.reason}`;
    case "refused":
      return `cannot be changed. ${reasonOf(file.error)}`;
    default:
      return file satisfies never;
  }
}

/** What was done, in markdown: a line a file with where it is kept as it was, then what is left to the user. */
export function resultMarkdown(written: readonly (AppliedFile & { outcome: "written" })[], removes: boolean): string {
  const lines = written.map(({ planned: { target }, backup }) =>
    [`${target.path}: done`, ...(backup === undefined ? [] : [`  as it was before: ${backup}`])].join("\n"),
  );
  const steps = removes ? [] : written.flatMap(({ planned: { agent } }) => agent.afterwards ?? []);
  return [
    "**What Was Done**",
    fenced(lines.length === 0 ? "The recorder is installed." : lines.join("\n")),
    ...(steps.length === 0 ? [] : ["**Next Step**", fenced(Array.from(new Set(steps)).join("\n"))]),
  ].join("\n\n");
}
