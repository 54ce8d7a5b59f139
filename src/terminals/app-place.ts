import type { TerminalFacts } from "../session/terminal-facts";
import type { FocusPlan } from "./focus-plan";
import type { TerminalApp } from "./which-terminal";

/** Where in a terminal program something runs. */
export interface AppPlace {
  terminal: TerminalApp;
  /** The variables of what runs there, with this terminal's ids. */
  facts: TerminalFacts;
  /** The terminal device of what runs there, as the system tells it. */
  tty?: string;
  /** The processes of what runs there, from the inside out, up to the terminal; empty: not known. */
  pids: readonly number[];
  /** The process of the terminal program. */
  appPid?: number;
  /** macOS: the application's folder. */
  appFolder?: string;
  /** The folder that is worked in, for editors, whose windows are of folders. */
  folder?: string;
}

/** What a terminal's plan depends on beside the place. */
export interface PlanSetting {
  platform: NodeJS.Platform;
  /** The display of X11, where there is one and no Wayland before it. */
  display?: string;
  /** Whether a program is installed. */
  has: (program: string) => boolean;
  /** Whether a path is a socket of this user. */
  owns: (socket: string) => boolean;
}

/** How one terminal brings a place in it forward; undefined where it cannot be done at all. */
export type TerminalStrategy = (place: AppPlace, setting: PlanSetting) => FocusPlan | undefined;
