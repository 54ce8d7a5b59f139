import { showFailureToast } from "@raycast/utils";
import { useEffect, useRef, useState } from "react";
import { follow, type Live } from "../observe/live";
import type { Snapshot } from "../observe/snapshot";
import type { Places } from "../store/places";
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
  const [places, setPlaces] = useState(() => readSettings().places);
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [error, setError] = useState<Error>();
  const live = useRef<Promise<Live>>(undefined);

  useEffect(() => {
    let isOpen = true;
    const started = follow({ places }, (next) => {
      if (!isOpen) return;
      setSnapshot(next);
      setError(undefined);
    });
    live.current = started;
    started.catch((reason: unknown) => {
      if (isOpen) setError(reason instanceof Error ? reason : new Error(String(reason)));
    });
    return () => {
      isOpen = false;
      // What could not be started has nothing to stop.
      started.then((following) => following.stop()).catch(() => undefined);
    };
  }, [places]);

  useEffect(() => {
    if (snapshot === undefined) return;
    const timer = setTimeout(() => setSnapshot({ ...snapshot, at: Date.now() / 1000 }), untilOlder(snapshot) * 1000);
    return () => clearTimeout(timer);
  }, [snapshot]);

  const begin = (at: Places) => {
    setError(undefined);
    setPlaces(at);
  };

  /** Looks at everything; begins anew when it could not begin, or when the user has named other places meanwhile. */
  const refresh = async () => {
    const now = readSettings().places;
    if (!samePlaces(places, now)) {
      setSnapshot(undefined);
      return begin(now);
    }
    const following = await live.current?.catch(() => undefined);
    if (following === undefined) return begin(now);
    try {
      following.refresh();
    } catch (reason) {
      await showFailureToast(reason, { title: "Could Not Refresh" });
    }
  };

  return { snapshot, error, isLoading: snapshot === undefined && error === undefined, refresh };
}

function samePlaces(one: Places, other: Places): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
