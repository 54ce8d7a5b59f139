import { showFailureToast } from "@raycast/utils";
import { useCallback, useEffect, useRef, useState } from "react";
import { follow, type Live } from "../observe/live";
import type { Snapshot } from "../observe/snapshot";
import { readSettings } from "./settings";
import { nextTextChange } from "./time-text";

/** A snapshot that stays up to date while a view is open. */
export interface LiveSnapshot {
  snapshot?: Snapshot;
  error?: Error;
  isLoading: boolean;
  refresh: () => Promise<void>;
}

/** Follows the sources from the first render to the last, and renders anew when something changed or an age did. */
export function useLiveSnapshot(): LiveSnapshot {
  const [watched, setWatched] = useState(() => readSettings().watched);
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [error, setError] = useState<Error>();
  const live = useRef<Live>(undefined);

  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const fail = (reason: unknown) => {
      if (!signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const onSnapshot = (next: Snapshot) => {
      if (signal.aborted) return;
      setSnapshot(next);
      setError(undefined);
    };
    follow(watched, { onSnapshot, onFailure: fail, signal }).then((following) => {
      if (!signal.aborted) live.current = following;
    }, fail);
    return () => {
      live.current = undefined;
      closing.abort();
    };
  }, [watched]);

  useEffect(() => {
    if (snapshot === undefined) return;
    const timer = setTimeout(() => setSnapshot({ ...snapshot, at: Date.now() / 1000 }), untilOlder(snapshot) * 1000);
    return () => clearTimeout(timer);
  }, [snapshot]);

  /** Looks at everything; begins anew when it has not begun, or when the user has named other places meanwhile. */
  const refresh = useCallback(async () => {
    const now = readSettings().watched;
    const isElsewhere = JSON.stringify(watched) !== JSON.stringify(now);
    if (isElsewhere) setSnapshot(undefined);
    if (isElsewhere || live.current === undefined) {
      setError(undefined);
      setWatched(now);
      return;
    }
    try {
      live.current.refresh();
    } catch (reason) {
      await showFailureToast(reason, { title: "Could Not Refresh" });
    }
  }, [watched]);

  return { snapshot, error, isLoading: snapshot === undefined && error === undefined, refresh };
}

/** Seconds until an age that is shown reads differently; what is shown less prominently may be a minute late. */
function untilOlder({ sessions, at }: Snapshot): number {
  const next = sessions.reduce(
    (soonest, { since, wakeupAt }) =>
      Math.min(soonest, nextTextChange(since, at), nextTextChange(wakeupAt ?? since, at)),
    60,
  );
  return Math.max(1, next);
}
