import type { AgentTerminal } from "./agent-terminal";
import { iterm2Keyboard } from "./keyboard-iterm2";
import { kittyKeyboard } from "./keyboard-kitty";
import { tmuxKeyboard } from "./keyboard-tmux";
import { weztermKeyboard } from "./keyboard-wezterm";
import type { RunProgram } from "./run-program";
import type { TypingPlace } from "./typing-place";

/** Whose pane it has to be. */
export interface TypedInto {
  pid: number;
  terminal: AgentTerminal;
  parentOf(pid: number): number | undefined;
}

/**
 * The keyboard of one pane. Each step gives the reason why it could not be done; undefined when it was.
 */
export interface Keyboard {
  /** Proves that the pane is the agent's own and takes what is typed. Nothing is typed before. */
  prove(agent: TypedInto): Promise<string | undefined>;
  /** Empties the input, and leaves its shell mode. */
  clear(): Promise<string | undefined>;
  /** Writes a text without sending it off. With line breaks it goes in as a paste. */
  write(text: string): Promise<string | undefined>;
  /** Presses Enter. */
  enter(): Promise<string | undefined>;
  /** Presses Escape. */
  escape(): Promise<string | undefined>;
}

/** The keyboard of a place. */
export function keyboardOf(place: TypingPlace, run: RunProgram): Keyboard {
  switch (place.terminal) {
    case "tmux":
      return tmuxKeyboard(place, run);
    case "kitty":
      return kittyKeyboard(place, run);
    case "wezterm":
      return weztermKeyboard(place, run);
    case "iterm2":
      return iterm2Keyboard(place, run);
    default:
      return place satisfies never;
  }
}
