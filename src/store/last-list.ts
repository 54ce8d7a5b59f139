import { join } from "node:path";
import type { LastList } from "../files/last-list";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { readGuarded, refusalOnTheWay } from "./guarded-read";
import { writing } from "./writing";

/** Larger than what is ever kept, in bytes. */
const LIMIT = 2 * 1024 * 1024;

/**
 * What a launcher's list showed last, in our own home's `cache/`, so that the next opening shows it at once. It holds
 * nothing that is not known otherwise, and may be deleted at any time.
 *
 * @param subject what the list is of: the sources and the rules it was made by. What was kept of another counts as nothing
 */
export class LastListFile {
  private readonly file: string;
  /** What was written, without when it was taken, and that. */
  private written?: { essence: string; at: Seconds };

  constructor(
    private readonly home: string,
    private readonly subject: string,
  ) {
    this.file = join(home, "cache", "last-list.json");
  }

  /**
   * What was kept; undefined when that is nothing, nothing that can be trusted, or of a time to come.
   *
   * @param clock milliseconds since 1970
   */
  load(clock: () => number = Date.now): LastList | undefined {
    if (refusalOnTheWay(this.home, "cache") !== undefined) return undefined;
    const read = readGuarded(this.file, { limit: LIMIT, links: "refuse" });
    const list = read.outcome === "text" ? codec().decodeLastList(read.text, this.subject) : undefined;
    return list !== undefined && list.at <= clock() / 1000 ? list : undefined;
  }

  /**
   * Keeps a list in place of the last. That it cannot be written costs speed, never an answer.
   *
   * @param agents further agents to filter by, beside those of the sessions
   * @param renewAfter the same list is written again only when it was taken so much later
   */
  save(
    list: { at: Seconds; sessions: readonly Session[] },
    agents: readonly string[],
    renewAfter: Seconds = Infinity,
  ): void {
    const text = codec().encodeLastList(list, this.subject, agents);
    const essence = text.replace(/"at":[^,]*/, "");
    if (essence === this.written?.essence && list.at - this.written.at < renewAfter) return;
    if (refusalOnTheWay(this.home, "cache") !== undefined) return;
    try {
      writing().replaceFile(this.file, text);
      this.written = { essence, at: list.at };
    } catch {
      return;
    }
  }
}

/** Loaded only by who has something to read or keep: it carries the schema library. */
function codec(): typeof import("../files/last-list") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as src/files/codecs.ts
  return require("../files/last-list");
}
