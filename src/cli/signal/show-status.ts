import { describeProblem } from "../../files/problem";
import { encodeSignalStatus, signalStatusText } from "../../files/signal-status";
import type { SignalDocument } from "../../session/signal-document";
import { snapshotOf } from "../../session/signal-snapshot";
import { printable } from "../../session/text";
import { readSignals, type SignalPlace } from "../../store/signal-store";
import { allow, type SignalArguments } from "./arguments";
import type { SignalIo } from "./io";
import { labelLanguageOf } from "./language";
import { localTime } from "./local-time";
import { signalPlaceOf } from "./place";

/** `status`: the document as it counts now. A damaged file is shown as stale, and named on stderr. */
export function status(given: SignalArguments, io: SignalIo): void {
  allow(0, given);
  const place = signalPlaceOf(io);
  const { document, problem } = readSignals(place);
  showStatus(document, place, given, io);
  if (problem !== undefined) io.stderr(`${io.program}: ${printable(describeProblem(problem))}\n`);
}

/** Prints a document as `status` does; the commands that change it end with it. */
export function showStatus(
  document: SignalDocument,
  { stateFile }: Pick<SignalPlace, "stateFile">,
  { json }: Pick<SignalArguments, "json">,
  io: SignalIo,
): void {
  const language = io.language ?? labelLanguageOf(io.environment);
  const shown = { ...snapshotOf(document), stateFile };
  io.stdout(
    json
      ? encodeSignalStatus(shown, language)
      : signalStatusText(shown, language, (moment) => localTime(moment, language)),
  );
}
