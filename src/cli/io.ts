import type { Environment } from "../store/places";
import type { SignalIo } from "./signal/io";
import type { ProcessTable } from "../store/process-table";

/** A stream a command writes to. */
export interface Output {
  write(text: string): void;
  isTerminal: boolean;
  /** Columns of the terminal; undefined where there is none. */
  columns?: number;
  /** Rows of the terminal; undefined where there is none. */
  rows?: number;
}

/** All that a command has of the outside world; tests give their own. */
export interface CliIo {
  stdout: Output;
  stderr: Output;
  environment: Environment;
  /** Milliseconds since 1970. */
  clock?: () => number;
  processes?: ProcessTable;
  /** The surroundings of the signal command, called by the name given; absent: this process's. */
  signalIo?: (program: string) => SignalIo;
  /** Aborted when the user interrupts; a command that runs on ends then. */
  interrupt: AbortSignal;
}

/** Exit codes of `agent-sessions`. */
export const EXIT = { ok: 0, failed: 1, usage: 2, nothing: 3 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Whether to color: on a terminal, unless `NO_COLOR` is set to anything (no-color.org) or the terminal is dumb. */
export function wantsColor({ stdout, environment }: Pick<CliIo, "stdout" | "environment">): boolean {
  const refused = environment.NO_COLOR !== undefined && environment.NO_COLOR !== "";
  return stdout.isTerminal && !refused && environment.TERM !== "dumb";
}

/** The environment and columns as a stream and a person set them: a pipe has no width unless `COLUMNS` says so. */
export function widthOf({ stdout, environment }: Pick<CliIo, "stdout" | "environment">): number | undefined {
  if (stdout.columns !== undefined && stdout.columns > 0) return stdout.columns;
  const columns = Number(environment.COLUMNS);
  return Number.isSafeInteger(columns) && columns > 0 ? columns : undefined;
}
