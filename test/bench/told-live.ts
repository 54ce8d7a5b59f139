import type { Follower, Live } from "../../src/observe/live";
import type { Snapshot } from "../../src/observe/snapshot";

let current: Snapshot | undefined;
const followers = new Set<Follower>();

/** Has every view that follows be told of a snapshot, and those that will begin to. */
export function tell(snapshot: Snapshot): void {
  current = snapshot;
  for (const { onSnapshot } of Array.from(followers)) onSnapshot(snapshot);
}

/** Stands in for following the sources: what is measured is what comes after it. */
export async function follow(_surroundings: unknown, follower: Follower): Promise<Live> {
  const snapshot = current;
  if (snapshot === undefined) throw new Error("nothing was told yet");
  followers.add(follower);
  follower.onSnapshot(snapshot);
  return { refresh: () => snapshot, stop: async () => void followers.delete(follower) };
}
