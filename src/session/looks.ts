import type { Session } from "./session";
import type { State } from "./state";

/** How urgent a state looks; each front end has one color a tone. */
export type Tone = "urgent" | "answer" | "active" | "planned" | "calm" | "doubt";

/** How a state reads, everywhere: its word, its sign in a terminal, its icon's name in `assets/`, its tone. */
export interface Look {
  word: string;
  sign: string;
  icon: string;
  tone: Tone;
}

/** The one table from state to looks. */
export const LOOKS: Readonly<Record<State, Look>> = {
  decision: { word: "Decision", sign: "?", icon: "state-decision", tone: "urgent" },
  waiting: { word: "Waiting", sign: "!", icon: "state-waiting", tone: "urgent" },
  failed: { word: "Failed", sign: "✗", icon: "state-failed", tone: "urgent" },
  done: { word: "Done", sign: "✓", icon: "state-done", tone: "answer" },
  working: { word: "Working", sign: "▶", icon: "state-working", tone: "active" },
  compacting: { word: "Compacting", sign: "»", icon: "state-compacting", tone: "active" },
  waitingForSubagents: { word: "Subagents", sign: "⋔", icon: "state-waiting-for-subagents", tone: "active" },
  scheduled: { word: "Scheduled", sign: "◷", icon: "state-scheduled", tone: "planned" },
  idle: { word: "Idle", sign: "·", icon: "state-idle", tone: "calm" },
  dormant: { word: "Ended", sign: "-", icon: "state-dormant", tone: "calm" },
  unknown: { word: "Unknown", sign: "~", icon: "state-unknown", tone: "doubt" },
};

/** What a session wants from the user, in a few words; undefined when it wants nothing. */
export function wantOf({ state, waitingFor }: Pick<Session, "state" | "waitingFor">): string | undefined {
  switch (state) {
    case "decision":
      return waitingFor === "plan" ? "Asks to approve its plan" : "Asks a question with choices";
    case "waiting":
      return waitingFor === "input" ? "Waits for input" : "Asks for permission";
    case "failed":
      return "Its turn failed";
    default:
      return undefined;
  }
}
