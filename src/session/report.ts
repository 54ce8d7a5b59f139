import type { State, WaitKind } from "./state";
import type { LiveStatus } from "./live-entry";
import type { TerminalFacts } from "./terminal-facts";

/** A moment or a span in seconds, moments since 1970-01-01 UTC, with a fraction (status file v1 counts so). */
export type Seconds = number;

/** A command a session runs in the background, by its task id. */
export interface BackgroundCommand {
  /** When it started. */
  at?: Seconds;
  /** The command line, cut to 500 characters. */
  command?: string;
  /** Set once it ended; absent while it runs. */
  status?: string;
  exitCode?: number;
  /** When it ended badly; such an entry is shown for 15 minutes more. */
  failedAt?: Seconds;
}

/** A subagent that runs. */
export interface RunningSubagent {
  id: string;
  /** What kind it is, in the agent's words. */
  type?: string;
}

/** An observer a session keeps running. */
export interface Monitor {
  text: string;
  at?: Seconds;
}

/** The process of an agent, as far as a source is certain of it. */
export interface AgentProcess {
  pid: number;
  /** When it started, in the system's own spelling, where the agent noted it: with the number it tells one from another. */
  start?: string;
  /** Where its number means what it says (a machine's or a container's processes), as the agent noted it. */
  domain?: string;
  /** When it was first known to run: a process that started later is another one with the same number. */
  knownAt: Seconds;
}

/** What an agent's registry knows of a session that runs. */
export interface LiveFacts {
  status?: LiveStatus;
  /** The name under which other sessions reach it. */
  name?: string;
  isNamedByUser?: boolean;
  kind?: "interactive" | "background";
  /** The background job it runs as. */
  jobId?: string;
  version?: string;
  entrypoint?: string;
  /** The tmux pane: `session:@window.%pane`. */
  tmux?: string;
}

/** What a session's model last read. Every field may be missing. */
export interface ContextFacts {
  tokens?: number;
  /** How many tokens fit. */
  window?: number;
  model?: string;
  /** When the model's last answer in the main conversation came. */
  lastAnswerAt?: Seconds;
  /** How long the provider keeps the context after it, where something told. */
  ttl?: Seconds;
  /** The agent said that the context is no longer kept. */
  isGone?: boolean;
  /** When an event told of it. */
  toldAt?: Seconds;
}

/**
 * What one source says of one session: the fields of AItention's status file v1 (seed "Statusdatei, Fassung 1") in
 * our spelling, and what we add to it. Every optional field may be missing; none is made up.
 */
export interface SessionReport {
  agent: string;
  sessionId: string;
  surface?: string;
  state: State;
  /** When the session entered `state`; nothing else moves it. */
  since: Seconds;
  /** When the last event came in. */
  eventAt?: Seconds;
  event?: string;
  tool?: string;
  activity?: string;
  message?: string;
  cwd?: string;
  permissionMode?: string;
  turnStartedAt?: Seconds;
  doneAt?: Seconds;
  wakeupAt?: Seconds;
  subagents?: number;
  /** The subagents that run, by id. Ours; others tell their number only. */
  runningSubagents?: readonly RunningSubagent[];
  background?: Record<string, BackgroundCommand>;
  monitors?: Record<string, Monitor>;
  /** What a wait is for. Ours, not in the seed. */
  waitingFor?: WaitKind;
  /** The session's title: its own, else its first prompt. Ours. */
  title?: string;
  /** When the user last wrote into the session: what was finished by then is read. Ours. */
  userPromptAt?: Seconds;
  process?: AgentProcess;
  /** The window, tab and pane it runs in, as far as its hooks told. Ours. */
  terminal?: TerminalFacts;
  /** When an event of the main agent last told of it: a subagent's events say nothing of the session's own state. Ours. */
  toldAt?: Seconds;
  /** A run without a terminal of its own (`claude -p`, an SDK). Ours. */
  headless?: boolean;
  /** What the agent's own registry knows beside the state. Ours. */
  live?: LiveFacts;
  /** What its model last read, and how long that stays cheap to read again. Ours. */
  context?: ContextFacts;
  /** Where the agent writes the conversation down. Ours. */
  transcript?: string;
  /** The configuration folder the agent runs with, where it is not the usual one. Ours. */
  configDirectory?: string;
  /** Set when we wrote it: then a missing `userPromptAt` means the user wrote nothing. */
  writer?: string;
}
