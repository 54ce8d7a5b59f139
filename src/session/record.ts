import { given } from "./given";
import type { BackgroundCommand, ContextFacts, Monitor, RunningSubagent, Seconds, SessionReport } from "./report";
import type { State, WaitKind } from "./state";
import type { TerminalFacts } from "./terminal-facts";

/** The course of the main agent without its waits: what the session is in once nobody waits for the user. */
export type Phase = Extract<State, "idle" | "working" | "done" | "failed" | "compacting" | "dormant">;

/** A tool call that runs. */
export interface RunningCall {
  tool: string;
  /** The agent's id of the call. */
  call?: string;
  /** A digest of its input: a permission request names no call, only tool and input. */
  input?: string;
  agentId?: string;
  activity?: string;
}

/** One thing the session waits for the user to do. */
export interface Wait {
  kind: WaitKind;
  message?: string;
  /** The call it is about, if known. */
  call?: string;
  tool?: string;
  /** The subagent that waits; absent for the main agent. */
  agentId?: string;
  /** Which server asks, for an elicitation; else the agent's id of the request. */
  source?: string;
}

/**
 * All we know of one session, the fold of its events. `reportOf` gives what others may read of it.
 * Plain data: it is stored as JSON.
 */
export interface SessionRecord {
  agent: string;
  sessionId: string;
  surface?: string;
  phase: Phase;
  /** The phase a compaction interrupted. */
  phaseBefore?: Phase;
  /** No event will tell the end of the compaction: the next one ends it. */
  compactsUntilNext?: true;
  /** The user refused what the turn asked for, and it has not gone on since. */
  refused?: true;
  /** The agent's id of the turn that runs, or ran last. */
  turn?: string;
  waits: Wait[];
  /** The state last entered, from phase and waits, and when. */
  state: State;
  since: Seconds;
  eventAt: Seconds;
  /** When an event of the main agent last told of its state. */
  toldAt?: Seconds;
  event: string;
  calls: RunningCall[];
  /** Running subagents: a set of ids, never a counter. */
  subagents: string[];
  /** What kind each of them is, where it was told. */
  subagentTypes?: Record<string, string>;
  background: Record<string, BackgroundCommand>;
  monitors: Record<string, Monitor>;
  /** What the session wants when no wait says it: the failure. */
  message?: string;
  cwd?: string;
  permissionMode?: string;
  title?: string;
  turnStartedAt?: Seconds;
  doneAt?: Seconds;
  wakeupAt?: Seconds;
  userPromptAt?: Seconds;
  pid?: number;
  pidKnownAt?: Seconds;
  headless?: boolean;
  terminal?: TerminalFacts;
  transcript?: string;
  configDirectory?: string;
  context?: ContextFacts;
  /** The process in which our plugin reports, and when it did last; hooks of the same process are not counted beside it. */
  pluginPid?: number;
  pluginAt?: Seconds;
}

/** The name our own writers sign with. */
export const WRITER = "agent-sessions";

/** What a record says to a reader: the fields of the status file. */
export function reportOf(record: SessionRecord): SessionReport {
  const own = record.calls.filter((call) => call.agentId === undefined);
  const current = own.at(-1);
  const wait = record.waits[0];
  const message = wait?.message ?? record.message;
  return {
    agent: record.agent,
    sessionId: record.sessionId,
    ...given("surface", record.surface),
    state: record.state,
    since: record.since,
    eventAt: record.eventAt,
    event: record.event,
    ...given("tool", current?.tool),
    ...given("activity", current?.activity),
    ...given(
      "message",
      record.state === "waiting" || record.state === "decision" || record.state === "failed" ? message : undefined,
    ),
    ...given("waitingFor", wait?.kind),
    ...given("cwd", record.cwd),
    ...given("permissionMode", record.permissionMode),
    ...given("title", record.title),
    ...given(
      "turnStartedAt",
      record.phase === "working" || record.phase === "compacting" ? record.turnStartedAt : undefined,
    ),
    ...given("doneAt", record.doneAt),
    ...given("wakeupAt", record.wakeupAt),
    ...given("userPromptAt", record.userPromptAt),
    ...given("terminal", record.terminal),
    ...given("toldAt", record.toldAt),
    ...given("headless", record.headless),
    ...given("transcript", record.transcript),
    ...given("configDirectory", record.configDirectory),
    ...given("context", record.context),
    ...(record.pid === undefined ? {} : { process: { pid: record.pid, knownAt: record.pidKnownAt ?? record.eventAt } }),
    subagents: record.subagents.length,
    ...given("runningSubagents", runningSubagents(record)),
    background: record.background,
    monitors: record.monitors,
    writer: WRITER,
  };
}

function runningSubagents({ subagents, subagentTypes }: SessionRecord): RunningSubagent[] | undefined {
  if (subagents.length === 0) return undefined;
  return subagents.map((id) => ({ id, ...given("type", typeOf(subagentTypes, id)) }));
}

function typeOf(types: Record<string, string> | undefined, id: string): string | undefined {
  return types !== undefined && Object.hasOwn(types, id) ? types[id] : undefined;
}
