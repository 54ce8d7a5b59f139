import { homedir } from "node:os";
import { claudeRegistry } from "../agents/claude/registry";
import { codexRegistry, decodeCodexLock } from "../agents/codex/registry";
import { transcriptKinds } from "../agents/transcript-kinds";
import { claudeRegistryCodec } from "../files/codecs";
import type { Problem } from "../files/problem";
import { sessionKey } from "../session/identity";
import { chooseLiveOfEach } from "../session/live-choice";
import type { LiveEntry } from "../session/live-entry";
import type { Seconds, SessionReport } from "../session/report";
import type { TurnFacts } from "../session/transcript-facts";
import { judgeByLock, judgeByProcess } from "../store/live-judges";
import { LiveRegistry, type LiveSource } from "../store/live-registry";
import { lockHolders } from "../store/lock-holders";
import { ParseCache } from "../store/parse-cache";
import type { AgentDirectory, Environment, Places } from "../store/places";
import { MachineProcesses, type ProcessTable } from "../store/process-table";
import type { Look } from "../store/report-directory";
import { Transcripts } from "../store/transcripts";
import type { TranscriptSighting } from "./completed";
import { SETTLING, type LiveSighting } from "./live-evidence";
import type { MachineEvidence } from "./row-memory";

interface Registry {
  directory: AgentDirectory;
  registry: LiveRegistry;
  cache?: ParseCache;
}

/**
 * What the machine tells of sessions beside what was reported: the agents' own registries of what runs, and the
 * transcripts they write.
 */
export class Machine implements MachineEvidence {
  private readonly registries: Registry[];
  private readonly labels: ReadonlyMap<string, string | undefined>;
  private readonly transcripts: Transcripts;
  private readonly transcriptCache?: ParseCache;
  private readonly clock: () => number;
  /** How many transcripts had been read when they were kept last. */
  private keptReads = 0;
  private readonly sightings = new WeakMap<object, TranscriptSighting>();
  /** The running sessions of Claude by their process. */
  private readonly byPid = new Map<number, LiveEntry>();
  /** The terminals of Codex that have several threads open, those threads by key. */
  private shared: string[][] = [];
  private chosen: ReadonlyMap<string, LiveSighting> = new Map();
  private entries: ReadonlyMap<string, LiveSighting> = this.chosen;

  constructor(
    places: Places,
    {
      environment,
      processes,
      clock,
      cache,
    }: { environment: Environment; processes: ProcessTable; clock: () => number; cache: boolean },
  ) {
    this.clock = clock;
    this.registries = (places.agentDirectories ?? []).map((directory, index) => {
      const registry = new LiveRegistry(liveSource(directory, processes));
      if (!cache) return { directory, registry };
      const kept = new ParseCache(places.home, `registry-${index + 1}`, registry.path);
      registry.restore(kept.load());
      return { directory, registry, cache: kept };
    });
    this.labels = new Map(this.registries.map(({ directory: { path, label } }) => [path, label]));
    const user = environment.HOME?.trim() || homedir();
    this.transcripts = new Transcripts(transcriptKinds({ environment, user, platform: process.platform }), { clock });
    if (cache && places.agentDirectories !== undefined) {
      this.transcriptCache = new ParseCache(places.home, "transcripts", user);
      this.transcripts.restore(this.transcriptCache.load());
    }
  }

  /** The folders in which a registry's entries lie. */
  get folders(): string[] {
    return this.registries.map(({ registry }) => registry.path);
  }

  /** Whether an agent's registry is there at all. */
  get exists(): boolean {
    return this.registries.some(({ registry }) => registry.exists);
  }

  get live(): ReadonlyMap<string, LiveSighting> {
    return this.entries;
  }

  /** What is wrong with registries, and with transcripts that were looked at. */
  problems(): Problem[] {
    return this.registries.flatMap(({ registry }) => registry.problems()).concat(this.transcripts.problems());
  }

  /** What to call a configuration folder; undefined for a usual one. */
  labelOf(configDirectory: string): string | undefined {
    return this.labels.get(configDirectory);
  }

  /** Looks at the registries, their processes included; see `ReportDirectory.look`. */
  look(nowMs: number, paths?: readonly string[]): Look {
    const look: Look = { changed: false, parsed: 0 };
    for (const { registry, cache } of this.registries) {
      const part = registry.look(nowMs, paths);
      look.changed ||= part.changed;
      look.parsed += part.parsed;
      if (part.retryIn !== undefined) look.retryIn = Math.min(look.retryIn ?? Infinity, part.retryIn);
      if (paths === undefined) cache?.keep(() => registry.cacheable(), part.parsed, nowMs);
    }
    if (look.changed || this.chosen.size === 0) this.choose();
    if (this.settleShared()) look.changed = true;
    return look;
  }

  transcriptOf(report: SessionReport, isOver: boolean): TranscriptSighting | undefined {
    // Of the few threads with a lock it is read anyway, see `isNoSession`.
    if (isOver && !this.hasLock(report)) return undefined;
    // A session that only others' files tell of may be of another machine or long gone: its transcript counts where it
    // should lie, but to look for it in every folder would cost more than all the rest.
    const isOurs = report.toldAt !== undefined || this.chosen.has(sessionKey(report));
    const found = this.transcripts.find(report, { search: isOurs });
    if (found === undefined) return undefined;
    let sighting = this.sightings.get(found.facts);
    if (sighting === undefined) {
      sighting = { facts: found.facts, file: found.path };
      this.sightings.set(found.facts, sighting);
    }
    return sighting;
  }

  private hasLock(report: SessionReport): boolean {
    return report.agent === "codex" && this.chosen.has(sessionKey(report));
  }

  isNoSession(live: LiveSighting): boolean {
    if (live.entry.agent !== "codex") return false;
    const facts = this.transcripts.factsOf(live.entry);
    return facts === undefined || facts.parentSession !== undefined;
  }

  hasLeft(report: SessionReport, now: Seconds): boolean {
    const { agent, state, toldAt } = report;
    if (state === "dormant" || toldAt === undefined || now - toldAt <= SETTLING) return false;
    switch (agent) {
      case "claude":
        return this.runsAnother(report);
      case "codex":
        return this.holdsNoLock(report);
      default:
        return false;
    }
  }

  /** Its process runs another session by now: /clear and /resume leave one for the next. */
  private runsAnother({ process, sessionId }: SessionReport): boolean {
    const entry = process === undefined ? undefined : this.byPid.get(process.pid);
    if (entry === undefined || entry.sessionId === sessionId) return false;
    return process?.start === undefined || process.start === entry.processStart;
  }

  /** A session of Codex holds its thread's lock while it is open, from the first prompt on; then it removes the lock. */
  private holdsNoLock({ configDirectory }: SessionReport): boolean {
    const own = this.registries.filter(({ directory }) => directory.agent === "codex");
    const known =
      configDirectory === undefined ? own : own.filter(({ directory }) => directory.path === configDirectory);
    return known.length > 0 && known.every(({ registry }) => registry.exists);
  }

  /** Keeps what was read of transcripts for a later run. */
  keep(): void {
    const { reads } = this.transcripts;
    const unkept = reads - this.keptReads;
    if (this.transcriptCache?.keep(() => this.transcripts.cacheable(), unkept, this.clock()) === true)
      this.keptReads = reads;
  }

  /**
   * Tells which threads their terminal has left (design: rules of truth, 9). /clear and /new leave a thread whose turns
   * are over for one that was opened later; they keep its lock. The new one counts once something was said in it: before
   * that it has no transcript, as the threads of subagents have a parent. In the command center of 0.171 a terminal also
   * works on several threads at once: one whose turn goes on, or ended after the other was opened, was not left. Nor
   * does it tell whether the user saw the last answer, so that stays as unread as it was.
   *
   * @returns whether something changed
   */
  private settleShared(): boolean {
    const left = new Set(this.shared.flatMap((keys) => this.leftOf(keys)));
    const before = this.entries;
    if (left.size === 0) this.entries = this.chosen;
    else {
      this.entries = new Map(
        Array.from(this.chosen, ([key, live]) => [
          key,
          left.has(key) ? { ...live, liveness: "gone", isLeft: true } : live,
        ]),
      );
    }
    return Array.from(this.entries).some(([key, { isLeft }]) => before.get(key)?.isLeft !== isLeft);
  }

  private leftOf(keys: readonly string[]): string[] {
    const threads = keys.flatMap((key) => {
      const entry = this.chosen.get(key)?.entry;
      const facts = entry === undefined ? undefined : this.transcripts.factsOf(entry);
      if (entry?.startedAt === undefined || facts === undefined || facts.parentSession !== undefined) return [];
      return [{ key, openedAt: entry.startedAt, overAt: overAt(facts.turn, entry.startedAt) }];
    });
    const newest = Math.max(...threads.map(({ openedAt }) => openedAt));
    return threads
      .filter(({ openedAt, overAt }) => overAt !== undefined && openedAt < newest && overAt < newest)
      .map(({ key }) => key);
  }

  private choose(): void {
    const rows = this.registries.flatMap(({ registry }) => Array.from(registry.rows()));
    this.chosen = chooseLiveOfEach(rows, sessionKey);
    this.shared = terminalsWithSeveral(this.chosen);
    this.byPid.clear();
    for (const { entry, liveness } of rows) {
      if (entry.agent === "claude" && entry.pid !== undefined && liveness === "running")
        this.byPid.set(entry.pid, entry);
    }
  }
}

/** When a thread's last turn was over; a turn of a process before the one that has it open has ended with that. */
function overAt(turn: TurnFacts | undefined, openedAt: Seconds): Seconds | undefined {
  if (turn?.end !== undefined) return turn.end.at;
  return turn !== undefined && turn.startedAt < openedAt ? turn.startedAt : undefined;
}

/** The keys of threads that one terminal of Codex holds together; the shared daemon's have no process. */
function terminalsWithSeveral(entries: ReadonlyMap<string, LiveSighting>): string[][] {
  const byPid = new Map<number, string[]>();
  for (const [key, { entry, liveness }] of entries) {
    if (entry.agent !== "codex" || entry.pid === undefined || liveness !== "running") continue;
    byPid.set(entry.pid, [...(byPid.get(entry.pid) ?? []), key]);
  }
  return Array.from(byPid.values()).filter(({ length }) => length > 1);
}

function liveSource({ agent, path }: AgentDirectory, processes: ProcessTable): LiveSource {
  switch (agent) {
    case "claude":
      return {
        ...claudeRegistry(path),
        decode: (text, name) => claudeRegistryCodec().decodeClaudeRegistry(text, name, path),
        judge: judgeByProcess(processes),
      };
    case "codex": {
      const place = codexRegistry(path);
      return {
        ...place,
        decode: (_text, name) => decodeCodexLock(name, path),
        judge: judgeByLock(
          () => lockHolders(place.path, "codex"),
          processes instanceof MachineProcesses ? processes : new MachineProcesses(),
        ),
      };
    }
    default:
      return agent satisfies never;
  }
}
