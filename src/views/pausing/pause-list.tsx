import { Action, ActionPanel, Alert, confirmAlert, Icon, List } from "@raycast/api";
import { LOOKS } from "../../session/looks";
import { requestText } from "../../session/request-text";
import type { Session } from "../../session/session";
import { cutText, printable } from "../../session/text";
import { askAndFollow } from "../asking";
import { FailedView } from "../empty-views";
import { RefreshAction } from "../session-actions";
import { sessionIcon } from "../state-icon";
import { useLiveSnapshot, useWatched } from "../use-live-snapshot";
import { shortTitle } from "../waking";
import { pausePlan, type PauseRow } from "./pause-plan";

const NOTE_LIMIT = 120;

const GROUPS: readonly (readonly [PauseRow["group"], string])[] = [
  ["asked", "Will Be Asked"],
  ["cold", "Not Woken"],
  ["left-out", "Not Asked"],
];

/** Whom a pause will reach, whom not and why, before it is done; its rows then show how far each came. */
export function PauseList({ kind }: { kind: "save" | "save-restart" }) {
  const { snapshot, error, isLoading, refresh } = useLiveSnapshot(useWatched());
  const rows = snapshot === undefined ? [] : pausePlan(snapshot.sessions, snapshot.at);
  const asked = rows.filter(({ group }) => group === "asked").map(({ session }) => session);
  return (
    <List isLoading={isLoading} searchBarPlaceholder="Search by title, project or ID">
      {snapshot === undefined && error !== undefined && <FailedView reason={error.message} onRefresh={refresh} />}
      {snapshot !== undefined && (
        <List.EmptyView
          icon={Icon.Pause}
          title={rows.length === 0 ? "No Open Session" : "No Matching Sessions"}
          description={
            rows.length === 0
              ? "There is nothing to pause. Sessions appear here as soon as an agent reports one."
              : "Change the search. All warm sessions are asked, whatever the search shows."
          }
        />
      )}
      {GROUPS.map(([group, title]) => {
        const own = rows.filter((row) => row.group === group);
        return own.length === 0 ? null : (
          <List.Section key={group} title={title} subtitle={String(own.length)}>
            {own.map((row) => (
              <PauseItem key={row.session.id} row={row} kind={kind} asked={asked} onRefresh={refresh} />
            ))}
          </List.Section>
        );
      })}
    </List>
  );
}

interface ItemProperties {
  row: PauseRow;
  kind: "save" | "save-restart";
  /** Everybody who will be asked. */
  asked: readonly Session[];
  onRefresh: () => Promise<void>;
}

function PauseItem({ row: { session, group, note }, kind, asked, onRefresh }: ItemProperties) {
  const { request } = session;
  const progress = request === undefined ? undefined : cutText(printable(requestText(request)), 60);
  const verb = kind === "save" ? "Pause" : "Pause and Restart";
  return (
    <List.Item
      icon={{ value: sessionIcon(session), tooltip: LOOKS[session.state].word }}
      title={printable(session.title)}
      subtitle={cutText(printable(note), NOTE_LIMIT)}
      keywords={[session.agent, session.sessionId, ...(session.project === undefined ? [] : [session.project])].map(
        printable,
      )}
      accessories={progress === undefined ? undefined : [{ text: progress, tooltip: `Request: ${progress}` }]}
      actions={
        <ActionPanel>
          {asked.length > 0 && (
            <Action
              title={asked.length === 1 ? `${verb} 1 Session` : `${verb} ${asked.length} Sessions`}
              icon={kind === "save" ? Icon.Pause : Icon.RotateClockwise}
              onAction={() => pauseAll(kind, asked, onRefresh)}
            />
          )}
          {group === "cold" && (
            <Action
              title={`Wake and ${verb} This Session`}
              icon={Icon.Snowflake}
              onAction={() => pauseCold(kind, session, note, onRefresh)}
            />
          )}
          <RefreshAction onRefresh={onRefresh} />
        </ActionPanel>
      }
    />
  );
}

/** Asks those that are shown, and nobody who came since; before a restart it asks the user, since contexts are cleared. */
async function pauseAll(
  kind: "save" | "save-restart",
  asked: readonly Session[],
  onRefresh: () => Promise<void>,
): Promise<void> {
  if (kind === "save-restart") {
    const titles = asked.slice(0, 10).map(shortTitle);
    const more = asked.length > titles.length ? ` and ${asked.length - titles.length} more` : "";
    const bare = asked.filter(({ plugin }) => plugin === undefined).length;
    const isConfirmed = await confirmAlert({
      title: asked.length === 1 ? "Save and Restart 1 Session?" : `Save and Restart ${asked.length} Sessions?`,
      message:
        `${titles.join(", ")}${more}. Each saves; once that is proven, its context is cleared and it starts fresh.` +
        (bare === 0 ? "" : ` ${bare} of them without the plugin: ${bare === 1 ? "it only saves" : "they only save"}.`),
      icon: Icon.RotateClockwise,
      primaryAction: { title: "Save and Restart", style: Alert.ActionStyle.Default },
    });
    if (!isConfirmed) return;
  }
  await askAndFollow({ kind, sessions: asked.map(({ id }) => id), includeCold: false }, { onRefresh });
}

/** Asks a cold session, which reads its whole context again: so the user is asked first. */
async function pauseCold(
  kind: "save" | "save-restart",
  session: Session,
  note: string,
  onRefresh: () => Promise<void>,
): Promise<void> {
  const isConfirmed = await confirmAlert({
    title: `Wake ${shortTitle(session)}?`,
    message: printable(`${note}.`),
    icon: Icon.Snowflake,
    primaryAction: { title: "Wake", style: Alert.ActionStyle.Default },
  });
  if (isConfirmed) await askAndFollow({ kind, sessions: [session.id], includeCold: true }, { onRefresh });
}
