import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { OPEN_PREFERENCES_TITLE } from "./open-preferences";
import { fenced } from "./plain-text";
import type { PreferenceProblem } from "./preference-problems";
import { reasonLine } from "./reason-line";
import { RefreshAction } from "./session-actions";
import { colorOf } from "./state-icon";

const EFFECTS: Readonly<Record<PreferenceProblem["stops"], string>> = {
  reading: "Nothing is shown until it is corrected",
  acting: "Sessions show, but no action is carried out until it is corrected",
  nothing: "Everything else works",
};

/** A row for a preference that is wrong, in a list that shows what it can all the same. */
export function PreferenceItem({
  problem: { title, reason, stops },
  isShowingDetail,
  onRefresh,
}: {
  problem: PreferenceProblem;
  isShowingDetail: boolean;
  onRefresh: () => Promise<void>;
}) {
  return (
    <List.Item
      icon={{ value: { source: Icon.Gear, tintColor: colorOf("doubt") }, tooltip: EFFECTS[stops] }}
      title={title}
      subtitle={isShowingDetail ? undefined : reasonLine(reason)}
      keywords={["problem", "preference"]}
      detail={
        isShowingDetail ? (
          <List.Item.Detail markdown={fenced([reason, "", `${EFFECTS[stops]}.`].join("\n"))} />
        ) : undefined
      }
      actions={
        <ActionPanel>
          <Action title={OPEN_PREFERENCES_TITLE} icon={Icon.Gear} onAction={openExtensionPreferences} />
          <RefreshAction onRefresh={onRefresh} />
        </ActionPanel>
      }
    />
  );
}
