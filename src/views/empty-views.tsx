import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { describeProblem } from "../files/problem";
import type { Snapshot } from "../observe/snapshot";
import { printable } from "../session/text";
import { RefreshAction } from "./session-actions";
import { colorOf } from "./state-icon";

/** What an empty list says: why it is empty and the next step. */
export function EmptyView({ snapshot, onRefresh }: { snapshot: Snapshot; onRefresh: () => void }) {
  const [problem] = snapshot.problems;
  if (snapshot.sessions.length > 0) {
    return (
      <List.EmptyView
        icon={Icon.MagnifyingGlass}
        title="No Matching Sessions"
        description="Change the search or the filter beside it."
      />
    );
  }
  if (problem !== undefined) return <FailedView reason={describeProblem(problem)} onRefresh={onRefresh} />;
  const reports = snapshot.found.statusDirectory || snapshot.found.signalStateFile;
  return (
    <List.EmptyView
      icon="state-idle.png"
      title={reports ? "No Sessions" : "No Agent Reports Here Yet"}
      description={
        reports
          ? "Sessions appear here as soon as an agent reports one."
          : "Let an agent write status files, or name their folder in the preferences."
      }
      actions={<HelpActions onRefresh={onRefresh} />}
    />
  );
}

/** What the list says when nothing can be read. */
export function FailedView({ reason, onRefresh }: { reason: string; onRefresh: () => void }) {
  return (
    <List.EmptyView
      icon={{ source: Icon.ExclamationMark, tintColor: colorOf("doubt") }}
      title="Sessions Cannot Be Read"
      description={`${printable(reason)}. Correct it, or name another folder in the preferences.`}
      actions={<HelpActions onRefresh={onRefresh} />}
    />
  );
}

function HelpActions({ onRefresh }: { onRefresh: () => void }) {
  return (
    <ActionPanel>
      <Action title="Open Extension Preferences" icon={Icon.Gear} onAction={openExtensionPreferences} />
      <RefreshAction onRefresh={onRefresh} />
    </ActionPanel>
  );
}
