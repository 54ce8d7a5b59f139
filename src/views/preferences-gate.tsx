import { Action, ActionPanel, Icon, List, openExtensionPreferences } from "@raycast/api";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { JudgedPreferences } from "./judged-preferences";
import { OPEN_PREFERENCES_TITLE } from "./open-preferences";
import type { PreferenceProblem } from "./preference-problems";
import { RefreshAction } from "./session-actions";
import { readSettings } from "./settings";
import { colorOf } from "./state-icon";

/** A view, unless a preference is wrong in such a way that it would show something else than the user means. */
export function PreferencesGate({ children }: { children: ReactNode }) {
  const [problems, setProblems] = useState(() => readSettings().problems);
  const recheck = useCallback(() => {
    const now = readSettings().problems;
    // What did not change renders nothing anew.
    setProblems((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
    return !now.some(stopsReading);
  }, []);
  const judged = useMemo(() => ({ problems, recheck }), [problems, recheck]);
  const stopping = problems.filter(stopsReading);
  return (
    <JudgedPreferences.Provider value={judged}>
      {stopping.length === 0 ? children : <WrongPreferences problems={stopping} />}
    </JudgedPreferences.Provider>
  );
}

function stopsReading({ stops }: PreferenceProblem): boolean {
  return stops === "reading";
}

/** What stands in a view's place: which preference is wrong, why, and the way to it. */
function WrongPreferences({ problems }: { problems: readonly PreferenceProblem[] }) {
  const [first] = problems;
  return (
    <List searchBarPlaceholder="Correct the preferences, then refresh">
      <List.EmptyView
        icon={{ source: Icon.ExclamationMark, tintColor: colorOf("doubt") }}
        title={`${first?.title ?? ""} Cannot Be Used`}
        description={problems.map(({ reason }) => reason).join(" ")}
        actions={
          <ActionPanel>
            <Action title={OPEN_PREFERENCES_TITLE} icon={Icon.Gear} onAction={openExtensionPreferences} />
            {/* The gate judges before it refreshes, and behind it nothing is open. */}
            <RefreshAction onRefresh={async () => undefined} />
          </ActionPanel>
        }
      />
    </List>
  );
}
