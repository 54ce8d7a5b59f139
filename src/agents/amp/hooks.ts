import { join } from "node:path";
import { pluginSource, pluginTarget } from "../plugin-file";
import { folderOf, type HooksOf } from "../settings-target";

/** The events that the mapping reads. */
export const AMP_EVENTS = ["session.start", "agent.start", "tool.call", "tool.result", "agent.end"] as const;

/** Amp loads the plugins of its configuration folder (plugin manual, which marks their interface as experimental). */
export const ampHooks: HooksOf = (surroundings) => {
  const base = folderOf(surroundings, "XDG_CONFIG_HOME", join(surroundings.user, ".config"));
  const folder = join(base, "amp");
  return {
    agent: "amp",
    title: "Amp",
    programs: ["amp"],
    folders: [folder],
    targets: [
      pluginTarget(join(folder, "plugins", "agent-sessions.ts"), (recorder) =>
        // Without this line first Amp does not load a plugin.
        pluginSource("amp", recorder, PLUGIN, "// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now"),
      ),
    ],
    afterwards: "Amp loads plugins when it starts, older versions only with PLUGINS=all in the environment.",
  };
};

const PLUGIN = `
function idOf(value) {
  return value && typeof value.id === "string" ? value.id : undefined;
}

export default function (amp) {
  for (const type of ${JSON.stringify(AMP_EVENTS)}) {
    amp.on(type, async (event, context) => {
      try {
        const { thread, threadID, message, tool, toolUseID, input, status, error, cwd } = event || {};
        const id = idOf(thread) || threadID || idOf(context && context.thread) || (context && context.threadID);
        if (typeof id === "string" && id !== "") {
          const said = typeof message === "string" ? message : undefined;
          const failed = error instanceof Error ? error.message : error;
          const payload = { type, thread: { id }, cwd: cwd || process.cwd(), message: said, tool, toolUseID, input, status };
          leave(type, { ...payload, error: failed }, {}, id, type.startsWith("tool."));
        }
      } catch {}
      // A tool waits for an answer; whoever gives none would stop it.
      return type === "tool.call" ? { action: "allow" } : undefined;
    });
  }
}
`;
