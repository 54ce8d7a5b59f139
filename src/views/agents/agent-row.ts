import { existsSync } from "node:fs";
import { diagnose, isSetUp, type AgentFinding, type SettingsFinding } from "../../observe/doctor";
import { folding } from "../../observe/folding-module";
import { agentsOf } from "../../observe/set-up";
import { hasWaitingEvents } from "../../observe/waiting-events";
import { SessionsError } from "../../session/failure";
import { settingsToRead } from "../settings";
import { gainsFromSetUp, stateOf, type AgentState } from "./agent-state";
import { launcherPlace } from "./set-up-place";

/** What a row says of an agent. It is kept between two openings of the command, and holds nothing of files' texts. */
export interface AgentRow extends AgentFinding {
  settings: (SettingsFinding & { exists: boolean })[];
  state: AgentState;
  canSetUp: boolean;
  canRemove: boolean;
}

/**
 * Looks at every agent that can be set up. Programs are looked for but not started, so that it is done at once.
 *
 * @throws SessionsError when the recorder that is shipped, or a folder of the user's, cannot be read
 */
export async function lookAtAgents(): Promise<AgentRow[]> {
  const place = launcherPlace();
  foldWaiting();
  const { agents, recorder } = await diagnose(place, async () => undefined);
  const found = new Map(agents.map((finding) => [finding.agent, finding]));
  return agentsOf(place).map((hooks): AgentRow => {
    const { agent, title, targets } = hooks;
    const finding = found.get(agent);
    if (finding === undefined) {
      const settings = targets.map(({ path }) => withPresence({ path, state: "missing" }));
      const next = "Install it, or start it once. It can be set up before that, too.";
      // An agent that is gone may have left a set-up behind.
      const canRemove = isSetUp(place, hooks);
      return { agent, title, settings, notes: [], next, state: "not-found", canSetUp: !canRemove, canRemove };
    }
    const canSetUp = gainsFromSetUp(finding, recorder.state);
    return {
      ...finding,
      settings: finding.settings.map(withPresence),
      state: stateOf(finding),
      canSetUp,
      canRemove: finding.settings.some(({ state }) => state === "set-up" || state === "outdated"),
    };
  });
}

/** Asks the agents' programs for their versions; those that do not tell are left out. */
export async function askVersions(): Promise<Record<string, string>> {
  const { agents } = await diagnose(launcherPlace());
  return Object.fromEntries(agents.flatMap(({ agent, version }) => (version === undefined ? [] : [[agent, version]])));
}

function withPresence(finding: SettingsFinding): SettingsFinding & { exists: boolean } {
  return { ...finding, exists: existsSync(finding.path) };
}

/** Takes in what agents have reported, so that a first event shows. */
function foldWaiting(): void {
  const { places } = settingsToRead();
  try {
    if (hasWaitingEvents(places.home)) folding().foldEvents(places, process.env, Date.now);
  } catch (error) {
    // What waits stays, and the list of sessions says why it does.
    if (!(error instanceof SessionsError)) throw error;
  }
}
