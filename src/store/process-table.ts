import { readdirSync } from "node:fs";
import { reasonOf } from "../session/failure";
import type { AgentProcess, Seconds } from "../session/report";
import { argumentsOf, hasEnded, isThere, processDomain, statOf, timeOfTicks, type ProcessStat } from "./process-clock";
import {
  processListing,
  runListing,
  secondsOfLstart,
  wordsOf,
  type ListedProcess,
  type ProcessListing,
  type RunListing,
} from "./process-list";

/** What the machine tells about an agent's process. Not knowing is its own answer. */
export type Liveness = "running" | "gone" | "unknown";

/** Asked for the process behind a session. */
export interface ProcessTable {
  look(process: AgentProcess): Liveness;
}

/** Asked for who started whom, and as what. */
export interface ProcessTree {
  /** The process that started this one, or took it over; undefined when that is not known. */
  parentOf(pid: number): number | undefined;
  /** The processes that this one started and that still run. */
  childrenOf(pid: number): number[];
  /** The words of its command line, the program first; undefined when that is not known. */
  argumentsOf(pid: number): readonly string[] | undefined;
}

/** A process may be noted this long before the clock of its start says it was there, in seconds. */
const SLACK = 2;

/** A number is not handed out again so soon: what was read of a process that is still there holds, in milliseconds. */
const SAME_PROCESS_MS = 2_000;

/** A list of processes is made anew when it is older, in milliseconds. */
const RENEW_MS = 2_000;

/** An older list does not prove that a process is gone, in milliseconds. */
const FRESH_MS = 10_000;

/** How long a system that would not list its processes is not asked again, in milliseconds. */
const REST_MS = 30_000;

/** The largest process number of any system we know. */
const PID_LIMIT = 0x7fff_ffff;

/** What the process table needs of its surroundings; each has the machine's own as default. */
export interface MachineSurroundings {
  platform?: NodeJS.Platform;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Lists all processes, where the system has to be asked for all at once. */
  run?: RunListing;
  /** Whether there is a process with a number. */
  isThere?: (pid: number) => boolean;
}

/**
 * This machine's processes. A number that runs is the session's only if it is the same process: by the start that the
 * agent noted, else by having started before it was first known to be the agent. Numbers are used again.
 *
 * Linux answers for each process by `/proc`. Elsewhere all are listed at once by {@link MachineProcesses.refresh}, and
 * a look answers from the last list; before there is one it says what can be told without: that nobody has that number.
 */
export class MachineProcesses implements ProcessTable, ProcessTree {
  private readonly platform: NodeJS.Platform;
  private readonly clock: () => number;
  private readonly run: RunListing;
  private readonly isThere: (pid: number) => boolean;
  private readonly listing: ProcessListing | undefined;
  private readonly stats = new Map<number, { stat: ProcessStat; at: number }>();
  private list: ReadonlyMap<number, ListedProcess> = new Map();
  private listedAt?: number;
  private restsUntil = 0;
  private running?: Promise<void>;
  private failure?: string;

  constructor(surroundings: MachineSurroundings = {}) {
    this.platform = surroundings.platform ?? process.platform;
    this.clock = surroundings.clock ?? Date.now;
    this.run = surroundings.run ?? runListing;
    this.isThere = surroundings.isThere ?? isThere;
    this.listing = processListing(this.platform);
  }

  /** Why the processes could not be listed the last time. */
  get problem(): string | undefined {
    return this.failure;
  }

  /**
   * Lists the processes anew where a look needs that and the last list is some seconds old; never twice at a time.
   * That it fails costs certainty, never an error: looks say "unknown", and `problem` says why.
   */
  async refresh(): Promise<void> {
    const { listing } = this;
    const now = this.clock();
    const isNew = this.listedAt !== undefined && now - this.listedAt < RENEW_MS;
    if (listing === undefined || isNew || now < this.restsUntil) return;
    this.running ??= this.renew(listing, now).finally(() => delete this.running);
    return this.running;
  }

  look({ pid, knownAt, start, domain }: AgentProcess): Liveness {
    if (!Number.isInteger(pid) || pid < 1 || pid > PID_LIMIT) return "unknown";
    if (domain !== undefined && !this.isOurs(domain)) return "unknown";
    if (start !== undefined && !isSpelledFor(this.platform, start)) return "unknown";
    if (!this.isThere(pid)) return "gone";
    return this.listing === undefined ? this.lookUp(pid, knownAt, start) : this.lookInList(pid, knownAt, start);
  }

  parentOf(pid: number): number | undefined {
    const parent = this.listing === undefined ? statOf(pid)?.parent : this.list.get(pid)?.parent;
    return parent === 0 ? undefined : parent;
  }

  childrenOf(pid: number): number[] {
    const all = this.listing === undefined ? allStats() : Array.from(this.list.values());
    return all.filter((each) => each.parent === pid && each.pid !== pid).map((each) => each.pid);
  }

  argumentsOf(pid: number): readonly string[] | undefined {
    if (this.listing === undefined) return argumentsOf(pid);
    const command = this.list.get(pid)?.command ?? "";
    return command === "" ? undefined : wordsOf(command);
  }

  /** Linux's answer. */
  private lookUp(pid: number, knownAt: Seconds, start: string | undefined): Liveness {
    const stat = this.statOf(pid);
    if (stat === undefined) return "unknown";
    if (hasEnded(stat)) return "gone";
    if (start !== undefined) return stat.startTicks === start ? "running" : "gone";
    const startedAt = timeOfTicks(stat.startTicks);
    if (startedAt === undefined) return "unknown";
    return startedAt <= knownAt + SLACK ? "running" : "gone";
  }

  private statOf(pid: number): ProcessStat | undefined {
    const now = this.clock();
    const kept = this.stats.get(pid);
    if (kept !== undefined && now >= kept.at && now - kept.at < SAME_PROCESS_MS) return kept.stat;
    const stat = statOf(pid);
    if (stat === undefined) this.stats.delete(pid);
    else this.stats.set(pid, { stat, at: now });
    return stat;
  }

  /** The answer of the last list to a number that is in use. */
  private lookInList(pid: number, knownAt: Seconds, start: string | undefined): Liveness {
    const listed = this.list.get(pid);
    const { listedAt } = this;
    if (listed === undefined || listedAt === undefined) return "unknown";
    // A process that came after the list may have taken the number of one in it.
    const proves = this.clock() - listedAt < FRESH_MS && listedAt / 1000 >= knownAt;
    const otherwise = proves ? "gone" : "unknown";
    if (listed.hasEnded) return otherwise;
    const same = start === undefined ? undefined : isSameStart(this.platform, listed, start);
    if (same !== undefined) return same ? "running" : otherwise;
    if (listed.startedAt === undefined) return "unknown";
    return listed.startedAt <= knownAt + SLACK ? "running" : otherwise;
  }

  private async renew(listing: ProcessListing, now: number): Promise<void> {
    try {
      const list = listing.parse(await this.run(listing));
      if (list.length === 0) throw new Error("no process was understood");
      this.list = new Map(list.map((each) => [each.pid, each]));
      this.listedAt = now;
      delete this.failure;
    } catch (error) {
      this.failure = `processes could not be listed: ${reasonOf(error)}`;
      this.restsUntil = this.clock() + REST_MS;
    }
  }

  /** Whether numbers noted there mean processes of ours. */
  private isOurs(domain: string): boolean {
    const isLinux = domain.startsWith("linux:");
    return this.platform === "linux" ? isLinux && domain === processDomain() : !isLinux;
  }
}

/** Linux: ticks since the machine's start; Windows: a file time, or ticks since the year 1; elsewhere: ps's words. */
function isSpelledFor(platform: NodeJS.Platform, start: string): boolean {
  switch (platform) {
    case "linux":
      return /^\d{1,15}$/.test(start);
    case "win32":
      return /^\d{16,20}$/.test(start);
    default:
      return !/^\d+$/.test(start);
  }
}

/** Two starts that lie a time zone apart may be one, in seconds: older clients may have noted their local time. */
const ZONE_STEP = 15 * 60;
const ZONE_SPAN = 14 * 3600;

/** 100 nanoseconds from the year 1 to 1601; what counts from the year 1 is larger than this. */
const YEAR_1601 = 504_911_232_000_000_000n;
const LARGEST_FILE_TIME = 300_000_000_000_000_000n;

/** The list knows starts to the microsecond, the file time has a tenth of it; one millisecond is the same process. */
const FILE_TIME_SLACK = 10_000n;

/** Whether a listed process started when the agent noted; undefined when the two cannot be compared. */
function isSameStart(platform: NodeJS.Platform, listed: ListedProcess, start: string): boolean | undefined {
  if (listed.start === undefined) return undefined;
  if (platform === "win32") {
    const noted = BigInt(start);
    const apart = (noted > LARGEST_FILE_TIME ? noted - YEAR_1601 : noted) - BigInt(listed.start);
    return apart <= FILE_TIME_SLACK && apart >= -FILE_TIME_SLACK;
  }
  if (listed.start === start.trim().replace(/\s+/g, " ")) return true;
  const noted = secondsOfLstart(start);
  if (noted === undefined || listed.startedAt === undefined) return undefined;
  const apart = Math.abs(noted - listed.startedAt);
  // ps reckons a start from the age of the process, and can be a second off.
  if (apart <= 1) return true;
  return apart % ZONE_STEP === 0 && apart <= ZONE_SPAN ? undefined : false;
}

/** Every process of this machine that Linux shows us. */
function allStats(): ProcessStat[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => statOf(Number(name)))
      .filter((stat): stat is ProcessStat => stat !== undefined && !hasEnded(stat));
  } catch {
    return [];
  }
}
