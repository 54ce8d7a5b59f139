import { Icon } from "@raycast/api";
import type { AgentFinding } from "../../observe/doctor";
import type { Tone } from "../../session/looks";
import type { RecorderState } from "../../store/installed-recorder";

/** How an agent stands, in a word. */
export type AgentState = "attention" | "reporting" | "silent" | "not-set-up" | "not-found";

/** How a state looks. */
export const AGENT_LOOKS: Readonly<Record<AgentState, { word: string; icon: Icon; tone: Tone }>> = {
  attention: { word: "Needs Attention", icon: Icon.ExclamationMark, tone: "doubt" },
  reporting: { word: "Reporting", icon: Icon.CheckCircle, tone: "answer" },
  silent: { word: "Set Up, No Event Yet", icon: Icon.Clock, tone: "active" },
  "not-set-up": { word: "Not Set Up", icon: Icon.PlusCircle, tone: "calm" },
  "not-found": { word: "Not Found", icon: Icon.MinusCircle, tone: "calm" },
};

/** The sections of the list, in their order, with the states in each. */
export const AGENT_SECTIONS: readonly { title: string; states: readonly AgentState[] }[] = [
  { title: "Needs Attention", states: ["attention"] },
  { title: "Reporting", states: ["reporting", "silent"] },
  { title: "Not Set Up", states: ["not-set-up"] },
  { title: "Not Found", states: ["not-found"] },
];

/** The state of an agent that is found on this machine. */
export function stateOf({ settings, next, lastEventAt }: AgentFinding): AgentState {
  const isUntouched = settings.every(({ state }) => state === "missing" || state === "kept");
  if (isUntouched && settings.some(({ state }) => state === "missing")) return "not-set-up";
  if (next !== undefined) return "attention";
  return lastEventAt === undefined ? "silent" : "reporting";
}

/** Whether a set-up would do something for an agent: a file that is refused or somebody else's stays as it is. */
export function gainsFromSetUp({ settings }: Pick<AgentFinding, "settings">, recorder: RecorderState): boolean {
  if (settings.some(({ state }) => state === "missing" || state === "outdated")) return true;
  const isBroken = recorder !== "current" && recorder !== "refused";
  return isBroken && settings.some(({ state }) => state === "set-up");
}
