import { SessionsError } from "../../session/failure";
import { signalNamed, type Signal } from "../../session/signal";
import { sendManualSignal, sendSessionSignal } from "../../store/send-signal";
import { allow, type SignalArguments } from "./arguments";
import type { SignalIo } from "./io";
import { eventIdOf, signalPlaceOf } from "./place";
import { showStatus } from "./show-status";

/** `set`, `play`: the signal is the one positional; with `--session` it is that session's. */
export function set(given: SignalArguments, io: SignalIo): void {
  const signal = signalIn(given, "Missing or unknown signal.");
  allow(1, given);
  send(signal, given, io);
}

/** A signal's own name as the command: as `set`, without a positional. */
export function setDirectly(signal: Signal, given: SignalArguments, io: SignalIo): void {
  allow(0, given);
  send(signal, given, io);
}

/** `session`: a session's signal, of the session `global` unless one is named. */
export function setSession(given: SignalArguments, io: SignalIo): void {
  const signal = signalIn(given, "Missing or unknown session signal.");
  allow(1, given);
  send(signal, { ...given, sessionId: given.sessionId ?? "global" }, io);
}

/** `reset`, `clear-all`: idle by hand, whatever session is named. */
export function reset(given: SignalArguments, io: SignalIo): void {
  allow(0, given);
  send("idle", { json: given.json }, io);
}

function signalIn({ positionals }: SignalArguments, complaint: string): Signal {
  const signal = positionals[0] === undefined ? undefined : signalNamed(positionals[0]);
  if (signal === undefined) throw new SessionsError("usage", complaint);
  return signal;
}

/** Sends the signal and shows the status. Agent and event count only for a session: what is set by hand has its own. */
function send(signal: Signal, given: Omit<SignalArguments, "positionals" | "help">, io: SignalIo): void {
  const { sessionId, agent, event } = given;
  const place = signalPlaceOf(io);
  const sent = { signal, eventId: eventIdOf(io) };
  const document =
    sessionId === undefined
      ? sendManualSignal(place, sent)
      : sendSessionSignal(place, { ...sent, sessionId, agent, event });
  showStatus(document, place, given, io);
}
