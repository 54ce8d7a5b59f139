import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sessionFileCodec } from "../files/codecs";
import { sessionFileName } from "../files/session-name";
import type { Problem } from "../files/problem";
import { sessionKey } from "../session/identity";
import { reportOf } from "../session/record";
import { cutText } from "../session/text";
import { reasonOf, systemCodeOf } from "../session/failure";
import { refusalOnTheWay } from "./guarded-read";
import type { CachedRow } from "./parse-cache";
import { ReportDirectory, type DecodeReport, type Look, type ReportRow } from "./report-directory";

/** Our own store as it stands on disk: a directory an agent below `sessions/`, each read as far as it changed. */
export class SessionDirectories {
  private readonly directories = new Map<string, ReportDirectory>();
  private cached: ReadonlyMap<string, CachedRow> = new Map();
  private folderProblem?: Problem;
  /** Why the folder, or our home, may not be read or cannot be. */
  private fault?: string;

  /** @param path the folder of the agents' folders, in our home */
  constructor(readonly path: string) {}

  /** Whether any agent has reported to us. */
  get exists(): boolean {
    for (const directory of this.directories.values()) if (directory.exists) return true;
    return false;
  }

  /** The agents' folders. */
  folders(): string[] {
    return Array.from(this.directories.values(), ({ path }) => path);
  }

  *files(): Iterable<ReportRow> {
    for (const directory of this.directories.values()) yield* directory.files();
  }

  problems(): Problem[] {
    const own = Array.from(this.directories.values(), (directory) => directory.problems()).flat();
    return this.folderProblem === undefined ? own : [this.folderProblem, ...own];
  }

  restore(cached: ReadonlyMap<string, CachedRow>): void {
    this.cached = cached;
  }

  cacheable(): Map<string, CachedRow> {
    const rows = new Map<string, CachedRow>();
    for (const [agent, directory] of this.directories) {
      for (const [name, row] of directory.cacheable()) rows.set(`${agent}/${name}`, row);
    }
    return rows;
  }

  /**
   * Looks at the store.
   *
   * @param paths only these paths changed; absent: look at everything
   */
  look(nowMs: number, paths?: readonly string[]): Look {
    const before = this.fault;
    if (this.isRefused()) return { changed: before !== this.fault, parsed: 0 };
    const found = this.find();
    const look: Look = { changed: found || before !== this.fault, parsed: 0 };
    for (const directory of this.directories.values()) {
      const part = directory.look(nowMs, found || paths?.includes(this.path) ? undefined : paths);
      look.changed ||= part.changed;
      look.parsed += part.parsed;
      if (part.retryIn !== undefined) look.retryIn = Math.min(look.retryIn ?? Infinity, part.retryIn);
    }
    return look;
  }

  /** Whether nothing here may be read; what was read before counts no more then. */
  private isRefused(): boolean {
    const refused = refusalOnTheWay(dirname(this.path), basename(this.path));
    if (refused === undefined) return false;
    this.directories.clear();
    this.fault = refused.reason;
    delete this.folderProblem;
    // What is wrong with our home is one problem, which the snapshot has.
    if (refused.folder === this.path)
      this.folderProblem = { file: this.path, reason: refused.reason, outcome: "refused" };
    return true;
  }

  /** Finds agents' folders that are new; whether there was one. */
  private find(): boolean {
    let isNew = false;
    for (const { name: agent, isLink } of this.agents()) {
      if (this.directories.has(agent)) continue;
      // A link stays as it is when what it leads to changes.
      const directory = new ReportDirectory(join(this.path, agent), decoderOf(agent), !isLink);
      const prefix = `${agent}/`;
      const rows = Array.from(this.cached).filter(([name]) => name.startsWith(prefix));
      directory.restore(new Map(rows.map(([name, row]) => [name.slice(prefix.length), row])));
      this.directories.set(agent, directory);
      isNew = true;
    }
    return isNew;
  }

  /** What may be agents' folders; of what has the name of one and is none, its directory says so. */
  private agents(): { name: string; isLink: boolean }[] {
    delete this.fault;
    delete this.folderProblem;
    try {
      return readdirSync(this.path, { withFileTypes: true }).flatMap((entry) =>
        entry.name.startsWith(".") ? [] : [{ name: entry.name, isLink: entry.isSymbolicLink() }],
      );
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === undefined) throw error;
      // No store yet. What cannot be listed for a while leaves its folders as they were.
      if (code === "ENOENT") return [];
      this.fault = `cannot be listed (${reasonOf(error)})`;
      this.folderProblem = { file: this.path, reason: this.fault, outcome: "unreadable" };
      return [];
    }
  }
}

/** Decodes the files of an agent's folder. One that is of another session than its name says is damaged. */
function decoderOf(agent: string): DecodeReport {
  return (text, fileName) => {
    const decoded = sessionFileCodec().decodeSessionFile(text);
    if (decoded.outcome !== "session") return decoded;
    const { record } = decoded.file;
    if (record.agent === agent && sessionFileName(record.sessionId) === fileName) {
      return { outcome: "report", report: reportOf(record), findings: [] };
    }
    const reason = `"${cutText(sessionKey(record), 60)}" does not match the file name`;
    return { outcome: "refused", findings: [{ field: "record.sessionId", reason, outcome: "refused" }] };
  };
}
