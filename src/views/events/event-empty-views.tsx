import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { printable } from "../../session/text";
import { openSetUp, SET_UP_TITLE } from "../open-set-up";
import { RefreshAction } from "../session-actions";
import { colorOf } from "../state-icon";

interface Refreshable {
  onRefresh: () => Promise<void>;
}

/** What an empty timeline says: that nothing came in yet, and the next step. */
export function NoEvents({ onRefresh }: Refreshable) {
  return (
    <List.EmptyView
      icon={Icon.Clock}
      title="No Events"
      description="They appear here as soon as an agent reports one. Set up your agents, and start a session."
      actions={
        <ActionPanel>
          <Action title={SET_UP_TITLE} icon={Icon.Plug} onAction={openSetUp} />
          <RefreshAction onRefresh={onRefresh} />
        </ActionPanel>
      }
    />
  );
}

/** What the timeline says when search or filter leave nothing. */
export function NoMatchingEvents() {
  return (
    <List.EmptyView
      icon={Icon.MagnifyingGlass}
      title="No Matching Events"
      description="Change the search, or the filter beside it. Of a session that only others report, no events are kept."
    />
  );
}

/** What the timeline says when nothing can be read. */
export function EventsFailedView({ reason, onRefresh }: { reason: string } & Refreshable) {
  return (
    <List.EmptyView
      icon={{ source: Icon.ExclamationMark, tintColor: colorOf("doubt") }}
      title="Events Cannot Be Read"
      description={`${printable(reason).replace(/\.$/, "")}. Correct it, then refresh.`}
      actions={
        <ActionPanel>
          <RefreshAction onRefresh={onRefresh} />
          <Action title="Open Extension Preferences" icon={Icon.Gear} onAction={openExtensionPreferences} />
        </ActionPanel>
      }
    />
  );
}
