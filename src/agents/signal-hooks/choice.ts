import { SIGNALS, signalNamed, type Signal } from "../../session/signal";
import { hasFailure, isFailureWord } from "./failure-marker";
import { first, simplified, type Payload } from "./values";

/** Signals by an event or a status word, looked up in any spelling. */
export type SignalMap = ReadonlyMap<string, Signal>;

/** A map from lists of names. */
export function signalMap(names: Partial<Record<Signal, readonly string[]>>): SignalMap {
  const map = new Map<string, Signal>();
  for (const signal of SIGNALS) for (const name of names[signal] ?? []) map.set(simplified(name), signal);
  return map;
}

/** The signal of an event or a status word, in any spelling; none when the map does not have it. */
export function mapped(name: string, map: SignalMap): Signal | undefined {
  return map.get(simplified(name));
}

/** Where a payload may say itself how things stand. */
export interface Statements {
  /** Keys that name a signal. */
  signal: readonly string[];
  /** Keys with a status in the agent's own words. */
  status: readonly string[];
  /** What those words mean, beside the signals' own names. */
  words?: SignalMap;
}

/** What a payload says itself: a signal, a status, or that something failed. It outranks the event. */
export function stated(payload: Payload, { signal, status, words }: Statements): Signal | undefined {
  const named = first(payload, signal);
  const explicit = named === undefined ? undefined : signalNamed(named);
  if (explicit !== undefined) return explicit;
  const word = first(payload, status);
  const meant = word === undefined ? undefined : meaningOf(word, words);
  return meant ?? (hasFailure(payload) ? "blocked" : undefined);
}

function meaningOf(word: string, words: SignalMap | undefined): Signal | undefined {
  const meant = signalNamed(word) ?? (words === undefined ? undefined : mapped(word, words));
  return meant ?? (isFailureWord(word.toLowerCase()) ? "blocked" : undefined);
}
