import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { describeProblem } from "../files/problem";
import type { Snapshot } from "../observe/snapshot";
import { printable } from "../session/text";
import { openSetUp, SET_UP_TITLE } from "./open-set-up";
import { RefreshAction } from "./session-actions";
import { colorOf, stateIcon } from "./state-icon";

/** What an empty list says: why it is empty and the next step. */
export function EmptyView({ snapshot, onRefresh }: { snapshot: Snapshot; onRefresh: () => Promise<void> }) {
  const { sessions, problems, found } = snapshot;
  const [problem] = problems;
  if (sessions.length > 0) {
    return (
      <List.EmptyView
        icon={Icon.MagnifyingGlass}
        title="No Matching Sessions"
        description="Change the search, or the filter beside it."
      />
    );
  }
  if (problem !== undefined) return <FailedView reason={describeProblem(problem)} onRefresh={onRefresh} />;
  const reports = Object.values(found).some((isThere) => isThere);
  return (
    <List.EmptyView
      icon={stateIcon("idle")}
      title={reports ? "No Sessions" : "No Agent Reports Here"}
      description={
        reports
          ? "Sessions appear here as soon as an agent reports one."
          : "Set up your agents, and start a session. Or name a status directory in the preferences."
      }
      actions={<HelpActions canSetUp={!reports} onRefresh={onRefresh} />}
    />
  );
}

/** What the list says when nothing can be read. */
export function FailedView({ reason, onRefresh }: { reason: string; onRefresh: () => Promise<void> }) {
  return (
    <List.EmptyView
      icon={{ source: Icon.ExclamationMark, tintColor: colorOf("doubt") }}
      title="Sessions Cannot Be Read"
      description={`${printable(reason).replace(/\.$/, "")}. Correct it, or name another folder in the preferences.`}
      actions={<HelpActions onRefresh={onRefresh} />}
    />
  );
}

/** What helps where nothing can be read, or nothing is there. */
export function HelpActions({ canSetUp, onRefresh }: { canSetUp?: boolean; onRefresh: () => Promise<void> }) {
  return (
    <ActionPanel>
      {canSetUp === true && <Action title={SET_UP_TITLE} icon={Icon.Plug} onAction={openSetUp} />}
      <Action title="Open Extension Preferences" icon={Icon.Gear} onAction={openExtensionPreferences} />
      <RefreshAction onRefresh={onRefresh} />
    </ActionPanel>
  );
}
