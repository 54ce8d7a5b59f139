import type { TerminalFacts } from "../session/terminal-facts";
import type { Call } from "./focus-plan";
import type { ProcessTree } from "./process-tree";

/** How a program that was run ended. */
export type RunResult =
  | { outcome: "ended"; code: number; stdout: string; stderr: string }
  /** It is not installed. */
  | { outcome: "absent" }
  /** It did not answer in time, or could not be started. */
  | { outcome: "failed"; reason: string };

/** What terminals are found and asked through; tests give their own. */
export interface Machine {
  platform: NodeJS.Platform;
  /** The display of X11, where windows can be activated; absent on Wayland. */
  display?: string;
  /** The processes that run now; undefined where the system does not tell them. */
  processes(): Promise<ProcessTree | undefined>;
  /** The terminal's variables a process was started with (and `WINDOW`, screen's); undefined when they cannot be read. */
  factsOf(pid: number): Promise<TerminalFacts | undefined>;
  /** The sockets of this user's tmux servers, the usual one first. */
  tmuxSockets(): readonly string[];
  /** Whether a path is a socket of this user: others could answer as they like. */
  ownsSocket(path: string): boolean;
  /** Whether a program is installed. */
  has(program: string): boolean;
  isFolder(path: string): boolean;
  /** The user's shell, absolute. */
  shell: string;
  home: string;
  /** Runs a program without a shell, and waits for its end. */
  run(call: Call): Promise<RunResult>;
  /**
   * Starts a program that stays, a terminal, without a shell, as if nobody had started it: none of this process's
   * terminal variables. What ends at once and badly, or is not there, is told.
   */
  start(call: Call): Promise<RunResult>;
}
