import { PLUGIN_ADDS, PLUGIN_AFTERWARDS } from "../agents/claude/plugin";
import { changedPlugins, type AppliedPlugin, type PlannedPlugin } from "../observe/plugin-set-up";
import { diffOf } from "../observe/settings-diff";
import type { AppliedFile, PlannedFile, SetUpPlan } from "../observe/set-up";
import type { PluginFileChange } from "../store/installed-plugin";
import { printable } from "../session/text";

/**
 * What a set-up would do: for each agent a line a file, then the exact difference; of a plugin, each of its files.
 *
 * @param told what else is to be known before
 */
export function planText({ files, plugins, removes, recorder }: SetUpPlan, told: readonly string[] = []): string {
  const lines = files.map((file) => `${file.agent.title}: ${summaryOf(file, removes)}`);
  const plugged = plugins.map((plugin) => `Claude Code: ${pluginSummary(plugin)}`);
  const installs = recorder === undefined ? [] : [`The recorder will be installed as ${printable(recorder)}`];
  const notes = [...notesOf(files), ...told.map((each) => `Note: ${printable(each)}`)];
  const diffs = files.flatMap((file) => (file.outcome === "change" ? [diffOf(file)] : []));
  const lists = changedPlugins(plugins).flatMap((plugin) =>
    plugin.files.length === 0 ? [] : [fileList(plugin.folder, plugin.files)],
  );
  const all = [...lines, ...plugged, ...installs, ...notes];
  return `${all.join("\n")}\n${[...diffs, ...lists].map((block) => `\n${block}`).join("")}`;
}

/** What the plugin would be, for somebody who is asked whether to have it. */
export function offerText(plugins: readonly PlannedPlugin[]): string {
  return plugins
    .flatMap((plugin) =>
      plugin.outcome === "offered"
        ? [
            `\nThe plugin ${printable(plugin.version)} for Claude Code adds ${PLUGIN_ADDS}.\n\n${fileList(plugin.folder, plugin.files)}`,
          ]
        : [],
    )
    .join("");
}

const SIGNS: Readonly<Record<PluginFileChange["does"], string>> = { add: "+", replace: "~", remove: "-" };

function fileList(folder: string, files: readonly PluginFileChange[]): string {
  return [printable(folder), ...files.map(({ path, does }) => `  ${SIGNS[does]} ${printable(path)}`)]
    .map((line) => `${line}\n`)
    .join("");
}

function pluginSummary(plugin: PlannedPlugin): string {
  const folder = printable(plugin.folder);
  switch (plugin.outcome) {
    case "install":
      return `${folder} will be made, the plugin ${plugin.shipped.version} with ${PLUGIN_ADDS}`;
    case "update":
      return `the plugin in ${folder} will be replaced: ${printable(plugin.from ?? "unknown version")} by ${plugin.shipped.version}${editedText(plugin.edited)}`;
    case "remove":
      return `the plugin ${folder} will be removed${editedText(plugin.edited)}`;
    case "clear":
      return `what an interrupted installation left beside ${folder} will be removed`;
    case "offered":
      return `the plugin is not installed in ${folder}; --plugin adds it`;
    case "already":
      return `the plugin is installed in ${folder}`;
    case "newer":
      return `the plugin in ${folder} is ${printable(plugin.version)}, newer than ${plugin.ours}, and stays`;
    case "absent":
      return `no plugin of ours in ${folder}`;
    case "refused":
      return `the plugin cannot be changed in ${folder}`;
    default:
      return plugin satisfies never;
  }
}

function editedText(edited: readonly string[]): string {
  return edited.length === 0 ? "" : `, with what somebody changed in ${edited.map(printable).join(", ")}`;
}

/** What was done with plugins. */
export function appliedPluginsText(applied: readonly AppliedPlugin[]): string {
  const done = applied.flatMap(({ outcome, planned }) => (outcome === "done" ? [planned] : []));
  const lines = done.map(({ outcome, folder }) => {
    const isGone = outcome === "remove" || outcome === "clear";
    return `${isGone ? "Removed" : "Set up"}: Claude Code, plugin ${printable(folder)}`;
  });
  const isNew = done.some(({ outcome }) => outcome === "install" || outcome === "update");
  return [...lines, ...(isNew ? [`Claude Code: ${PLUGIN_AFTERWARDS}`] : [])].map((line) => `${line}\n`).join("");
}

function summaryOf(file: PlannedFile, removes: boolean): string {
  const path = printable(file.target.path);
  switch (file.outcome) {
    case "change":
      if (removes) return file.after === undefined ? `${path} will be removed` : `our part of ${path} will be removed`;
      return file.file.text === undefined
        ? `${path} will be made, with ${file.target.adds}`
        : `${path} gets ${file.target.adds}`;
    case "already":
      return `already set up in ${path}`;
    case "absent":
      return `nothing of ours in ${path}`;
    case "kept":
      return `${path} stays as it is: ${file.reason}`;
    case "refused":
      return `${path} cannot be changed`;
    default:
      return file satisfies never;
  }
}

/** What keeps hooks from running, once an agent. */
function notesOf(files: readonly PlannedFile[]): string[] {
  const notes = files.flatMap(({ agent, obstacle }) =>
    obstacle === undefined ? [] : [`Note: ${agent.title}: ${printable(obstacle)}`],
  );
  return Array.from(new Set(notes));
}

/** What was done. */
export function appliedText(applied: readonly AppliedFile[], removes: boolean): string {
  const lines = applied.flatMap((each) => {
    if (each.outcome !== "written") return [];
    const { agent, target, after } = each.planned;
    const backup = each.backup === undefined ? "" : ` (before: ${each.backup})`;
    const done = !removes ? "Set up" : after === undefined ? "Removed" : "Removed from";
    return [printable(`${done}: ${agent.title}, ${target.path}${backup}`)];
  });
  const afterwards = removes
    ? []
    : applied.flatMap(({ outcome, planned: { agent } }) =>
        outcome === "written" && agent.afterwards !== undefined ? [`${agent.title}: ${agent.afterwards}`] : [],
      );
  return [...lines, ...new Set(afterwards)].map((line) => `${line}\n`).join("");
}
