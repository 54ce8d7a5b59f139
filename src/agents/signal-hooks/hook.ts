import type { Signal } from "../../session/signal";
import type { HookEnvironment, Payload } from "./values";

/** One call of a hook: what its command line, its standard input and its environment say. */
export interface HookCall {
  /** The event as the command line names it; it outranks the payload's. */
  event?: string;
  /** Options of the command line: what they say is taken as it is. */
  sessionId?: string;
  agent?: string;
  recordedEvent?: string;
  payload: Payload;
  environment: HookEnvironment;
}

/** What a hook's call means, for the signal document. */
export interface HookSignal {
  signal: Signal;
  sessionId: string;
  agent: string;
  event?: string;
}

/** Keys under which payloads name the agent. */
export const AGENT_KEYS = [
  "agent",
  "agent_name",
  "source",
  "source_name",
  "app",
  "application",
  "client",
  "tool",
  "runner",
  "provider",
] as const;

/** Keys under which payloads name the folder. */
export const FOLDER_KEYS = ["cwd", "workspace", "workspace_dir", "project_dir"] as const;
