import { Action, ActionPanel, Icon, Keyboard } from "@raycast/api";
import { isAbsolute } from "node:path";
import { useState } from "react";
import type { GoingOffer } from "../cli/invoke-focus";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { carryOut } from "./carry-out";
import { ControlActions } from "./control-actions";
import { goToSession, resumeSession } from "./going";
import { useRecheck } from "./judged-preferences";
import { markAllRead, markRead, markUnread } from "./marking";
import { refreshMenuBar } from "./menu-refresh";
import { OfferActions } from "./offer-actions";
import { openEvents } from "./open-events";
import { printableLines } from "./plain-text";
import { resumeCommandOf } from "./resume-text";
import { SHORTCUTS } from "./shortcuts";

/** The detail pane beside a list. */
export interface DetailPane {
  isShowingDetail: boolean;
  onToggleDetail: () => void;
}

/** What the actions of a session act on beside it. */
export interface ActionSurroundings {
  hasUnread: boolean;
  onRefresh: () => Promise<void>;
}

/** What only a row of a list has. */
interface RowActions {
  pane: DetailPane;
  /** Opens the session's own page. */
  onOpen: () => void;
}

/** The actions of a session, the likeliest first: those of its row, or of its page. */
export function SessionActions({
  session,
  hasUnread,
  onRefresh,
  row,
}: { session: Session; row?: RowActions } & ActionSurroundings) {
  const mark = async (doing: string, work: () => Promise<string>, failed: string) => {
    if (!(await carryOut(doing, work, failed))) return;
    await onRefresh();
    await refreshMenuBar();
  };
  const [offers, setOffers] = useState<readonly GoingOffer[]>([]);
  const folder = folderOf(session);
  const hasEnded = session.state === "dormant";
  const resumeCommand = hasEnded ? resumeCommandOf(session) : undefined;
  return (
    <ActionPanel>
      <ActionPanel.Section>
        {!hasEnded && (
          <Action
            title="Go to Session"
            icon={Icon.ArrowRightCircle}
            onAction={async () => setOffers(await goToSession(session))}
          />
        )}
        {resumeCommand !== undefined && (
          <Action title="Resume Session" icon={Icon.Play} onAction={() => resumeSession(session)} />
        )}
        {row !== undefined && <DetailAction {...row.pane} />}
        {row !== undefined && (
          <Action title="Open Details" icon={Icon.Document} shortcut={SHORTCUTS.openDetails} onAction={row.onOpen} />
        )}
        {session.unread && (
          <Action
            title="Mark as Read"
            icon={Icon.CheckCircle}
            shortcut={SHORTCUTS.markRead}
            onAction={() => mark("Marking as Read…", () => markRead(session), "Could Not Mark as Read")}
          />
        )}
        {!session.unread && session.doneAt !== undefined && (
          <Action
            title="Mark as Unread"
            icon={Icon.Circle}
            shortcut={SHORTCUTS.markUnread}
            onAction={() => mark("Marking as Unread…", () => markUnread(session), "Could Not Mark as Unread")}
          />
        )}
        {folder !== undefined && (
          <Action.Open
            title="Open Folder"
            icon={Icon.Folder}
            target={folder}
            shortcut={Keyboard.Shortcut.Common.Open}
          />
        )}
        {session.sources.includes("events") && (
          <Action
            title="Show Events"
            icon={Icon.Clock}
            shortcut={SHORTCUTS.showEvents}
            onAction={() => openEvents(session.id)}
          />
        )}
      </ActionPanel.Section>
      {!hasEnded && <OfferActions offers={offers} />}
      <ControlActions session={session} onRefresh={onRefresh} />
      <ActionPanel.Section title="Copy">
        {session.message !== undefined && (
          <Action.CopyToClipboard
            title="Copy Message"
            icon={Icon.Clipboard}
            content={printableLines(session.message)}
            shortcut={Keyboard.Shortcut.Common.Copy}
          />
        )}
        <Action.CopyToClipboard
          title="Copy ID"
          icon={Icon.Clipboard}
          content={printable(session.sessionId)}
          shortcut={Keyboard.Shortcut.Common.CopyName}
        />
        {session.cwd !== undefined && (
          <Action.CopyToClipboard
            title="Copy Path"
            icon={Icon.Clipboard}
            content={printable(session.cwd)}
            shortcut={Keyboard.Shortcut.Common.CopyPath}
          />
        )}
        {resumeCommand !== undefined && (
          <Action.CopyToClipboard
            title="Copy Resume Command"
            icon={Icon.Terminal}
            content={printable(resumeCommand)}
            shortcut={SHORTCUTS.copyResumeCommand}
          />
        )}
      </ActionPanel.Section>
      <ActionPanel.Section>
        {hasUnread && (
          <Action
            title="Mark All as Read"
            icon={Icon.Check}
            onAction={() => mark("Marking All as Read…", markAllRead, "Could Not Mark All as Read")}
          />
        )}
        <RefreshAction onRefresh={onRefresh} />
      </ActionPanel.Section>
    </ActionPanel>
  );
}

/** The session's folder if it can be opened: a path, never an address or a program's name, which would be started. */
function folderOf({ cwd }: Session): string | undefined {
  return cwd !== undefined && isAbsolute(cwd) && printable(cwd) === cwd ? cwd : undefined;
}

/** Shows or hides the detail pane. */
export function DetailAction({ isShowingDetail, onToggleDetail }: DetailPane) {
  return (
    <Action title={isShowingDetail ? "Hide Details" : "Show Details"} icon={Icon.Sidebar} onAction={onToggleDetail} />
  );
}

/** Looks at every source again. */
export function RefreshAction({ onRefresh }: { onRefresh: () => Promise<void> }) {
  const recheck = useRecheck();
  return (
    <Action
      title="Refresh"
      icon={Icon.ArrowClockwise}
      shortcut={Keyboard.Shortcut.Common.Refresh}
      onAction={async () => {
        if (recheck()) await onRefresh();
      }}
    />
  );
}
