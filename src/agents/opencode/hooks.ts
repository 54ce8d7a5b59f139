import { join } from "node:path";
import { pluginSource, pluginTarget } from "../plugin-file";
import { folderOf, type HooksOf } from "../settings-target";

/** The events of the bus that the mapping reads; of `message.part.updated` the plugin takes compactions only. */
export const OPENCODE_EVENTS = [
  "session.created",
  "session.updated",
  "session.deleted",
  "session.status",
  "session.idle",
  "session.error",
  "session.compacted",
  "permission.asked",
  "permission.updated",
  "permission.replied",
  "question.asked",
  "question.replied",
  "question.rejected",
  "message.part.updated",
] as const;

/**
 * opencode loads the plugins of its configuration folder (plugin documentation). Ours runs in its process, so it costs
 * no process an event. Of a subagent's session only some events tell whose it is: the plugin adds it to the others.
 */
export const opencodeHooks: HooksOf = (surroundings) => {
  const base = folderOf(surroundings, "XDG_CONFIG_HOME", join(surroundings.user, ".config"));
  const folder = folderOf(surroundings, "OPENCODE_CONFIG_DIR", join(base, "opencode"));
  return {
    agent: "opencode",
    title: "opencode",
    programs: ["opencode"],
    folders: [folder],
    targets: [
      pluginTarget(join(folder, "plugins", "agent-sessions.js"), (recorder) =>
        pluginSource("opencode", recorder, PLUGIN),
      ),
    ],
    afterwards: "opencode loads plugins when it starts: restart what runs.",
  };
};

const PLUGIN = `
const EVENTS = new Set(${JSON.stringify(OPENCODE_EVENTS)});

export const AgentSessions = async ({ directory }) => {
  const roots = new Map();
  const titles = new Map();
  const statuses = new Map();
  const pid = { OPENCODE_PID: String(process.pid) };

  function tell(type, session, fields, isProgress) {
    if (typeof session !== "string" || session === "") return;
    const parentID = roots.get(session);
    leave(type, { type, ...fields, directory, ...(parentID === undefined ? {} : { parentID }) }, pid, session, isProgress);
  }

  function onEvent({ type, properties = {} }) {
    if (!EVENTS.has(type)) return;
    const { info, status, part } = properties;
    const session = properties.sessionID || (info && info.id);
    if (info && info.parentID) roots.set(info.id, roots.get(info.parentID) || info.parentID);
    if (type === "session.updated") {
      // It comes with every step; of what it tells only the title is new.
      if (!info || info.title === titles.get(session)) return;
      titles.set(session, info.title);
    }
    if (type === "message.part.updated" && (!part || part.type !== "compaction")) return;
    const now = type === "session.status" && status ? status.type : undefined;
    if (now !== undefined && now === statuses.get(session)) return;
    statuses.set(session, now);
    tell(type, session, { properties }, type === "session.updated");
    if (type === "session.deleted") for (const known of [roots, titles, statuses]) known.delete(session);
  }

  function onHook(type, input, output, isProgress) {
    statuses.delete(input.sessionID);
    tell(type, input.sessionID, { input, ...(output === undefined ? {} : { output }) }, isProgress);
  }

  // A plugin that throws could stop what it watches.
  const guarded = (work) => async (...given) => {
    try {
      work(...given);
    } catch {}
  };

  return {
    event: guarded(({ event }) => onEvent(event)),
    "chat.message": guarded((input, output) => {
      const parts = ((output && output.parts) || []).map(({ type, text, synthetic }) => ({ type, text, synthetic }));
      onHook("chat.message", { sessionID: input.sessionID }, { parts }, false);
    }),
    "tool.execute.before": guarded(({ tool, sessionID, callID }, output) =>
      onHook("tool.execute.before", { tool, sessionID, callID }, { args: output && output.args }, true),
    ),
    "tool.execute.after": guarded(({ tool, sessionID, callID, args }) =>
      onHook("tool.execute.after", { tool, sessionID, callID, args }, undefined, true),
    ),
    "experimental.session.compacting": guarded(({ sessionID }) =>
      onHook("experimental.session.compacting", { sessionID }, undefined, false),
    ),
  };
};
`;
