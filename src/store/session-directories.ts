import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sessionFileCodec } from "../files/codecs";
import type { Problem } from "../files/problem";
import { reportOf } from "../session/record";
import { systemCodeOf } from "../session/failure";
import type { CachedRow } from "./parse-cache";
import { ReportDirectory, type DecodeReport, type Look, type ReportRow } from "./report-directory";

/** Our own store as it stands on disk: a directory an agent below `sessions/`, each read as far as it changed. */
export class SessionDirectories {
  private readonly directories = new Map<string, ReportDirectory>();
  private cached: ReadonlyMap<string, CachedRow> = new Map();

  /** @param path the folder of the agents' folders */
  constructor(readonly path: string) {}

  /** Whether any agent has reported to us. */
  get exists(): boolean {
    return this.directories.size > 0;
  }

  /** The agents' folders. */
  folders(): string[] {
    return Array.from(this.directories.values(), ({ path }) => path);
  }

  *files(): Iterable<ReportRow> {
    for (const directory of this.directories.values()) yield* directory.files();
  }

  problems(): Problem[] {
    return Array.from(this.directories.values(), (directory) => directory.problems()).flat();
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
    const found = this.find();
    const look: Look = { changed: found, parsed: 0 };
    for (const directory of this.directories.values()) {
      const part = directory.look(nowMs, found || paths?.includes(this.path) ? undefined : paths);
      look.changed ||= part.changed;
      look.parsed += part.parsed;
      if (part.retryIn !== undefined) look.retryIn = Math.min(look.retryIn ?? Infinity, part.retryIn);
    }
    return look;
  }

  /** Finds agents' folders that are new; whether there was one. */
  private find(): boolean {
    let isNew = false;
    for (const agent of this.agents()) {
      if (this.directories.has(agent)) continue;
      const directory = new ReportDirectory(join(this.path, agent), decodeSession, true);
      const prefix = `${agent}/`;
      const rows = Array.from(this.cached).filter(([name]) => name.startsWith(prefix));
      directory.restore(new Map(rows.map(([name, row]) => [name.slice(prefix.length), row])));
      this.directories.set(agent, directory);
      isNew = true;
    }
    return isNew;
  }

  private agents(): string[] {
    try {
      return readdirSync(this.path, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      );
    } catch (error) {
      // No store yet, or none that can be listed: then its folders stay as they were.
      if (systemCodeOf(error) === undefined) throw error;
      return [];
    }
  }
}

const decodeSession: DecodeReport = (text) => {
  const decoded = sessionFileCodec().decodeSessionFile(text);
  return decoded.outcome === "session"
    ? { outcome: "report", report: reportOf(decoded.file.record), findings: [] }
    : decoded;
};
