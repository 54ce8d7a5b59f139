import { Action, ActionPanel, Icon, List } from "@raycast/api";
import { openSetUp, SET_UP_TITLE } from "./open-set-up";
import { RefreshAction } from "./session-actions";

/** A row that says what set-up would add, while no agent reports. */
export function SetUpItem({ onRefresh }: { onRefresh: () => Promise<void> }) {
  return (
    <List.Item
      icon={Icon.Plug}
      title="Set Up Agents to See More"
      subtitle="What each session wants, unread answers, subagents and background commands"
      actions={
        <ActionPanel>
          <Action title={SET_UP_TITLE} icon={Icon.Plug} onAction={openSetUp} />
          <RefreshAction onRefresh={onRefresh} />
        </ActionPanel>
      }
    />
  );
}
