import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { basename } from "node:path";
import type { Problem } from "../files/problem";
import { cutText, printable } from "../session/text";
import { fenced } from "./plain-text";
import { RefreshAction } from "./session-actions";
import { colorOf } from "./state-icon";

const REASON_LIMIT = 120;

const OUTCOMES: Readonly<Record<Problem["outcome"], string>> = {
  refused: "The file is left out",
  repaired: "The rest of the file counts",
  unreadable: "The file cannot be read now; what it said before still shows",
};

/** A row for something that is wrong with a file: no session is missing without a word. */
export function ProblemItem({
  problem,
  isShowingDetail,
  onRefresh,
}: {
  problem: Problem;
  isShowingDetail: boolean;
  onRefresh: () => Promise<void>;
}) {
  const { file, field, reason, outcome } = problem;
  const said = printable(field === undefined ? reason : `${field} ${reason}`);
  return (
    <List.Item
      icon={{
        value: { source: Icon.ExclamationMark, tintColor: colorOf(outcome === "repaired" ? "calm" : "doubt") },
        tooltip: OUTCOMES[outcome],
      }}
      title={printable(basename(file))}
      subtitle={isShowingDetail ? undefined : { value: cutText(said, REASON_LIMIT), tooltip: said }}
      keywords={["problem", outcome]}
      detail={isShowingDetail ? <List.Item.Detail markdown={fenced(`${file}\n\n${said}`)} /> : undefined}
      actions={
        <ActionPanel>
          {file.isWellFormed() && <Action.ShowInFinder title="Show File" path={file} icon={Icon.Finder} />}
          <Action.CopyToClipboard title="Copy Problem" icon={Icon.Clipboard} content={`${printable(file)}: ${said}`} />
          <Action title="Open Extension Preferences" icon={Icon.Gear} onAction={openExtensionPreferences} />
          <RefreshAction onRefresh={onRefresh} />
        </ActionPanel>
      }
    />
  );
}
