import { signalStateFileOf } from "../../store/places";
import { signalRulesOf } from "../../store/signal-settings";
import type { SignalPlace } from "../../store/signal-store";
import type { SignalIo } from "./io";

/** The signal document of this command's environment. */
export function signalPlaceOf({ environment, folder, now }: SignalIo): SignalPlace {
  return { stateFile: signalStateFileOf(environment, folder), rules: signalRulesOf(environment), now };
}

/** The id of a new entry in the document's history, as the original writes it. */
export function eventIdOf({ uuid }: SignalIo): string {
  return uuid().toUpperCase();
}
