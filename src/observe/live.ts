import { presenceOf } from "../store/guarded-read";
import { watchFolder, type StopWatching } from "../store/watch";
import { Observer, type Surroundings } from "./observer";
import type { Snapshot } from "./snapshot";

/** Changes that come together are looked at together. */
const TOGETHER_MS = 30;

/** How often to ask for processes and wake-ups, which no file tells. */
const TICK_MS = 2_000;

/** How often to look at everything, whatever the watch told: systems miss events. */
const WHOLE_MS = 10_000;

/** A live view on the sessions. */
export interface Live {
  /** Looks at everything at once and gives the snapshot, whether or not something changed. */
  refresh(): Snapshot;
  stop(): Promise<void>;
}

/** Who follows. */
export interface Follower {
  /** Called with the first snapshot before `follow` resolves, then on every change that can be seen. */
  onSnapshot: (snapshot: Snapshot) => void;
  /** Called when a later look fails; what was shown stays, and the next look may succeed. */
  onFailure?: (error: unknown) => void;
  /** Ends the following, also before `follow` has resolved. */
  signal?: AbortSignal;
}

/**
 * Keeps a snapshot up to date: by watching the sources, by looking again at files that are being written, and by
 * asking now and then what no file tells.
 *
 * @throws what the first look throws
 */
export async function follow(surroundings: Surroundings, follower: Follower): Promise<Live> {
  const following = new Following(new Observer(surroundings), follower);
  follower.signal?.addEventListener("abort", () => void following.stop(), { once: true });
  following.refresh();
  await following.watch();
  return following;
}

class Following implements Live {
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly pending = new Set<string>();
  private gathering = false;
  private stopped = false;
  private seen = "";
  private ticks = 0;
  private readonly watched = new Map<string, { number: number; stop: StopWatching }>();

  constructor(
    private readonly observer: Observer,
    private readonly follower: Follower,
  ) {
    this.stopped = follower.signal?.aborted === true;
  }

  refresh(): Snapshot {
    const { retryIn } = this.observer.look();
    this.lookAgain(retryIn);
    return this.emit();
  }

  async watch(): Promise<void> {
    await this.watchFolders();
    if (!this.stopped) this.timers.add(setInterval(() => this.guarded(() => this.tick()), TICK_MS));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    await Promise.all(Array.from(this.watched.values(), ({ stop }) => stop()));
  }

  /** Watches the folders that are there, anew where another one stands in a folder's place. */
  private async watchFolders(): Promise<void> {
    for (const folder of new Set(this.observer.folders)) {
      if (this.stopped) return;
      const presence = presenceOf(folder);
      const number = presence.outcome === "there" ? presence.stats.ino : undefined;
      const watched = this.watched.get(folder);
      if (watched?.number === number) continue;
      this.watched.delete(folder);
      await watched?.stop();
      if (number === undefined) continue;
      this.watched.set(folder, { number, stop: async () => undefined });
      const stop = await watchFolder(folder, (path) => this.gather(path));
      if (stop === undefined) continue;
      if (this.stopped) return stop();
      this.watched.set(folder, { number, stop });
      // What changed before the watch stood was not told.
      this.gather(folder);
    }
  }

  private gather(path: string): void {
    this.pending.add(path);
    if (this.gathering || this.stopped) return;
    this.gathering = true;
    this.after(TOGETHER_MS, () => {
      this.gathering = false;
      const paths = Array.from(this.pending);
      this.pending.clear();
      this.lookAt(paths);
    });
  }

  private lookAt(paths?: readonly string[]): void {
    const { changed, retryIn } = this.observer.look(paths);
    this.lookAgain(retryIn);
    // A watch that has just begun tells of its folder only: what is in it may be older than the watch.
    const isMarked = paths?.some((path) => path === this.observer.marks.path || path === this.observer.places.home);
    if (changed || isMarked === true) this.emit();
  }

  private lookAgain(retryIn: number | undefined): void {
    if (retryIn !== undefined) this.after(retryIn, () => this.lookAt());
  }

  private tick(): void {
    this.ticks += 1;
    // What runs is asked each time: no file tells that a process has ended.
    void this.observer.refreshProcesses();
    const isWhole = this.ticks % Math.round(WHOLE_MS / TICK_MS) === 0;
    this.lookAt(isWhole ? undefined : this.observer.registryFolders);
    // A launcher ends a command without a word: what was read is kept while it runs.
    if (isWhole || this.ticks === 1) this.observer.keep();
    // A folder that cannot be watched is still looked at.
    this.watchFolders().catch(() => undefined);
    const snapshot = this.observer.snapshot();
    if (outline(snapshot) !== this.seen) this.tell(snapshot);
  }

  private emit(): Snapshot {
    const snapshot = this.observer.snapshot();
    this.tell(snapshot);
    return snapshot;
  }

  private tell(snapshot: Snapshot): void {
    this.seen = outline(snapshot);
    if (!this.stopped) this.follower.onSnapshot(snapshot);
  }

  /** Does what nobody waits for: its failure must not end the process it runs in. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.follower.onFailure?.(error);
    }
  }

  private after(delay: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.stopped) this.guarded(work);
    }, delay);
    this.timers.add(timer);
  }
}

/** What can change without a file: the states, by process and by time. */
function outline({ sessions, aggregate }: Snapshot): string {
  return `${aggregate.signal} ${sessions.map(({ id, state, unread }) => `${id} ${state} ${unread}`).join("\n")}`;
}
