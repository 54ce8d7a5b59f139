import type { LaunchProps } from "@raycast/api";
import { PauseList } from "./views/pausing/pause-list";
import { PreferencesGate } from "./views/preferences-gate";

/** Pause Sessions: shows whom that reaches, and asks them; its argument says whether they start fresh after it. */
export default function PauseSessions({ arguments: given }: LaunchProps<{ arguments: Arguments.PauseSessions }>) {
  // A launcher that asks for no arguments gives none.
  return (
    <PreferencesGate>
      <PauseList kind={given?.how === "save-restart" ? "save-restart" : "save"} />
    </PreferencesGate>
  );
}
