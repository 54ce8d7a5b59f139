import type { AgentProcess, Seconds } from "../session/report";
import type { Session } from "../session/session";
import type { Environment } from "../store/places";
import type { Liveness } from "../store/process-table";
import type { AgentTerminal } from "./agent-terminal";
import type { RunProgram } from "./run-program";

/** What control asks of the machine's processes. */
export interface ControlledProcesses {
  /** Whether it still is the process that was noted: number and start together. */
  look(process: AgentProcess): Promise<Liveness>;
  /** The words of its command line; undefined when that is not known. */
  argumentsOf(pid: number): readonly string[] | undefined;
  parentOf(pid: number): number | undefined;
  /** The terminal it reads from; undefined when it has none, or that is not known. */
  terminalOf(pid: number): Promise<AgentTerminal | undefined>;
  /** @throws the system's error */
  signal(pid: number, name: "SIGTERM" | "SIGKILL"): void;
}

/** A local server is asked so; the answer's status, and its text. */
export type AskServer = (request: {
  url: string;
  method: "GET" | "POST";
  body?: unknown;
}) => Promise<{ status: number; text: string }>;

/** All that control has of the outside world; tests give their own. */
export interface ControlSurroundings {
  /** Our home. */
  home: string;
  environment: Environment;
  now(): Seconds;
  /** An id that is never used twice, for a request made now. */
  newId(): string;
  /** Who asks: `launcher`, `command`, or a session's id. */
  author: string;
  run: RunProgram;
  askServer: AskServer;
  processes: ControlledProcesses;
  /** The session as it is right now, looked at anew; undefined when it is known no more. */
  refresh(id: string): Promise<Session | undefined>;
  /** The transcript of a session, and the first prompts in it; neither where there is none. Never throws. */
  transcriptOf(session: Session): { path?: string; prompts: readonly string[] };
  pause(milliseconds: number): Promise<void>;
}
