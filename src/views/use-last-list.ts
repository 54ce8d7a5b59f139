import { useEffect, useMemo, useRef, useState } from "react";
import type { LastList } from "../files/last-list";
import type { Snapshot } from "../observe/snapshot";
import type { Seconds } from "../session/report";
import { LastListFile } from "../store/last-list";
import type { Settings } from "./settings";
import { keyOf } from "./shared-following";

/** How long after the first rows they are kept for the next opening, in milliseconds: nobody waits for the window then. */
const FIRST_MS = 1_000;

/** How often they are kept at most while the list is open, in milliseconds. */
const AGAIN_MS = 15_000;

/** The same rows are kept once more when the list closes so much later. */
const RENEW: Seconds = 60;

/** How often the age of what is not up to date is looked at, in milliseconds: no age counts in less. */
const AGE_MS = 60_000;

/**
 * What the list of these sources showed last, if anything, and where it is kept: rows of other folders, or by other rules,
 * are none of its own.
 */
export function useLastList(watched: Settings["watched"]): { file: LastListFile; last?: LastList } {
  return useMemo(() => {
    const file = new LastListFile(watched.places.home, keyOf(watched));
    const last = file.load();
    return { file, ...(last === undefined || last.sessions.length === 0 ? {} : { last }) };
  }, [watched]);
}

/** Now, as exactly as ages are told, while something shows that no snapshot dates. */
export function useNow(isShown: boolean): Seconds {
  const [now, setNow] = useState(() => (isShown ? Date.now() / 1000 : 0));
  useEffect(() => {
    if (!isShown) return;
    // The first look is the render's own, unless nothing showed then.
    const look = () => setNow((before) => (Date.now() / 1000 - before < 1 ? before : Date.now() / 1000));
    look();
    const timer = setInterval(look, AGE_MS);
    return () => clearInterval(timer);
  }, [isShown]);
  return now;
}

/**
 * Keeps the rows of a list for its next opening: soon after it has rendered them, seldom while it changes, and once more
 * when it closes, where the launcher gives it the time.
 *
 * @param agents further agents to filter by, beside those of the sessions
 */
export function useKeeping(file: LastListFile, snapshot: Snapshot | undefined, agents: readonly string[]): void {
  const latest = useRef<{ snapshot: Snapshot; agents: readonly string[] }>(undefined);
  const timer = useRef<NodeJS.Timeout>(undefined);
  const isFirst = useRef(true);

  useEffect(() => {
    if (snapshot === undefined) return;
    latest.current = { snapshot, agents };
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        isFirst.current = false;
        if (latest.current !== undefined) file.save(latest.current.snapshot, latest.current.agents);
      },
      isFirst.current ? FIRST_MS : AGAIN_MS,
    );
  }, [file, snapshot, agents]);

  useEffect(() => {
    isFirst.current = true;
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      if (latest.current !== undefined) file.save(latest.current.snapshot, latest.current.agents, RENEW);
      latest.current = undefined;
    };
  }, [file]);
}
