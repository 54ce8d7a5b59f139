import type { Seconds } from "../../session/report";
import type { LabelLanguage } from "../../session/signal-label";
import type { Environment } from "../../store/places";

/** All that the signal command has of the outside world; tests give their own. */
export interface SignalIo {
  /** The name the command was called by, which begins every message. */
  program: string;
  version: string;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Standard input to its end; only hooks read it. */
  readStdin(): Promise<string> | string;
  /** Whether standard input is a terminal: then nothing comes until somebody types. */
  isTerminal: boolean;
  environment: Environment;
  /** The folder a relative path starts in. */
  folder: string;
  /** This process, for the id of a wrapped command's session. */
  pid: number;
  /** Seconds since 1970, with a fraction. */
  now(): Seconds;
  /** A fresh UUID, in any case. */
  uuid(): string;
  /** The language of labels; by the locale unless given. */
  language?: LabelLanguage;
}

/** The one exit code of errors, as the original has it. Only `run` has others: those of the command it runs. */
export const FAILED = 1;
