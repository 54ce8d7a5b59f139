import type { Seconds } from "./report";

/** What an agent's own registry says a session does right now. */
export type LiveStatus = "idle" | "busy" | "waiting" | "shell";

/**
 * A session as the registry of its agent has it: it runs now, or did when its process was killed. Every field but its
 * identity may be missing: registries are not documented, and change.
 */
export interface LiveEntry {
  agent: string;
  sessionId: string;
  pid?: number;
  /** When that process started, as the agent noted it, in the system's own spelling. */
  processStart?: string;
  /** Where its process number means what it says (a machine's, a container's), as the agent noted it. */
  processDomain?: string;
  /** Absent while the agent has not said, or says something unknown. */
  status?: LiveStatus;
  /** What it waits for, in the agent's words: `permission prompt`, `input needed`, `dialog open`, … */
  waitingFor?: string;
  /** When `status` was entered. */
  statusAt?: Seconds;
  /** When the entry was written last. */
  updatedAt?: Seconds;
  startedAt?: Seconds;
  cwd?: string;
  /** The name under which other sessions reach it. */
  name?: string;
  /** Whether the user gave the name. */
  isNamedByUser?: boolean;
  kind?: "interactive" | "background";
  /** The background job it runs as. */
  jobId?: string;
  /** A run without a terminal of its own (`claude -p`, an SDK). */
  headless?: boolean;
  version?: string;
  entrypoint?: string;
  /** The tmux pane: `session:@window.%pane`. */
  tmux?: string;
  /** The configuration folder whose registry it is. */
  configDirectory?: string;
  transcript?: string;
}
