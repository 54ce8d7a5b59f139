import type { LaunchProps } from "@raycast/api";
import { PreferencesGate } from "./views/preferences-gate";
import { SessionList } from "./views/session-list";

/** Search Sessions: the list; another command may open it at a session. */
export default function SearchSessions({ launchContext }: LaunchProps<{ launchContext?: { id?: unknown } }>) {
  const id = launchContext?.id;
  return (
    <PreferencesGate>
      <SessionList {...(typeof id === "string" ? { selectedId: id } : {})} />
    </PreferencesGate>
  );
}
