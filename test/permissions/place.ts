import { join } from "node:path";
import { controlWatch } from "../../src/cli/control-watch";
import { Observer } from "../../src/observe/observer";
import type { Snapshot } from "../../src/observe/snapshot";
import type { Session } from "../../src/session/session";
import type { Readings, Writings } from "./expectations";
import type { Kind, Shape } from "./traps";
import { environmentOf, WITNESSES, type World } from "./world";

/** What whoever looks saw. */
export interface Seen {
  /** What the place holds counts. */
  isUsed: boolean;
  /** What was said of files, each with the file's path in it. */
  said: readonly string[];
  /** Sessions of another source are shown as ever. */
  showsOthers: boolean;
}

/** One place that is read or written. `look` and `write` run in a process of the user's. */
export interface Place {
  name: string;
  shape: Shape;
  /** Where a trap stands, which holds what it should until then. */
  trap(world: World): string;
  /** What it takes beside the usual world. */
  furnish?(world: World): void;
  reads?: { look(world: World): Seen; expected: Readings };
  /** `write` gives whether the new text can be read where it was written; it throws when it is refused. */
  writes?: {
    write(world: World): boolean;
    expected: Writings;
    /** What is written is beside the trap, which has to stay as it is. */
    isBeside?: true;
  };
  /** Why there can be no trap of a kind here. */
  none?: Partial<Record<Kind, string>>;
  /** What there is to say of it, for who reads the table. */
  note?: string;
}

/** Folders have no hard links. */
export const NO_HARD_LINK = { "hard link": "folders have no hard links" };

/** One look at everything, by an observer that has seen nothing yet. Some seconds on: nothing is young. */
export function snapshotOf(world: World, cache = true): { snapshot: Snapshot; parsed: number } {
  const observer = new Observer({
    places: world.places,
    environment: environmentOf(world),
    clock: () => Date.now() + 10_000,
    control: controlWatch(world.places),
    cache,
  });
  const { parsed } = observer.look();
  return { snapshot: observer.snapshot(), parsed };
}

/** Sees by the list of sessions: whether one is shown as it should be, what is wrong, and whether a witness is there. */
export function seenInList(
  world: World,
  witness: keyof typeof WITNESSES,
  isUsed: (sessions: readonly Session[], snapshot: Snapshot) => boolean,
): Seen {
  const { snapshot } = snapshotOf(world);
  return {
    isUsed: isUsed(snapshot.sessions, snapshot),
    said: snapshot.problems.map(({ file, reason }) => `${file} ${reason}`),
    showsOthers: snapshot.sessions.some(({ id }) => id === WITNESSES[witness]),
  };
}

/** Whether a session is among those that are shown. */
export const shows =
  (id: string) =>
  (sessions: readonly Session[]): boolean =>
    sessions.some((session) => session.id === id);

/** Where something lies in our own home. */
export const inHome =
  (...parts: string[]) =>
  ({ places }: World): string =>
    join(places.home, ...parts);
