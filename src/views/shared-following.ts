import { follow, type Live } from "../observe/live";
import type { Snapshot } from "../observe/snapshot";
import type { Settings } from "./settings";

/** A view that follows. */
export interface Viewer {
  onSnapshot: (snapshot: Snapshot) => void;
  onFailure: (reason: unknown) => void;
}

/** A viewer's part in a following. */
export interface Seat {
  /**
   * Looks at everything; begins anew where the following has not begun or could not.
   *
   * @throws what the look throws
   */
  refresh: () => void;
  /** The last viewer who leaves ends the following. */
  leave: () => void;
}

/** The following of some sources by all views that are open: a view that is pushed over a list costs no second one. */
class Following {
  private readonly viewers = new Set<Viewer>();
  private latest?: Snapshot;
  private failure?: { reason: unknown };
  private live?: Live;
  private closing = new AbortController();

  constructor(
    private readonly watched: Settings["watched"],
    private readonly onEmpty: () => void,
  ) {}

  join(viewer: Viewer): Seat {
    this.viewers.add(viewer);
    if (this.viewers.size === 1) this.begin();
    else if (this.failure !== undefined) viewer.onFailure(this.failure.reason);
    else if (this.latest !== undefined) viewer.onSnapshot(this.latest);
    return {
      refresh: () => {
        if (this.live !== undefined) this.live.refresh();
        else this.begin();
      },
      leave: () => {
        if (!this.viewers.delete(viewer) || this.viewers.size > 0) return;
        this.closing.abort();
        this.onEmpty();
      },
    };
  }

  /** Begins to follow, in place of what began before. */
  private begin(): void {
    this.closing.abort();
    const closing = new AbortController();
    this.closing = closing;
    const onFailure = (reason: unknown) => {
      if (closing.signal.aborted) return;
      this.failure = { reason };
      for (const viewer of Array.from(this.viewers)) viewer.onFailure(reason);
    };
    const onSnapshot = (snapshot: Snapshot) => {
      if (closing.signal.aborted) return;
      this.latest = snapshot;
      delete this.failure;
      for (const viewer of Array.from(this.viewers)) viewer.onSnapshot(snapshot);
    };
    follow(this.watched, { onSnapshot, onFailure, signal: closing.signal }).then((live) => {
      if (!closing.signal.aborted) this.live = live;
    }, onFailure);
  }
}

const followings = new Map<string, Following>();

/** Follows what is watched, together with every view that follows the same. */
export function joinFollowing(watched: Settings["watched"], viewer: Viewer): Seat {
  const key = keyOf(watched);
  const following = followings.get(key) ?? new Following(watched, () => followings.delete(key));
  followings.set(key, following);
  return following.join(viewer);
}

/** What is watched, and by which rules, as a text: equal for equal sources and rules. */
export function keyOf({ places, cacheTtl }: Settings["watched"]): string {
  return JSON.stringify([places, cacheTtl ?? null]);
}
