import { dirname } from "node:path";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Snapshot } from "../../observe/snapshot";
import { EventLogs, type Timeline } from "../../store/event-log";
import { watchFolder } from "../../store/watch";
import { readSettings } from "../settings";
import { useLiveSnapshot, useWatched } from "../use-live-snapshot";
import { requestOf, type EventFilter } from "./event-filter";
import { READ } from "./event-row";

/** A timeline that stays up to date while a view is open. */
export interface LiveTimeline {
  snapshot?: Snapshot;
  timeline?: Timeline;
  error?: Error;
  isLoading: boolean;
  refresh: () => Promise<void>;
}

/** A timeline, and what it is of. */
interface Shown {
  timeline: Timeline;
  filter: EventFilter;
}

/**
 * Follows the sessions, which folds what comes in, and reads the logs anew each time one changed. What no session got
 * changes none: so the folders in which that is kept are watched, too.
 */
export function useTimeline(filter: EventFilter): LiveTimeline {
  const live = useLiveSnapshot(useWatched());
  const { snapshot, refresh: refreshSessions } = live;
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<Error>();
  const [changes, setChanges] = useState(0);
  const [there, setThere] = useState("");
  const logs = useRef<{ home: string; logs: EventLogs }>(undefined);
  const isFollowing = snapshot !== undefined;

  useEffect(() => {
    if (snapshot === undefined) {
      setShown(undefined);
      return;
    }
    try {
      const { home } = readSettings().places;
      if (logs.current?.home !== home) logs.current = { home, logs: new EventLogs(home) };
      const timeline = logs.current.logs.read({ limit: READ, ...requestOf(filter) });
      setThere(logs.current.logs.sharedFoldersThere.join("\n"));
      setShown((before) => (isSame(before, timeline, filter) ? before : { timeline, filter }));
      setError(undefined);
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)));
    }
  }, [snapshot, filter, changes]);

  // Begun anew when one of the folders has come, which the folder above it tells.
  useEffect(() => {
    if (!isFollowing) return;
    let isOver = false;
    const onChange = () => {
      if (!isOver) setChanges((count) => count + 1);
    };
    const watches = new EventLogs(readSettings().places.home).sharedFolders.flatMap((folder) => [
      watchFolder(folder, onChange),
      watchFolder(dirname(folder), (path) => {
        if (path === folder) onChange();
      }),
    ]);
    // Without a watch, the next change of a session tells.
    const stops = watches.map((watch) => watch.catch(() => undefined));
    // What came before they stood was not told.
    Promise.all(stops).then(onChange, () => undefined);
    return () => {
      isOver = true;
      for (const stopping of stops) stopping.then((stop) => stop?.()).catch(() => undefined);
    };
  }, [isFollowing, there]);

  const refresh = useCallback(async () => {
    await refreshSessions();
    setChanges((count) => count + 1);
  }, [refreshSessions]);

  const timeline = shown?.filter === filter ? shown.timeline : undefined;
  const failure = live.error ?? error;
  return {
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(timeline === undefined ? {} : { timeline }),
    ...(failure === undefined ? {} : { error: failure }),
    isLoading: live.isLoading || (snapshot !== undefined && timeline === undefined && failure === undefined),
    refresh,
  };
}

/** Whether a timeline would show the same: then nothing renders anew. */
function isSame(shown: Shown | undefined, timeline: Timeline, filter: EventFilter): boolean {
  if (shown === undefined || shown.filter !== filter) return false;
  const { entries, problems } = shown.timeline;
  return (
    entries.length === timeline.entries.length &&
    JSON.stringify([entries, problems]) === JSON.stringify([timeline.entries, timeline.problems])
  );
}
