import { basename, dirname } from "node:path";
import { aggregateSessions } from "../session/aggregate";
import type { Seconds } from "../session/report";
import { ParseCache } from "../store/parse-cache";
import type { Places } from "../store/places";
import { MachineProcesses, type ProcessTable } from "../store/process-table";
import { ReadMarksFile } from "../store/read-marks";
import { SignalDocumentFile } from "../store/signal-document-file";
import { StatusDirectory } from "../store/status-directory";
import { RowMemory } from "./row-memory";
import { isPausedBy, signalSightings } from "./signal-sightings";
import type { Snapshot } from "./snapshot";

/** Agent Signal's default: a session nobody confirmed for this long is no longer known. */
const SESSION_TTL: Seconds = 1800;

/** A cache is written anew when this share of its rows changed, and no oftener. */
const CACHE_SHARE = 0.01;

/** What an observer needs of its surroundings; each has the machine's own as default. */
export interface Surroundings {
  places: Places;
  /** Milliseconds since 1970. */
  clock?: () => number;
  processes?: ProcessTable;
  sessionTtl?: Seconds;
  /** Whether to keep what was read for a later run; a short run reads it instead of the files. Default: true. */
  cache?: boolean;
}

/** What a look at the sources found. */
export interface Observation {
  changed: boolean;
  /** How many files were parsed for it. */
  parsed: number;
  /** Milliseconds until another look is due. */
  retryIn?: number;
}

/**
 * Watches over all sources: looks at what changed, and gives the snapshot of what is known. Only reads, save the read
 * marks' baseline and its own cache.
 */
export class Observer {
  readonly places: Places;
  readonly marks: ReadMarksFile;
  private readonly clock: () => number;
  private readonly processes: ProcessTable;
  private readonly sessionTtl: Seconds;
  private readonly memory = new RowMemory();
  private readonly directory: StatusDirectory;
  private readonly document: SignalDocumentFile;
  private readonly caches?: { directory: ParseCache; document: ParseCache };

  constructor({ places, clock = Date.now, processes, sessionTtl = SESSION_TTL, cache = true }: Surroundings) {
    this.places = places;
    this.clock = clock;
    this.processes = processes ?? new MachineProcesses();
    this.sessionTtl = sessionTtl;
    this.marks = new ReadMarksFile(places.home);
    this.directory = new StatusDirectory(places.statusDirectory);
    this.document = new SignalDocumentFile(places.signalStateFile);
    if (!cache) return;
    this.caches = {
      directory: new ParseCache(places.home, "status-directory", places.statusDirectory),
      document: new ParseCache(places.home, "signal-document", places.signalStateFile),
    };
    this.directory.restore(this.caches.directory.load());
    this.document.restore(this.caches.document.load());
  }

  /** Now, in seconds since 1970. */
  now(): Seconds {
    return this.clock() / 1000;
  }

  /**
   * Looks at the sources.
   *
   * @param paths only these paths changed, as a watch told; absent: look at everything
   */
  look(paths?: readonly string[]): Observation {
    const now = this.clock();
    const { statusDirectory } = this.places;
    const names = paths?.filter((path) => dirname(path) === statusDirectory).map((path) => basename(path));
    const isWhole = paths === undefined || paths.includes(statusDirectory);
    const directory = this.directory.look(now, isWhole ? undefined : new Set(names));
    const document = this.document.look(now);
    const retries = [directory.retryIn, document.retryIn].filter((delay) => delay !== undefined);
    return {
      changed: directory.changed || document.changed,
      parsed: directory.parsed + document.parsed,
      ...(retries.length === 0 ? {} : { retryIn: Math.min(...retries) }),
    };
  }

  /** What is known now. */
  snapshot(): Snapshot {
    const now = this.now();
    const { marks, problem } = this.marks.load(now);
    const signal = this.document.state;
    const sightings = signalSightings(this.document.path, signal, this.sessionTtl, now);
    const sessions = this.memory.rows(this.directory.files(), sightings, { now, marks, processes: this.processes });
    return {
      at: now,
      sessions,
      aggregate: aggregateSessions(sessions, {
        now,
        paused: isPausedBy(signal),
        unreliable: signal.damagedSince !== undefined,
        ...(signal.document?.aggregate === undefined ? {} : { stored: signal.document.aggregate }),
      }),
      problems: [
        ...this.directory.problems(),
        ...(signal.problem === undefined ? [] : [signal.problem]),
        ...(problem === undefined ? [] : [problem]),
      ],
      signal: {
        stateFile: this.places.signalStateFile,
        ...(signal.document?.updatedAt === undefined ? {} : { updatedAt: signal.document.updatedAt }),
        events: signal.document?.events ?? [],
      },
      found: { statusDirectory: this.directory.exists, signalStateFile: this.document.exists },
    };
  }

  /** Keeps what was read for a later run, if enough of it is new to be worth a write. */
  keep(parsed: number): void {
    if (this.caches === undefined || parsed === 0) return;
    const rows = this.directory.cacheable();
    if (parsed > rows.size * CACHE_SHARE) this.caches.directory.save(rows);
    const document = this.document.cacheable();
    if (document.size > 0) this.caches.document.save(document);
  }
}

/** How long a single look waits at most for files that are being written. */
const PATIENCE_MS = 300;

/** One look at everything, with another for files that were just being written, and the snapshot of it. */
export async function observe(surroundings: Surroundings): Promise<Snapshot> {
  const observer = new Observer(surroundings);
  let observation = observer.look();
  let { parsed } = observation;
  for (let waited = 0; observation.retryIn !== undefined && waited < PATIENCE_MS; waited += observation.retryIn) {
    const delay = observation.retryIn;
    await new Promise((resolve) => setTimeout(resolve, delay));
    observation = observer.look();
    parsed += observation.parsed;
    if (observation.retryIn === undefined) break;
  }
  observer.keep(parsed);
  return observer.snapshot();
}
