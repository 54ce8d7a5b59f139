import type { FocusPlan } from "./focus-plan";

/** A window of a GNU screen session. */
export interface ScreenPlace {
  kind: "screen";
  /** `pid.name`, as `STY` has it. */
  session: string;
  /** The window's number. */
  window: string;
}

/** The process of a screen session, which its name begins with. */
export function serverOfScreen(session: string): number {
  return Number(/^\d+/.exec(session)?.[0]);
}

/**
 * Selects a window, then asks which one is: screen says nothing of one that is not there, and its status is 0. (`-p`
 * would only name the window that a command is sent to.)
 */
export function planScreen({ session, window }: ScreenPlace): FocusPlan {
  return {
    title: "screen",
    target: `window ${window} in screen`,
    reach: "pane",
    steps: [
      { argv: ["screen", "-S", session, "-X", "select", window] },
      {
        argv: ["screen", "-S", session, "-Q", "number"],
        answer: (output) => (output.startsWith(`${Number(window)} `) ? "done" : "missing"),
      },
    ],
  };
}
