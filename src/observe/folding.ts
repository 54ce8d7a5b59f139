import { randomUUID } from "node:crypto";
import { mapperOf } from "../agents/registry";
import { reportOf, type SessionRecord } from "../session/record";
import { projectSession } from "../session/signal-projection";
import { fold, type Folded } from "../store/fold";
import { presenceOf } from "../store/guarded-read";
import { readPaused } from "../store/paused-flag";
import type { Environment, Places } from "../store/places";
import { signalRulesOf } from "../store/signal-settings";
import { changeSignals } from "../store/signal-store";
import { projectStatusFile } from "../store/status-writer";

/**
 * Folds what agents reported into our store, and tells others of it: AItention's status directory, and Agent Signal's
 * document where it is in use, unless monitoring is paused.
 *
 * @throws SessionsError when the fold cannot be done; what waits stays
 */
export function foldEvents(places: Places, environment: Environment, clock: () => number): Folded {
  const isPaused = readPaused(places).paused;
  const usesSignals = !isPaused && presenceOf(places.signalStateFile).outcome === "there";
  return fold(places.home, {
    clock,
    mapperOf,
    project: (records) => {
      for (const record of records) tell(() => projectStatusFile(places.statusDirectory, reportOf(record)));
      if (usesSignals) tell(() => projectSignals(places, environment, clock, records));
    },
  });
}

/** Others' files are theirs: that one cannot be written must not hold up the fold. Readers of ours lose nothing. */
function tell(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}

function projectSignals(
  places: Places,
  environment: Environment,
  clock: () => number,
  records: readonly SessionRecord[],
): void {
  const rules = signalRulesOf(environment);
  const place = { stateFile: places.signalStateFile, rules, now: () => clock() / 1000, patienceMs: 1000 };
  changeSignals(place, (document, now) => ({
    outcome: "changed",
    document: records.reduce(
      (before, record) => projectSession(before, record, { now, rules, eventId: randomUUID().toUpperCase() }),
      document,
    ),
  }));
}
