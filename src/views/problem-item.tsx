import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { basename, isAbsolute } from "node:path";
import type { Problem } from "../files/problem";
import { printable } from "../session/text";
import { fenced } from "./plain-text";
import { reasonLine } from "./reason-line";
import { RefreshAction } from "./session-actions";
import { colorOf } from "./state-icon";

const OUTCOMES: Readonly<Record<Problem["outcome"], string>> = {
  refused: "The file is left out",
  repaired: "The rest of the file counts",
  unreadable: "The file cannot be read now; what it said before still shows",
};

/** What is wrong with one file. */
export interface FileProblems {
  file: string;
  problems: Problem[];
}

/** The problems of each file together, in the order of the files. */
export function problemsByFile(problems: readonly Problem[]): FileProblems[] {
  const byFile = new Map<string, Problem[]>();
  for (const problem of problems) byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
  return Array.from(byFile, ([file, own]) => ({ file, problems: own }));
}

/** A row for a file that something is wrong with: no session is missing without a word. */
export function ProblemItem({
  file,
  problems,
  isShowingDetail,
  onRefresh,
}: FileProblems & { isShowingDetail: boolean; onRefresh: () => Promise<void> }) {
  const said = problems.map(({ field, reason }) => printable(field === undefined ? reason : `${field} ${reason}`));
  const outcome = problems.find((each) => each.outcome !== "repaired")?.outcome ?? "repaired";
  return (
    <List.Item
      icon={{
        value: { source: Icon.ExclamationMark, tintColor: colorOf(outcome === "repaired" ? "calm" : "doubt") },
        tooltip: OUTCOMES[outcome],
      }}
      title={printable(basename(file))}
      subtitle={isShowingDetail ? undefined : reasonLine(said.join("; "))}
      keywords={["problem", outcome]}
      detail={isShowingDetail ? <List.Item.Detail markdown={fenced([file, "", ...said].join("\n"))} /> : undefined}
      actions={
        <ActionPanel>
          {isAbsolute(file) && printable(file) === file && (
            <Action.ShowInFinder title="Show File" path={file} icon={Icon.Finder} />
          )}
          <Action.CopyToClipboard
            title="Copy Problem"
            icon={Icon.Clipboard}
            content={`${printable(file)}: ${said.join("; ")}`}
          />
          <Action title="Open Extension Preferences" icon={Icon.Gear} onAction={openExtensionPreferences} />
          <RefreshAction onRefresh={onRefresh} />
        </ActionPanel>
      }
    />
  );
}
