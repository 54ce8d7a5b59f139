import { AgentList } from "./views/agents/agent-list";
import { PreferencesGate } from "./views/preferences-gate";

/** Set Up Agents. */
export default function SetUpAgents() {
  return (
    <PreferencesGate>
      <AgentList />
    </PreferencesGate>
  );
}
