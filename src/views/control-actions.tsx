import { Action, ActionPanel, Icon, Keyboard, showToast, Toast, useNavigation } from "@raycast/api";
import { dialogRefusal, isBusy } from "../control/at-prompt";
import { killRefusal } from "../control/kill-process";
import { isOver } from "../session/request-progress";
import type { Session } from "../session/session";
import type { Following } from "./asking";
import { cancelRestart, killProcess, pauseSession, restartSession, stopSession } from "./asking-confirmed";
import { MessageForm } from "./message-form";
import { SHORTCUTS } from "./shortcuts";

/** What can be asked of a session that is open; nothing of one that has ended, or that nobody sits at. */
export function ControlActions({ session, onRefresh }: { session: Session } & Following) {
  const { push } = useNavigation();
  if (session.state === "dormant" || session.headless === true) return null;
  const following = { onRefresh };
  return (
    <ActionPanel.Section title="Session">
      <Action
        title="Send Message…"
        icon={Icon.Message}
        shortcut={Keyboard.Shortcut.Common.New}
        onAction={async () => {
          const refusal = dialogRefusal(session);
          if (refusal === undefined) push(<MessageForm session={session} onRefresh={onRefresh} />);
          else await refuseMessage(refusal);
        }}
      />
      <Action
        title="Pause"
        icon={Icon.Pause}
        shortcut={SHORTCUTS.pause}
        onAction={() => pauseSession(session, following)}
      />
      <Action
        title="Pause and Restart"
        icon={Icon.RotateClockwise}
        shortcut={SHORTCUTS.pauseAndRestart}
        onAction={() => restartSession(session, following)}
      />
      {hasArmedRestart(session) && (
        <Action
          title="Cancel Restart"
          icon={Icon.Undo}
          shortcut={SHORTCUTS.cancelRestart}
          onAction={() => cancelRestart(session, following)}
        />
      )}
      {isBusy(session) && (
        <Action
          title="Stop"
          icon={Icon.Stop}
          shortcut={Keyboard.Shortcut.Common.Remove}
          onAction={() => stopSession(session, following)}
        />
      )}
      {killRefusal(session) === undefined && (
        <Action
          title="End Process"
          icon={Icon.XMarkCircle}
          style={Action.Style.Destructive}
          shortcut={Keyboard.Shortcut.Common.RemoveAll}
          onAction={() => killProcess(session, following)}
        />
      )}
    </ActionPanel.Section>
  );
}

/** Whether a restart was asked for and is not over. */
function hasArmedRestart({ request }: Session): boolean {
  if (request === undefined || isOver(request)) return false;
  return request.kind === "save-restart" || request.kind === "save-auto";
}

/** A message would answer the dialog: so it is not even written. */
async function refuseMessage(reason: string): Promise<void> {
  const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  await showToast({ style: Toast.Style.Failure, title: "Cannot Send a Message Now", message });
}
