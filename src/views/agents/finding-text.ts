import type { SettingsFinding } from "../../observe/doctor";
import type { AgentRow } from "./agent-row";

/** What is found in a settings file. */
export function findingText({ state, reason }: SettingsFinding): string {
  switch (state) {
    case "set-up":
      return "set up";
    case "outdated":
      return "set up, but not as this version does it";
    case "missing":
      return "not set up";
    case "kept":
      return `somebody else's: ${reason ?? "in use"}`;
    case "refused":
      return `cannot be changed: ${reason ?? "it is refused"}`;
    default:
      return state satisfies never;
  }
}

/** What to do next; where a set-up helps, that it can be done here. */
export function nextText({ state, canSetUp, settings, next, notes }: AgentRow): string | undefined {
  const isRefused = settings.some((each) => each.state === "refused");
  if (canSetUp && !isRefused && state !== "not-found") {
    return "Choose Set Up: it shows what would change before anything is written.";
  }
  return next ?? notes[0];
}
