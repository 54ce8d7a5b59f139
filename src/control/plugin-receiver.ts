import { dirname } from "node:path";
import { pluginMarkCodec } from "../files/control-codecs";
import type { PluginMark } from "../files/plugin-mark";
import type { Session } from "../session/session";
import { folderRefusal, readGuarded } from "../store/guarded-read";
import type { ControlFolder } from "./control-folder";
import { MARK_LIMIT } from "./plugin-marks";
import type { ControlSurroundings } from "./surroundings";

/** The plugin's mark of a session; undefined when there is none that may be trusted. Never throws. */
export function readPluginMark(control: ControlFolder, session: Pick<Session, "sessionId">): PluginMark | undefined {
  try {
    const path = control.pluginMark(session);
    if (folderRefusal(dirname(path)) !== undefined) return undefined;
    const read = readGuarded(path, { limit: MARK_LIMIT, links: "refuse" });
    if (read.outcome !== "text") return undefined;
    const decoded = pluginMarkCodec().decodePluginMark(read.text);
    return decoded.outcome === "mark" ? decoded.mark : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Why the plugin in a session is not certain to take a request; undefined when it is: its mark is there, and its
 * process, the one of the mark and of the session, runs.
 */
export async function pluginRefusal(
  session: Session,
  control: ControlFolder,
  { processes }: Pick<ControlSurroundings, "processes">,
): Promise<string | undefined> {
  if (session.agent !== "claude") return "there is a plugin for Claude Code only";
  const mark = session.plugin === undefined ? undefined : readPluginMark(control, session);
  if (mark === undefined) return "it runs without the plugin";
  const process = session.process ?? (mark.pid === undefined ? undefined : { pid: mark.pid, knownAt: mark.at });
  if (process === undefined) return "whether its process still runs is not known";
  if (mark.pid !== undefined && mark.pid !== process.pid) return "the plugin that marked it ran in another process";
  switch (await processes.look(process)) {
    case "running":
      return undefined;
    case "gone":
      return "its process is gone";
    case "unknown":
      return "whether its process still runs is not known";
  }
}
