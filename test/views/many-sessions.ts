import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { now, type AgentFiles } from "./agent-files";

/** The kinds of sessions there are, in turn, with the section each stands in; those of one section in its own order. */
const KINDS = [
  ["waiting", "Needs You", 1],
  ["working", "Working", 0],
  ["done", "Unread Answers", 0],
  ["idle", "Idle", 0],
  ["dormant", "Ended", 0],
  ["decision", "Needs You", 0],
  ["scheduled", "Scheduled", 0],
  ["failed", "Needs You", 2],
  ["compacting", "Working", 1],
  ["unknown", "Unknown", 0],
] as const;

const SECTIONS = ["Needs You", "Unread Answers", "Working", "Scheduled", "Idle", "Ended", "Unknown"];

/** Texts of characters of two halves: wherever one is cut by halves, it falls within a character in one of the two. */
const LONG = ["🚀".repeat(100), `x${"🚀".repeat(100)}`] as const;

const registry = join(process.env.HOME ?? "", ".claude", "sessions");

/** A session that was reported. */
export interface Reported {
  id: string;
  title: string;
  kind: (typeof KINDS)[number][0];
  section: string;
  /** When it entered its state. */
  since: number;
}

/** As many sessions as one wants, of every kind, in real files; of many, one is known by Claude's registry alone. */
export class ManySessions {
  readonly all: readonly Reported[];

  constructor(files: AgentFiles, count: number) {
    const at = now();
    const hasLive = count >= 10;
    const reported = Array.from({ length: hasLive ? count - 1 : count }, (_, index): Reported => {
      const [kind, section] = KINDS[index % KINDS.length] ?? KINDS[0];
      const each = { id: `claude:s${index}`, title: `Session ${index} 🚀`, kind, section, since: at - 600 - index };
      files.status(`s${index}`, kind, {
        title: each.title,
        ts: each.since,
        cwd: `/w/project-${index % 7}`,
        message: LONG[Math.floor(index / KINDS.length) % 2],
        ...(kind === "done" ? { done_at: each.since } : {}),
        ...(kind === "scheduled" ? { wakeup_at: at + 3600 + index } : {}),
      });
      return each;
    });
    if (!hasLive) {
      this.all = reported;
      return;
    }
    // Not before its process began: it would be the entry of another one.
    const statusAt = Date.now();
    mkdirSync(registry, { recursive: true });
    writeFileSync(
      join(registry, `${process.pid}.json`),
      JSON.stringify({
        pid: process.pid,
        sessionId: "5f0cbd4c-0b4c-4b57-9a5a-0f5a3f5f0001",
        cwd: "/w/shop",
        name: "shop-1",
        status: "busy",
        startedAt: statusAt,
        statusUpdatedAt: statusAt,
        updatedAt: statusAt,
      }),
    );
    const live: Reported = {
      id: "claude:5f0cbd4c-0b4c-4b57-9a5a-0f5a3f5f0001",
      title: "shop-1",
      kind: "working",
      section: "Working",
      since: statusAt / 1000,
    };
    this.all = [...reported, live];
  }

  of(...kinds: readonly Reported["kind"][]): Reported[] {
    return this.all.filter(({ kind }) => kinds.includes(kind));
  }

  /** The titles in each section that there is, in the order of a list: those who need the user by how long they wait. */
  get sections(): [section: string, titles: string[]][] {
    return SECTIONS.flatMap((section): [string, string[]][] => {
      const rank = ({ kind }: Reported) => KINDS.find(([each]) => each === kind)?.[2] ?? 0;
      const own = this.all
        .filter((each) => each.section === section)
        .sort((one, other) => {
          if (section === "Scheduled") return other.since - one.since;
          const bySince = section === "Needs You" ? one.since - other.since : other.since - one.since;
          return rank(one) - rank(other) || bySince;
        });
      return own.length === 0 ? [] : [[section, own.map(({ title }) => title)]];
    });
  }

  remove(): void {
    rmSync(registry, { recursive: true, force: true });
  }
}
