import type { LaunchProps } from "@raycast/api";
import { EventList } from "./views/events/event-list";
import { PreferencesGate } from "./views/preferences-gate";

/** Session Events: the timeline; another command may open it at a session. */
export default function SessionEvents({ launchContext }: LaunchProps<{ launchContext?: { id?: unknown } }>) {
  const id = launchContext?.id;
  return (
    <PreferencesGate>
      <EventList {...(typeof id === "string" ? { sessionId: id } : {})} />
    </PreferencesGate>
  );
}
