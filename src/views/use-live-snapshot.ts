import { showFailureToast } from "@raycast/utils";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Snapshot } from "../observe/snapshot";
import { readSettings, type Settings } from "./settings";
import { joinFollowing, keyOf, type Seat } from "./shared-following";
import { nextTextChange } from "./time-text";

/** A snapshot that stays up to date while a view is open. */
export interface LiveSnapshot {
  snapshot?: Snapshot;
  error?: Error;
  isLoading: boolean;
  refresh: () => Promise<void>;
}

/** What is watched, as the user has set it; `change` looks whether that is something else by now. */
export interface Watched {
  watched: Settings["watched"];
  /** Reads the preferences anew; whether they name other sources, or other rules. */
  change: () => boolean;
}

/** Reads what is to be watched at the first render, and again when asked to. */
export function useWatched(): Watched {
  const [watched, setWatched] = useState(() => readSettings().watched);
  const change = useCallback(() => {
    const now = readSettings().watched;
    if (keyOf(watched) === keyOf(now)) return false;
    setWatched(now);
    return true;
  }, [watched]);
  return { watched, change };
}

/**
 * Follows the sources from the first render to the last, and renders anew when something changed or an age did.
 *
 * @param beginsAfter so many milliseconds after the first render: looking at everything keeps a launcher from drawing
 *   what there is to show already. By default it begins right then
 */
export function useLiveSnapshot({ watched, change }: Watched, beginsAfter?: number): LiveSnapshot {
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [error, setError] = useState<Error>();
  const seat = useRef<Seat>(undefined);

  useEffect(() => {
    const sit = () => {
      seat.current = joinFollowing(watched, {
        onSnapshot: (next) => {
          setSnapshot(next);
          setError(undefined);
        },
        onFailure: (reason) => setError(reason instanceof Error ? reason : new Error(String(reason))),
      });
    };
    const timer = beginsAfter === undefined ? undefined : setTimeout(sit, beginsAfter);
    if (timer === undefined) sit();
    return () => {
      clearTimeout(timer);
      seat.current?.leave();
      seat.current = undefined;
    };
    // What is shown meanwhile is there once: it decides no second beginning.
  }, [watched]);

  useEffect(() => {
    if (snapshot === undefined) return;
    const timer = setTimeout(() => setSnapshot({ ...snapshot, at: Date.now() / 1000 }), untilOlder(snapshot) * 1000);
    return () => clearTimeout(timer);
  }, [snapshot]);

  /** Looks at everything; begins anew when it has not begun, or when the user has named other places meanwhile. */
  const refresh = useCallback(async () => {
    if (change()) {
      setSnapshot(undefined);
      setError(undefined);
      return;
    }
    try {
      seat.current?.refresh();
    } catch (reason) {
      await showFailureToast(reason, { title: "Could Not Refresh" });
    }
  }, [change]);

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
