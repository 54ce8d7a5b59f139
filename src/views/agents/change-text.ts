import { PLUGIN_ADDS, PLUGIN_AFTERWARDS } from "../../agents/claude/plugin";
import { changedPlugins, type PlannedPlugin, type PluginChangePlan } from "../../observe/plugin-set-up";
import { diffOf } from "../../observe/settings-diff";
import type { PlannedFile, SetUpPlan } from "../../observe/set-up";
import { reasonOf } from "../../session/failure";
import { fenced } from "../plain-text";
import { changedFiles, type Done } from "./change-plan";

/** A tab would be shown as a single space. */
const TAB = "    ";

/** The exact differences of a plan's files, as they can be given to `patch`. */
export function diffText(plan: SetUpPlan): string {
  return changedFiles(plan).map(diffOf).join("\n");
}

/** What can be copied of a plan: the differences of its files, and the lists of plugins' files. */
export function copyText(plan: SetUpPlan): string {
  const lists = changedPlugins(plan.plugins).map(fileList);
  return [diffText(plan), ...lists].filter((part) => part !== "").join("\n");
}

/**
 * What a plan would do, in markdown: a line a file, then the exact difference of each; of a plugin, each of its files.
 */
export function planMarkdown(plan: SetUpPlan): string {
  const { files, plugins, removes, recorder } = plan;
  const lines = [
    ...files.map((file) => `${file.target.path}: ${summaryOf(file, removes)}`),
    ...plugins.map((plugin) => `${plugin.folder}: ${pluginSummary(plugin)}`),
  ];
  const notes = Array.from(new Set(files.flatMap(({ obstacle }) => (obstacle === undefined ? [] : [obstacle]))));
  return [
    "**What Would Change**",
    fenced([...lines, ...(recorder === undefined ? [] : [`${recorder}: the recorder is installed`])].join("\n")),
    ...(notes.length === 0 || removes ? [] : ["**What Keeps Hooks From Running**", fenced(notes.join("\n"))]),
    ...changedFiles(plan).map((file) => diffBlock(diffOf(file))),
    ...changedPlugins(plugins).flatMap((plugin) => (plugin.files.length === 0 ? [] : [diffBlock(fileList(plugin))])),
  ].join("\n\n");
}

/** A difference in a code block, in a difference's colors. */
function diffBlock(diff: string): string {
  const [fence = "", ...rest] = fenced(diff.replaceAll("\t", TAB).trimEnd()).split("\n");
  return [`${fence}diff`, ...rest].join("\n");
}

function summaryOf(file: PlannedFile, removes: boolean): string {
  switch (file.outcome) {
    case "change":
      if (removes) return file.after === undefined ? "is removed" : "our part is removed";
      return file.file.text === undefined ? `is made, with ${file.target.adds}` : `gets ${file.target.adds}`;
    case "already":
      return "is set up already";
    case "absent":
      return "holds nothing of ours";
    case "kept":
      return `stays as it is: ${file.reason}`;
    case "refused":
      return `cannot be changed. ${reasonOf(file.error)}`;
    default:
      return file satisfies never;
  }
}

function pluginSummary(plugin: PlannedPlugin): string {
  switch (plugin.outcome) {
    case "install":
      return `is made, the plugin ${plugin.shipped.version} with ${PLUGIN_ADDS}`;
    case "update":
      return `the plugin ${plugin.from ?? ""} is replaced by ${plugin.shipped.version}${editedText(plugin)}`;
    case "remove":
      return `the plugin is removed with its folder${editedText(plugin)}`;
    case "clear":
      return "what an interrupted installation left beside it is removed";
    case "offered":
      return "the plugin is not installed";
    case "already":
      return `the plugin ${plugin.version} is installed already`;
    case "newer":
      return `holds the plugin ${plugin.version}, newer than ${plugin.ours}: it stays`;
    case "absent":
      return "no plugin of ours is there";
    case "refused":
      return `cannot be changed. ${reasonOf(plugin.error)}`;
    default:
      return plugin satisfies never;
  }
}

function editedText({ edited }: PluginChangePlan): string {
  return edited.length === 0 ? "" : `, with what somebody changed in ${edited.join(", ")}`;
}

const SIGNS = { add: "+", replace: "!", remove: "-" } as const;

/** A plugin's folder with each file that comes (`+`), is replaced (`!`) or goes (`-`), as a difference colors them. */
function fileList({ folder, files }: PlannedPlugin & PluginChangePlan): string {
  return [folder, ...files.map(({ path, does }) => `${SIGNS[does]} ${path}`)].join("\n");
}

/** What was done, in markdown: a line a file with where it is kept as it was, then what is left to the user. */
export function resultMarkdown({ files, plugins }: Done, removes: boolean): string {
  const lines = [
    ...files.map(({ planned: { target }, backup }) =>
      [`${target.path}: done`, ...(backup === undefined ? [] : [`  as it was before: ${backup}`])].join("\n"),
    ),
    ...plugins.map(({ planned }) => `${planned.folder}: done`),
  ];
  const steps = removes
    ? []
    : [
        ...files.flatMap(({ planned: { agent } }) => agent.afterwards ?? []),
        ...(plugins.length === 0 ? [] : [PLUGIN_AFTERWARDS]),
      ];
  return [
    "**What Was Done**",
    fenced(lines.length === 0 ? "The recorder is installed." : lines.join("\n")),
    ...(steps.length === 0 ? [] : ["**Next Step**", fenced(Array.from(new Set(steps)).join("\n"))]),
  ].join("\n\n");
}
