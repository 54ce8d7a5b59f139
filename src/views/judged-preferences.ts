import { createContext, useContext } from "react";
import type { PreferenceProblem } from "./preference-problems";

/** What is wrong with the preferences, as it was judged last. */
export interface Judged {
  problems: readonly PreferenceProblem[];
  /** Judges them anew, as the user may have changed them; whether a view may still show sessions. */
  recheck: () => boolean;
}

/** What a view is told by the gate it stands behind; a view without one is not judged. */
export const JudgedPreferences = createContext<Judged>({ problems: [], recheck: () => true });

/** What is wrong with the preferences and stops no view. */
export function usePreferenceProblems(): readonly PreferenceProblem[] {
  return useContext(JudgedPreferences).problems;
}

/** Judges the preferences anew; whether the view still stands after that. */
export function useRecheck(): () => boolean {
  return useContext(JudgedPreferences).recheck;
}
