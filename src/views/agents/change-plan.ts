import {
  applyPlugins,
  changedPlugins,
  planPlugins,
  type AppliedPlugin,
  type PlannedPlugin,
} from "../../observe/plugin-set-up";
import {
  agentsOf,
  applySetUp,
  planRemoval,
  planSetUp,
  type AppliedFile,
  type PlannedFile,
  type SetUpPlan,
} from "../../observe/set-up";
import { reasonOf, SessionsError } from "../../session/failure";
import { launcherPlace } from "./set-up-place";

/** What is to be changed: an agent's set-up, or its removal, which takes its plugin, too; or its plugin alone. */
export interface Change {
  agent: string;
  part: "set-up" | "plugin";
  removes: boolean;
  /** The agent's version, where it is known: one that is too old gets no plugin. */
  version?: string;
}

/** What was done. */
export interface Done {
  files: readonly (AppliedFile & { outcome: "written" })[];
  plugins: readonly (AppliedPlugin & { outcome: "done" })[];
}

/** What of a plan would be written. */
export function changedFiles({ files }: SetUpPlan): (PlannedFile & { outcome: "change" })[] {
  return files.flatMap((file) => (file.outcome === "change" ? [file] : []));
}

/** Whether a plan would do anything. */
export function changesAnything(plan: SetUpPlan): boolean {
  return changedFiles(plan).length > 0 || plan.recorder !== undefined || changedPlugins(plan.plugins).length > 0;
}

/**
 * Looks at an agent's settings or at its plugin, and says what would be made of them. Writes nothing.
 *
 * @throws SessionsError when the agent is unknown, or what is shipped cannot be read
 */
export function planChange({ agent, part, removes, version }: Change): SetUpPlan {
  const place = launcherPlace();
  const agents = agentsOf(place).filter((each) => each.agent === agent);
  if (agents.length === 0) throw new SessionsError("not-found", `${agent} cannot be set up.`, "Choose another agent.");
  switch (part) {
    case "set-up":
      return removes ? planRemoval(place, agents, { plugin: "remove" }) : planSetUp(place, agents);
    case "plugin":
      return { place, removes, files: [], plugins: planPlugins(place, removes ? "remove" : "install", version) };
    default:
      return part satisfies never;
  }
}

/**
 * Does what a plan showed, and nothing else: it is planned anew, and has to come to the same.
 *
 * @returns what was written
 * @throws SessionsError `refused` when it would be something else by now; what kept something from being written, with
 *   what was written nevertheless
 */
export function applyChange(change: Change, shown: SetUpPlan): Done {
  const plan = planChange(change);
  if (essenceOf(plan) !== essenceOf(shown)) {
    const paths = [...plan.files.map(({ target }) => target.path), ...plan.plugins.map(({ folder }) => folder)];
    throw new SessionsError(
      "refused",
      `${paths.join(" or ")} was changed meanwhile, and left as it is.`,
      "Look at what would change now, then try again.",
    );
  }
  // The plugin first: a folder that was made for both is empty for the settings once the plugin is gone.
  const plugins = applyPlugins(plan.place, plan.plugins);
  const changesFiles = changedFiles(plan).length > 0 || plan.recorder !== undefined;
  const files = changesFiles ? applySetUp(plan) : [];
  const failures = [...plugins, ...files].flatMap((each) => (each.outcome === "failed" ? [each.error] : []));
  const done: Done = {
    files: files.flatMap((each) => (each.outcome === "written" ? [each] : [])),
    plugins: plugins.flatMap((each) => (each.outcome === "done" ? [each] : [])),
  };
  const [first] = failures;
  if (first === undefined) return done;
  const reasons = failures.map(reasonOf).join(" ");
  const others = [
    ...done.plugins.map(({ planned }) => planned.folder),
    ...done.files.map(({ planned, backup }) =>
      backup === undefined ? planned.target.path : `${planned.target.path} (before: ${backup})`,
    ),
  ];
  throw new SessionsError(first.code, others.length === 0 ? reasons : `${reasons} Written: ${others.join(", ")}.`);
}

/** All of a plan that its view shows, to compare two. */
function essenceOf({ place, files, plugins, recorder }: SetUpPlan): string {
  const parts = files.map((file) => {
    switch (file.outcome) {
      case "change":
        return [file.target.path, file.file.real, file.file.text ?? null, file.after ?? null];
      case "refused":
        return [file.target.path, reasonOf(file.error)];
      case "kept":
        return [file.target.path, file.reason];
      case "already":
      case "absent":
        return [file.target.path, file.outcome];
      default:
        return file satisfies never;
    }
  });
  return JSON.stringify([place.home, recorder ?? null, parts, plugins.map(pluginEssence)]);
}

function pluginEssence(plugin: PlannedPlugin): unknown {
  switch (plugin.outcome) {
    case "install":
    case "update":
    case "remove":
    case "clear":
      return [plugin.folder, plugin.outcome, plugin.shipped.version, plugin.files, plugin.edited];
    case "refused":
      return [plugin.folder, reasonOf(plugin.error)];
    case "offered":
    case "already":
    case "newer":
    case "absent":
      return [plugin.folder, plugin.outcome];
    default:
      return plugin satisfies never;
  }
}
