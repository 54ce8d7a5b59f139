import { isAtLeast } from "../../agents/claude/plugin";
import type { PluginFinding } from "../../observe/plugin-set-up";
import type { AgentRow } from "./agent-row";

/** What can be done with the plugin of a row's agent: the title that installs or updates it, and whether it can go. */
export function pluginOffer({ plugin, state }: AgentRow): { title?: string; canRemove: boolean } {
  const states = plugin?.folders.map((each) => each.state) ?? [];
  const canRemove = states.some((each) => each !== "missing" && each !== "refused");
  if (state === "not-found") return { canRemove };
  if (states.includes("outdated")) return { title: "Update Claude Plugin…", canRemove };
  return states.includes("missing") ? { title: "Install Claude Plugin…", canRemove } : { canRemove };
}

/** How the plugin stands in a word, the worst of its folders first; undefined for an agent without one. */
export function pluginWord({ plugin, version }: AgentRow): string | undefined {
  if (plugin === undefined) return undefined;
  const { folders, needs } = plugin;
  const there = folders.filter(({ state }) => state !== "missing" && state !== "refused");
  if (version !== undefined && isAtLeast(version, needs) === false) return `Needs Claude Code ${needs}`;
  if (there.some(({ state }) => state === "outdated")) return "Update Available";
  if (folders.some(({ state }) => state === "refused")) return "Cannot Be Installed";
  if (there.length === 0) return "Not Installed";
  if (there.every(({ isOff }) => isOff === true)) return "Turned Off in Claude Code";
  return there.length === folders.length ? "Installed" : `Installed in ${there.length} of ${folders.length} Folders`;
}

/** What is found in one folder of the plugin. */
export function pluginFindingText({ state, version, reason, isOff }: PluginFinding, ours: string): string {
  const there = `${version ?? "unknown version"}${isOff === true ? ", turned off in Claude Code" : ""}`;
  switch (state) {
    case "installed":
      return `installed, ${there}`;
    case "outdated":
      return `installed, ${there}, but not as ${ours} is`;
    case "newer":
      return `installed, ${there}, newer than ours (${ours})`;
    case "missing":
      return "not installed";
    case "refused":
      return `cannot be installed: it ${reason ?? "is refused"}`;
    default:
      return state satisfies never;
  }
}
