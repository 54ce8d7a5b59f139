import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { printable } from "../../session/text";
import { RefreshAction } from "../session-actions";
import { colorOf } from "../state-icon";

/** What the list says when nothing can be looked at; the reason ends with what can be done. */
export function AgentsFailedView({ reason, onRefresh }: { reason: string; onRefresh: () => Promise<void> }) {
  return (
    <List.EmptyView
      icon={{ source: Icon.ExclamationMark, tintColor: colorOf("doubt") }}
      title="Agents Cannot Be Read"
      description={`${printable(reason).replace(/\.$/, "")}. Then refresh.`}
      actions={
        <ActionPanel>
          <RefreshAction onRefresh={onRefresh} />
          <Action title="Open Extension Preferences" icon={Icon.Gear} onAction={openExtensionPreferences} />
        </ActionPanel>
      }
    />
  );
}

/** What the list says when a search leaves nothing. */
export function NoMatchingAgents() {
  return (
    <List.EmptyView icon={Icon.MagnifyingGlass} title="No Matching Agents" description="Search for another name." />
  );
}
