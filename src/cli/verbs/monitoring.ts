import { randomUUID } from "node:crypto";
import type { Signal } from "../../session/signal";
import { clearPaused, setPaused } from "../../store/paused-flag";
import { placesOf } from "../../store/places";
import { sendManualSignal } from "../../store/send-signal";
import { signalRulesOf } from "../../store/signal-settings";
import type { CliIo } from "../io";

/** What the verbs need of their surroundings. */
type Surroundings = Pick<CliIo, "environment" | "clock">;

/**
 * Pauses monitoring until it is resumed: our own flag, which lasts, and Agent Signal's `off`, which tells its app.
 *
 * @throws SessionsError when the flag or the document cannot be written; the flag comes first
 */
export function pauseMonitoring(io: Surroundings): void {
  setPaused(placesOf(io.environment), nowOf(io) / 1000);
  send("off", io);
}

/**
 * Resumes monitoring: the flag goes, and Agent Signal's `idle` ends its pause.
 *
 * @throws SessionsError when the flag cannot be removed or the document cannot be written
 */
export function resumeMonitoring(io: Surroundings): void {
  clearPaused(placesOf(io.environment));
  send("idle", io);
}

function send(signal: Signal, io: Surroundings): void {
  const { environment } = io;
  const place = {
    stateFile: placesOf(environment).signalStateFile,
    rules: signalRulesOf(environment),
    now: () => nowOf(io) / 1000,
  };
  sendManualSignal(place, { signal, eventId: randomUUID().toUpperCase() });
}

function nowOf({ clock = Date.now }: Surroundings): number {
  return clock();
}
