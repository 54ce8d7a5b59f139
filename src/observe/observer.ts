import { dirname, join } from "node:path";
import type { Problem } from "../files/problem";
import { aggregateSessions } from "../session/aggregate";
import { parseTtl } from "../session/cache";
import { reasonOf } from "../session/failure";
import { sessionKey } from "../session/identity";
import { WRITER } from "../session/record";
import type { Seconds } from "../session/report";
import { ParseCache } from "../store/parse-cache";
import { folderRefusal } from "../store/guarded-read";
import type { Folded } from "../store/fold";
import { readPaused } from "../store/paused-flag";
import { statusDirectoriesOf, type Environment, type Places } from "../store/places";
import { MachineProcesses, type ProcessTable } from "../store/process-table";
import { ReadMarksFile } from "../store/read-marks";
import type { Look, ReportRow } from "../store/report-directory";
import { SessionDirectories } from "../store/session-directories";
import { SignalDocumentFile } from "../store/signal-document-file";
import { signalRulesOf } from "../store/signal-settings";
import { StatusDirectories } from "../store/status-directories";
import { hasWaitingEvents } from "./waiting-events";
import { folding } from "./folding-module";
import { AnnotatedRows, type ControlWatch } from "./annotated-rows";
import { Machine } from "./machine";
import { RowMemory, type Table } from "./row-memory";
import { isPausedBy, signalSightings } from "./signal-sightings";
import type { Snapshot } from "./snapshot";

/** How soon to look again at an event that is still being written, in milliseconds. */
const UNFINISHED_RETRY_MS = 100;

/** What an observer needs of its surroundings; each has the machine's own as default. */
export interface Surroundings {
  places: Places;
  /** Agent Signal's times to live and limits are set there. */
  environment?: Environment;
  /** Milliseconds since 1970. */
  clock?: () => number;
  processes?: ProcessTable;
  /** How long caches are kept, when the user set it; else `AGENT_SESSIONS_CACHE_TTL` (`5m`, `1h`) may say it. */
  cacheTtl?: Seconds;
  /** What is asked of sessions from outside, and which have our plugin; absent: neither is known. */
  control?: ControlWatch;
  /** Whether to keep what was read for a later run; a short run reads it instead of the files. Default: true. */
  cache?: boolean;
}

/** A source that is looked at and remembered alike. */
interface CachedSource {
  look(nowMs: number, paths?: readonly string[]): Look;
  restore(cached: ReturnType<ParseCache["load"]>): void;
  cacheable(): ReturnType<ParseCache["load"]>;
}

/**
 * Watches over all sources: folds what agents reported, looks at what changed, and gives the snapshot of what is known.
 */
export class Observer {
  readonly places: Places;
  readonly marks: ReadMarksFile;
  private readonly environment: Environment;
  private readonly clock: () => number;
  private readonly processes: ProcessTable;
  private readonly memory = new RowMemory();
  private readonly machine: Machine;
  private readonly annotated = new AnnotatedRows();
  private readonly control: ControlWatch | undefined;
  private readonly cacheTtl: Seconds | undefined;
  private readonly events: SessionDirectories;
  private readonly status: StatusDirectories;
  private readonly signal: SignalDocumentFile;
  private readonly sources: { source: CachedSource; cache?: ParseCache }[];
  private foldProblem?: Problem;

  constructor({
    places,
    environment = process.env,
    clock = Date.now,
    processes,
    cacheTtl,
    control,
    cache = true,
  }: Surroundings) {
    this.places = places;
    this.environment = environment;
    this.clock = clock;
    this.processes = processes ?? new MachineProcesses();
    this.machine = new Machine(places, { environment, processes: this.processes, clock, cache });
    this.control = control;
    this.cacheTtl = cacheTtl ?? parseTtl(environment.AGENT_SESSIONS_CACHE_TTL);
    this.marks = new ReadMarksFile(places.home);
    this.events = new SessionDirectories(join(places.home, "sessions"));
    this.status = new StatusDirectories(statusDirectoriesOf(places));
    this.signal = new SignalDocumentFile(places.signalStateFile);
    const cacheOf = (name: string, subject: string) =>
      cache ? { cache: new ParseCache(places.home, name, subject) } : {};
    this.sources = [
      { source: this.events, ...cacheOf("sessions", this.events.path) },
      ...this.status.directories.map((source, index) => {
        const name = index === 0 ? "status-directory" : `status-directory-${index + 1}`;
        return { source, ...cacheOf(name, source.path) };
      }),
      { source: this.signal, ...cacheOf("signal-document", places.signalStateFile) },
    ];
    for (const { source, cache: kept } of this.sources) if (kept !== undefined) source.restore(kept.load());
  }

  /** Now, in seconds since 1970. */
  now(): Seconds {
    return this.clock() / 1000;
  }

  /** The folders in which something changes when a session does. */
  get folders(): string[] {
    const { home, signalStateFile } = this.places;
    return [
      home,
      join(home, "inbox"),
      this.events.path,
      ...this.events.folders(),
      ...this.status.folders,
      dirname(signalStateFile),
      ...this.machine.folders,
    ];
  }

  /** The folders of the agents' registries: a look at them asks for their processes, too. */
  get registryFolders(): readonly string[] {
    return this.machine.folders;
  }

  /** Has the system list its processes where that takes another one; the next look has the list. Never fails. */
  async refreshProcesses(): Promise<void> {
    if (this.processes instanceof MachineProcesses) await this.processes.refresh();
  }

  /** Keeps what was read for a later run. */
  keep(): void {
    this.machine.keep();
  }

  /**
   * Looks at the sources. What agents reported is folded first, so that it is in them.
   *
   * @param paths only these paths changed, as a watch told; absent: look at everything
   */
  look(paths?: readonly string[]): Look {
    const { unfinished, files } = this.fold();
    const look: Look = { changed: false, parsed: 0, ...(unfinished > 0 ? { retryIn: UNFINISHED_RETRY_MS } : {}) };
    const touched = paths === undefined ? undefined : [...paths, ...files];
    const now = this.clock();
    for (const part of [this.machine.look(now, touched), ...this.lookAtSources(now, touched)]) {
      look.changed ||= part.changed;
      look.parsed += part.parsed;
      if (part.retryIn !== undefined) look.retryIn = Math.min(look.retryIn ?? Infinity, part.retryIn);
    }
    return look;
  }

  private lookAtSources(now: number, paths: readonly string[] | undefined): Look[] {
    return this.sources.map(({ source, cache }) => {
      const part = source.look(now, paths);
      if (paths === undefined) cache?.keep(() => source.cacheable(), part.parsed, now);
      return part;
    });
  }

  /** What is known now. */
  snapshot(): Snapshot {
    const now = this.now();
    const { marks, problem } = this.marks.load(now);
    const paused = readPaused(this.places);
    const signal = this.signal.state;
    const ttl = signalRulesOf(this.environment).ttl.session;
    const known = new Set<string>();
    const events = Array.from(this.events.files());
    for (const { report } of events) if (report !== undefined) known.add(sessionKey(report));
    const tables: Table[] = [
      { source: "events", files: events },
      ...this.status.directories.map((directory): Table => {
        return { source: "status", files: foreign(directory.files(), known) };
      }),
    ];
    const sightings = signalSightings(this.signal.path, signal, ttl, now).filter(
      ({ report }) => report.writer !== WRITER || !known.has(sessionKey(report)),
    );
    const rows = this.memory.rows(tables, sightings, this.machine, {
      now,
      marks,
      processes: this.processes,
      cacheTtl: this.cacheTtl,
      labelOf: (folder) => this.machine.labelOf(folder) ?? this.status.labelOf(folder),
    });
    this.control?.settle(rows, now);
    const sessions = this.annotated.of(rows, this.control, now);
    return {
      at: now,
      sessions,
      aggregate: aggregateSessions(sessions, {
        now,
        paused: paused.paused || isPausedBy(signal),
        unreliable: signal.damagedSince !== undefined,
        ...(signal.document?.aggregate === undefined ? {} : { stored: signal.document.aggregate }),
      }),
      problems: this.homeProblems(paused.problem, problem).concat(
        faultProblems(this.places),
        signal.problem ?? [],
        this.events.problems(),
        this.status.problems(),
        this.machine.problems(),
      ),
      signal: {
        stateFile: this.places.signalStateFile,
        ...(signal.document?.updatedAt === undefined ? {} : { updatedAt: signal.document.updatedAt }),
        events: signal.document?.events ?? [],
      },
      found: {
        events: this.events.exists,
        statusDirectory: this.status.exists,
        signalStateFile: this.signal.exists,
        registry: this.machine.exists,
      },
    };
  }

  /** What is wrong in our own home. A home that may not be used is one problem, not one for each of its files. */
  private homeProblems(...others: (Problem | undefined)[]): Problem[] {
    const { home } = this.places;
    const refusal = folderRefusal(home);
    if (refusal === undefined) return [this.foldProblem, ...others].filter((each) => each !== undefined);
    return [
      { file: home, reason: `${refusal}, so nothing is marked unread and no events are read`, outcome: "refused" },
    ];
  }

  /** Folds what waits in the inbox: how much there is still being written, and the files that changed. */
  private fold(): Pick<Folded, "unfinished" | "files"> {
    try {
      if (!hasWaitingEvents(this.places.home)) return NOTHING_FOLDED;
      const folded = folding().foldEvents(this.places, this.environment, this.clock);
      delete this.foldProblem;
      return folded;
    } catch (error) {
      // What waits stays where it is; what was folded before is shown.
      const reason = `could not be folded: ${reasonOf(error)}`;
      this.foldProblem = { file: join(this.places.home, "inbox"), reason, outcome: "unreadable" };
      return NOTHING_FOLDED;
    }
  }
}

const NOTHING_FOLDED: Pick<Folded, "unfinished" | "files"> = { unfinished: 0, files: [] };

/** Entries of lists in the environment that name no folder: what lies there is missing. */
function faultProblems({ faults = [] }: Places): Problem[] {
  return faults.map(({ variable, reason }) => ({ file: variable, reason, outcome: "refused" }));
}

/** The status files that are not merely our own projection of a session we know from its events. */
function foreign(files: Iterable<ReportRow>, known: ReadonlySet<string>): ReportRow[] {
  const others: ReportRow[] = [];
  for (const row of files) {
    const isOurs = row.report?.writer === WRITER && known.has(sessionKey(row.report));
    if (!isOurs) others.push(row);
  }
  return others;
}

/** How long a single look waits at most for files that are being written, in milliseconds. */
const PATIENCE_MS = 300;

/** One look at everything, with another for files that were just being written, and the snapshot of it. */
export async function observe(surroundings: Surroundings): Promise<Snapshot> {
  const observer = new Observer(surroundings);
  await observer.refreshProcesses();
  let { retryIn } = observer.look();
  for (let waited = 0; retryIn !== undefined && waited < PATIENCE_MS;) {
    const delay = retryIn;
    await new Promise((resolve) => setTimeout(resolve, delay));
    waited += delay;
    ({ retryIn } = observer.look());
  }
  const snapshot = observer.snapshot();
  observer.keep();
  return snapshot;
}
