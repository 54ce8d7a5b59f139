import { LOOKS } from "../session/looks";
import { STATES, type State } from "../session/state";

/** The states by the words of the list, in lower case: what a person calls them, and the model with them. */
export type StateWord =
  | "decision"
  | "waiting"
  | "failed"
  | "done"
  | "working"
  | "compacting"
  | "subagents"
  | "scheduled"
  | "idle"
  | "ended"
  | "unknown";

/** A state's word. */
export function stateWord(state: State): string {
  return LOOKS[state].word.toLowerCase();
}

/** The state of a word; undefined for any other text. */
export function stateOfWord(word: string): State | undefined {
  return STATES.find((state) => stateWord(state) === word.toLowerCase());
}

/** Every word there is. */
export const STATE_WORDS: readonly string[] = STATES.map(stateWord);
