import { Action, ActionPanel, Icon, Keyboard } from "@raycast/api";
import { printable } from "../../session/text";
import { DetailAction, RefreshAction } from "../session-actions";
import { copyText, type EventRow } from "./event-row";
import { openSession } from "./open-session";

/** What the actions of a row act on beside its event. */
export interface EventSurroundings {
  isShowingDetail: boolean;
  onToggleDetail: () => void;
  onRefresh: () => Promise<void>;
  /** Shows only one session's events; absent where that is so already. */
  onChoose?: (session: string) => void;
}

/** The actions of an event. */
export function EventActions({ row, onChoose, ...surroundings }: { row: EventRow } & EventSurroundings) {
  const { entry, session } = row;
  return (
    <ActionPanel>
      <ActionPanel.Section>
        <DetailAction {...surroundings} />
        {session !== undefined && (
          <Action title="Show Session" icon={Icon.MagnifyingGlass} onAction={() => openSession(session)} />
        )}
        {session !== undefined && onChoose !== undefined && (
          <Action title="Show Only This Session" icon={Icon.Filter} onAction={() => onChoose(session)} />
        )}
      </ActionPanel.Section>
      <ActionPanel.Section title="Copy">
        <Action.CopyToClipboard
          title="Copy Event"
          icon={Icon.Clipboard}
          content={copyText(row)}
          shortcut={Keyboard.Shortcut.Common.Copy}
        />
        {entry.outcome === "event" && (
          <Action.CopyToClipboard
            title="Copy Session ID"
            icon={Icon.Clipboard}
            content={printable(entry.sessionId)}
            shortcut={Keyboard.Shortcut.Common.CopyName}
          />
        )}
      </ActionPanel.Section>
      <ActionPanel.Section>
        <RefreshAction onRefresh={surroundings.onRefresh} />
      </ActionPanel.Section>
    </ActionPanel>
  );
}
