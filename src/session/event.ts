import type { ContextFacts, Seconds } from "./report";
import type { WaitKind } from "./state";
import type { TerminalFacts } from "./terminal-facts";

/** Work that goes on beside the main agent, as an agent lists it at the end of a turn. */
export interface RunningTask {
  id: string;
  kind: "subagent" | "command" | "monitor" | "other";
  /** Command line, or what the task is about. */
  text?: string;
}

/** What a finished tool call changed beside its own end. */
export type ToolEffect =
  | { effect: "command-started"; id: string; command?: string }
  | { effect: "monitor-started"; id: string; text: string }
  | { effect: "task-stopped"; id: string }
  | { effect: "wakeup-planned"; at: Seconds }
  | { effect: "wakeups-cancelled" };

/** Who began a turn. Only `user` means that the user was there. */
export type PromptOrigin = "user" | "wakeup" | "notification" | "peer" | "system";

/** The end of a background task, as a task notification tells it. */
export interface TaskEnd {
  id: string;
  status: string;
  failed: boolean;
  exitCode?: number;
}

/** What every event may tell about its session. */
export interface EventFacts {
  /** When it happened. */
  at: Seconds;
  /** The agent's own name of the event, untranslated. */
  name: string;
  /** Set when it happened inside a subagent. */
  agentId?: string;
  cwd?: string;
  permissionMode?: string;
  title?: string;
  /** The agent's process; only a pid the agent itself names. */
  pid?: number;
  /** A run without a terminal of its own (`claude -p`, an SDK). */
  headless?: boolean;
  /** The terminal it runs in. */
  terminal?: TerminalFacts;
  /** The agent's name for where it runs. */
  surface?: string;
  /** Where the agent writes the conversation down. */
  transcript?: string;
  /** The configuration folder it runs with, where it is not the usual one. */
  configDirectory?: string;
  /** What it tells of what its model last read. */
  context?: ContextFacts;
  /** Our plugin inside the agent told it: then the hooks of the same process tell nothing new. */
  byPlugin?: boolean;
}

/**
 * What happened in a session, whatever agent it is of: each agent's payloads are mapped to these, and `reduce`
 * knows nothing else.
 */
export type Event = EventFacts &
  (
    | { kind: "session-started"; source: "startup" | "resume" | "clear" | "fork" | "compact" }
    | {
        kind: "prompt-submitted";
        origin: PromptOrigin;
        text?: string;
        ended?: TaskEnd[];
        /** The agent's id of the turn it begins. */
        turn?: string;
      }
    | {
        kind: "tool-started";
        tool: string;
        call?: string;
        input?: string;
        activity?: string;
        asks?: Ask;
        /** It may run beside others of the same step: that it starts answers nothing the session waits for. */
        beside?: boolean;
      }
    | { kind: "permission-asked"; tool: string; input?: string; ask: Ask }
    | {
        kind: "tool-finished";
        tool?: string;
        call?: string;
        effects: ToolEffect[];
        /** The agent tells of every turn's beginning: a call that ends after its turn begins none. */
        onlyFromWork?: boolean;
      }
    | {
        kind: "input-asked";
        ask: Ask;
        /** Who asks (a server), or the agent's id of the request: the answer names it again. */
        source?: string;
        /** The call that waits for it, if it is one that runs. */
        call?: string;
      }
    | {
        kind: "input-answered";
        source?: string;
        /** The user said no: unless the turn goes on, its end is no answer. */
        refused?: boolean;
      }
    /** The main agent asks its model again in a turn that runs; of a session at rest it says nothing. */
    | { kind: "step-started" }
    | { kind: "wait-noticed"; ask: Ask }
    | { kind: "idle-noticed" }
    | { kind: "turn-resumed" }
    | {
        kind: "answer-finished";
        running?: RunningTask[];
        wakeupsLeft?: boolean;
        /** When the next wake-up is due. */
        wakeupAt?: Seconds;
        /** The agent's id of the turn that ended. */
        turn?: string;
        /** Another channel tells of the same end, earlier or later: of a turn that is over it says nothing. */
        echo?: boolean;
        /** The agent says so whenever it comes to rest: it ends a turn that runs, and says nothing after another end. */
        onlyFromWork?: boolean;
      }
    | { kind: "turn-failed"; reason: string }
    | { kind: "turn-stopped" }
    | {
        kind: "subagent-started";
        subagent: string;
        /** What kind of subagent it is, in the agent's words. */
        type?: string;
      }
    | { kind: "subagent-stopped"; subagent: string }
    | {
        kind: "compaction-started";
        manual: boolean;
        /** No event tells its end: it is over with the next one of the session. */
        untilNext?: boolean;
      }
    | {
        kind: "compaction-finished";
        /** Absent where the agent does not say: then the session goes back to what the compaction interrupted. */
        manual?: boolean;
      }
    | { kind: "session-ended"; byUser: boolean }
    | { kind: "noted" }
  );

/** What a session wants from the user. */
export interface Ask {
  kind: WaitKind;
  message?: string;
}
