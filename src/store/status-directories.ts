import { statusFileCodec } from "../files/codecs";
import type { Problem } from "../files/problem";
import type { StatusDirectory } from "./places";
import { ReportDirectory } from "./report-directory";

/** AItention's status directories as others write them, each read as far as it changed. */
export class StatusDirectories {
  /** In the user's order; a session that several tell of is merged from them. */
  readonly directories: readonly ReportDirectory[];
  private readonly labels: ReadonlyMap<string, string | undefined>;

  /** @param listed the one that we write to first */
  constructor(listed: readonly StatusDirectory[]) {
    this.directories = listed.map(
      ({ path }) => new ReportDirectory(path, (text, name) => statusFileCodec().decodeStatusFile(text, name)),
    );
    this.labels = new Map(listed.map(({ path, label }) => [path, label]));
  }

  /** Whether any of them is there. */
  get exists(): boolean {
    return this.directories.some(({ exists }) => exists);
  }

  get folders(): string[] {
    return this.directories.map(({ path }) => path);
  }

  /** What the user calls a directory; undefined for one without a label. */
  labelOf(folder: string): string | undefined {
    return this.labels.get(folder);
  }

  /**
   * What is wrong with the directories and their files. The first one is made with the first report; another that is
   * missing is a slip, or a disk that is not there: its sessions are missing, too.
   */
  problems(): Problem[] {
    return this.directories.flatMap((directory, index) => {
      const problems = directory.problems();
      if (index === 0 || directory.exists || problems.length > 0) return problems;
      return [{ file: directory.path, reason: "does not exist", outcome: "refused" }];
    });
  }
}
