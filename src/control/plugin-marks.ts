import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pluginMarkCodec } from "../files/control-codecs";
import { sessionFileName } from "../files/session-name";
import type { Session } from "../session/session";
import { hasStamp, presenceOf, readGuarded, refusalOnTheWay, type Stamp } from "../store/guarded-read";

/** Marks are small; what is larger is none. */
export const MARK_LIMIT = 16 * 1024;

/** A session that wrote nothing for so long is over. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

const REMOVED_AT_ONCE = 100;

/**
 * The marks that the Claude plugin leaves in `plugin/` of our home, one a session: that it is there, and where the
 * session saves to. A look costs one stat where there is none, and one for each session that has one.
 */
export class PluginMarks {
  private readonly folder: string;
  private names: ReadonlySet<string> = new Set();
  private listedAt?: number;
  private readonly marks = new Map<string, { stamp: Stamp; plugin: Session["plugin"] }>();

  constructor(private readonly home: string) {
    this.folder = join(home, "plugin");
  }

  /** The plugin in a session; undefined where there is no mark that may be trusted. Never throws. */
  of({ agent, sessionId }: Pick<Session, "agent" | "sessionId">): Session["plugin"] {
    if (agent !== "claude") return undefined;
    const name = sessionFileName(sessionId);
    if (name === undefined || !this.names.has(name)) return undefined;
    const path = join(this.folder, name);
    const presence = presenceOf(path);
    if (presence.outcome !== "there") return undefined;
    const known = this.marks.get(name);
    if (known !== undefined && hasStamp(presence.stats, known.stamp)) return known.plugin;
    const read = readGuarded(path, { limit: MARK_LIMIT, links: "refuse" });
    if (read.outcome !== "text") return undefined;
    const decoded = pluginMarkCodec().decodePluginMark(read.text);
    // Half written: what it said before counts until it is whole.
    if (decoded.outcome !== "mark") return known?.plugin;
    const { pickup, file } = decoded.mark;
    const plugin = { ...(pickup === undefined ? {} : { pickup }), ...(file === undefined ? {} : { file }) };
    this.marks.set(name, { stamp: read.stamp, plugin });
    return plugin;
  }

  /** Removes marks of sessions that are long over, some at a time: the plugin itself cannot remove files. Never throws. */
  tidy(nowMs: number): void {
    let left = REMOVED_AT_ONCE;
    for (const name of this.names) {
      const presence = presenceOf(join(this.folder, name));
      if (presence.outcome !== "there" || !presence.stats.isFile() || nowMs - presence.stats.mtimeMs < KEPT_MS)
        continue;
      rmSync(join(this.folder, name), { force: true });
      left -= 1;
      if (left === 0) return;
    }
  }

  /** Looks which sessions have a mark. */
  look(): void {
    const presence = presenceOf(this.folder);
    if (presence.outcome !== "there" || refusalOnTheWay(this.home, "plugin") !== undefined) {
      this.names = new Set();
      delete this.listedAt;
      return;
    }
    if (this.listedAt === presence.stats.mtimeMs) return;
    try {
      this.names = new Set(readdirSync(this.folder));
      this.listedAt = presence.stats.mtimeMs;
    } catch {
      this.names = new Set();
    }
  }
}
