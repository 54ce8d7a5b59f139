import { Action, ActionPanel, Icon, List } from "@raycast/api";
import { basename } from "node:path";
import type { Problem } from "../files/problem";
import { printable } from "../session/text";
import { RefreshAction } from "./session-actions";
import { colorOf } from "./state-icon";

/** A row for something that is wrong with a file: no session is missing without a word. */
export function ProblemItem({ problem, onRefresh }: { problem: Problem; onRefresh: () => void }) {
  const { file, field, reason, outcome } = problem;
  const said = printable(field === undefined ? reason : `${field} ${reason}`);
  return (
    <List.Item
      icon={{ source: Icon.ExclamationMark, tintColor: colorOf(outcome === "repaired" ? "calm" : "doubt") }}
      title={printable(basename(file))}
      subtitle={said}
      keywords={["problem", outcome]}
      actions={
        <ActionPanel>
          <Action.ShowInFinder title="Show File" path={file} icon={Icon.Finder} />
          <Action.CopyToClipboard title="Copy Problem" icon={Icon.Clipboard} content={`${printable(file)}: ${said}`} />
          <RefreshAction onRefresh={onRefresh} />
        </ActionPanel>
      }
    />
  );
}
