import { useState } from "react";
import { wordsOf } from "./typed-words";

/** The search of a list that holds more rows than it gives the launcher, which cannot find what it was not given. */
export interface OwnSearch {
  /** The words to search all rows by; none while nothing is typed, or the launcher searches alone. */
  words: readonly string[];
  /** Properties for the list: nothing while the launcher searches alone. termcast does so only where nobody listens. */
  searching: { onSearchTextChange?: (typed: string) => void };
}

/**
 * Searches a list itself once it has been cut, and from then on: what is typed while nobody listens is not known later.
 *
 * @param isCut whether the list has more rows than the launcher is given
 */
export function useOwnSearch(isCut: boolean): OwnSearch {
  const [typed, setTyped] = useState("");
  const [wasCut, setWasCut] = useState(isCut);
  if (isCut && !wasCut) setWasCut(true);
  return isCut || wasCut
    ? { words: wordsOf(typed), searching: { onSearchTextChange: setTyped } }
    : { words: [], searching: {} };
}
