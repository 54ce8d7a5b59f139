import { spawn, type ChildProcess } from "node:child_process";
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
  // Before the command is there, so that no signal finds this process unprepared.
  const signals = new Forwarding((signal) => !(isTerminal && FROM_TERMINAL.has(signal)));
  return new Promise<ChildEnd>((resolve) => {
    const child = spawn(command, argv, { stdio: "inherit", env: { ...environment } });
    signals.to = child;
    child.once("error", (error) => {
      // Once it runs, an error is a signal that could not be delivered; its end is still to come.
      if (child.pid === undefined) resolve(neverRan(error));
    });
    child.once("exit", (code, signal) => {
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
  })
    .catch(neverRan)
    .finally(() => signals.stop());
}

/** Why a command could not be started. An empty name is one that is not found, as for a shell. */
function neverRan(error: unknown): ChildEnd {
  const code = systemCodeOf(error);
  return code === "ENOENT" || code === "ERR_INVALID_ARG_VALUE"
    ? { code: NOT_FOUND, failure: "command not found" }
    : { code: NOT_RUNNABLE, failure: reasonOf(error) };
}

/** Signals to this process, passed on to a command once it runs. */
class Forwarding {
  to?: ChildProcess;

  constructor(private readonly isMeant: (signal: NodeJS.Signals) => boolean) {
    for (const signal of FORWARDED) process.on(signal, this.forward);
  }

  stop(): void {
    for (const signal of FORWARDED) process.off(signal, this.forward);
  }

  private readonly forward = (signal: NodeJS.Signals) => {
    if (this.isMeant(signal)) this.to?.kill(signal);
  };
}
