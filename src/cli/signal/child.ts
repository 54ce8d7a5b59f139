import { spawn } from "node:child_process";
import { constants } from "node:os";
import { reasonOf, systemCodeOf } from "../../session/failure";
import type { Environment } from "../../store/places";

/** How a command ended: its exit code as a shell tells it, and why it could not be started if it was not. */
export interface ChildEnd {
  code: number;
  /** Set when the command never ran. */
  failure?: string;
}

/** A shell's codes for a command that is not there, and for one that cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** Signals that somebody sends to the wrapper and means for the command. */
const FORWARDED = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/** Signals that a terminal sends to the command as well, by itself: forwarded, they would count twice. */
const FROM_TERMINAL: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT"]);

/**
 * Runs a command in this process's place: same input, output and folder. Signals are passed on to it, and this process
 * stays until it ends.
 *
 * @param isTerminal whether it runs at a terminal, which reaches the command by itself
 * @returns the code a shell gives: the command's own, 128 + n when signal n ended it, 127 when there is no such
 *   command, 126 when it cannot be run
 */
export function runChild(
  command: string,
  argv: readonly string[],
  { environment, isTerminal }: { environment: Environment; isTerminal: boolean },
): Promise<ChildEnd> {
  return new Promise((resolve) => {
    // No name at all is a command that is not found, not one to start.
    if (command === "") return resolve({ code: NOT_FOUND, failure: "command not found" });
    const child = spawn(command, argv, { stdio: "inherit", env: { ...environment } });
    const stopForwarding = onSignals((signal) => {
      if (!(isTerminal && FROM_TERMINAL.has(signal))) child.kill(signal);
    });
    child.once("error", (error) => {
      // Once it runs, an error is a signal that could not be delivered; its end is still to come.
      if (child.pid !== undefined) return;
      stopForwarding();
      resolve(
        systemCodeOf(error) === "ENOENT"
          ? { code: NOT_FOUND, failure: "command not found" }
          : { code: NOT_RUNNABLE, failure: reasonOf(error) },
      );
    });
    child.once("exit", (code, signal) => {
      stopForwarding();
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
  });
}

function onSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of FORWARDED) process.on(signal, listener);
  return () => {
    for (const signal of FORWARDED) process.off(signal, listener);
  };
}
