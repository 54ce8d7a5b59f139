import { displayStateOf, SIGNALS } from "../../session/signal";
import { labelOf } from "../../session/signal-label";
import type { SignalIo } from "./io";
import { labelLanguageOf } from "./language";

/** `list`: every signal with its display state, name and action, separated by tabs. */
export function listSignals(io: SignalIo): void {
  const language = io.language ?? labelLanguageOf(io.environment);
  const lines = SIGNALS.map((signal) => {
    const { name, action } = labelOf(signal, language);
    return [signal, displayStateOf(signal), name, action].join("\t");
  });
  io.stdout(`${lines.join("\n")}\n`);
}
