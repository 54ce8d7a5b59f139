import { useCallback, useEffect, useRef, useState } from "react";
import { follow, type Live } from "../observe/live";
import type { Snapshot } from "../observe/snapshot";
import { ageOf, nextAgeChange } from "../session/age";
import { readSettings } from "./settings";

/** A snapshot that stays up to date while a view is open. */
export interface LiveSnapshot {
  snapshot?: Snapshot;
  error?: Error;
  isLoading: boolean;
  refresh: () => void;
}

/** Follows the sources from the first render to the last, and renders anew when something changed or an age did. */
export function useLiveSnapshot(): LiveSnapshot {
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [error, setError] = useState<Error>();
  const live = useRef<Live>(undefined);

  useEffect(() => {
    let isOpen = true;
    const started = follow({ places: readSettings().places }, (next) => {
      if (!isOpen) return;
      setSnapshot(next);
      setError(undefined);
    });
    started.then(
      (following) => {
        live.current = following;
      },
      (reason: unknown) => {
        if (isOpen) setError(reason instanceof Error ? reason : new Error(String(reason)));
      },
    );
    return () => {
      isOpen = false;
      live.current = undefined;
      // What could not be started has nothing to stop.
      void started.then((following) => following.stop()).catch(() => undefined);
    };
  }, []);

  useEffect(() => {
    if (snapshot === undefined) return;
    const timer = setTimeout(() => setSnapshot({ ...snapshot, at: Date.now() / 1000 }), untilOlder(snapshot) * 1000);
    return () => clearTimeout(timer);
  }, [snapshot]);

  const refresh = useCallback(() => {
    live.current?.refresh();
  }, []);

  return { snapshot, error, isLoading: snapshot === undefined && error === undefined, refresh };
}

/** Seconds until an age that is shown reads differently. */
function untilOlder({ sessions, at }: Snapshot): number {
  return Math.max(1, Math.min(60, ...sessions.map(({ since }) => nextAgeChange(ageOf(since, at)))));
}
