import type { Identity } from "./identity";
import type { Event, RunningTask, TaskEnd, ToolEffect } from "./event";
import type { Phase, RunningCall, SessionRecord, Wait } from "./record";
import type { Seconds } from "./report";
import type { State } from "./state";

type Draft = SessionRecord;

/**
 * The session after an event. Pure: the same record and event give the same result, and the record passed in stays.
 * Rules of the house: `since` moves only with the state; a subagent's event changes the parent's state only through
 * a wait; a wait ends with its call, its turn or its subagent; subagents are a set of ids.
 *
 * @param before the session so far, undefined for the first event of its id
 */
export function reduce(before: SessionRecord | undefined, identity: Identity, event: Event): SessionRecord {
  if (before !== undefined && isSideRun(before, event)) return before;
  if (before !== undefined && isToldByPlugin(before, event)) return withPlace(before, event);
  const draft = before === undefined ? begin(identity, event) : copy(before);
  note(draft, event);
  apply(draft, event);
  forgetTypes(draft);
  const state = stateOf(draft);
  if (state !== draft.state) {
    draft.state = state;
    draft.since = event.at;
  }
  return draft;
}

/**
 * A headless run that resumed a session which is open elsewhere (`claude -p --resume`): it writes a branch the open
 * session never sees, and its end is not the session's.
 */
function isSideRun(record: SessionRecord, event: Event): boolean {
  return (
    event.headless === true &&
    record.headless !== true &&
    record.phase !== "dormant" &&
    event.pid !== undefined &&
    record.pid !== undefined &&
    event.pid !== record.pid
  );
}

/** A hook of a process in which our plugin reports: it tells the same again, at about the same time. */
export function isToldByPlugin(
  { pluginPid, pluginAt = 0 }: Pick<SessionRecord, "pluginPid" | "pluginAt">,
  { byPlugin, pid, at }: Pick<Event, "byPlugin" | "pid" | "at">,
): boolean {
  return byPlugin !== true && pluginPid !== undefined && pid === pluginPid && at - pluginAt <= PLUGIN_SILENT;
}

/** A plugin that said nothing for so long before a hook does was unloaded: then hooks count again. */
const PLUGIN_SILENT: Seconds = 60;

/** What a hook knows and the plugin may not: the terminal. */
function withPlace(record: SessionRecord, { terminal }: Event): SessionRecord {
  return terminal === undefined || record.terminal !== undefined ? record : { ...record, terminal };
}

function begin(identity: Identity, event: Event): Draft {
  return {
    agent: identity.agent,
    sessionId: identity.sessionId,
    ...(identity.surface === undefined ? {} : { surface: identity.surface }),
    phase: "idle",
    waits: [],
    state: "idle",
    since: event.at,
    eventAt: event.at,
    event: event.name,
    calls: [],
    subagents: [],
    background: {},
    monitors: {},
  };
}

function copy(record: SessionRecord): Draft {
  return {
    ...record,
    waits: [...record.waits],
    calls: [...record.calls],
    subagents: [...record.subagents],
    background: { ...record.background },
    monitors: { ...record.monitors },
  };
}

/** What every event tells, whatever it is. */
function note(draft: Draft, event: Event): void {
  draft.eventAt = Math.max(draft.eventAt, event.at);
  draft.event = event.name;
  if (event.agentId === undefined) noteMain(draft, event);
  if (event.title !== undefined) draft.title = event.title;
  if (event.surface !== undefined) draft.surface = event.surface;
  if (event.terminal !== undefined) draft.terminal = event.terminal;
  if (event.configDirectory !== undefined) draft.configDirectory = event.configDirectory;
  if (event.byPlugin === true && event.pid !== undefined) {
    draft.pluginPid = event.pid;
    draft.pluginAt = event.at;
  }
  if (event.pid !== undefined && event.pid !== draft.pid) {
    draft.pid = event.pid;
    draft.pidKnownAt = event.at;
    draft.headless = event.headless === true;
  }
}

/** What only the main agent's events tell of the session. */
function noteMain(draft: Draft, event: Event): void {
  if (!BESIDE_THE_STATE.has(event.kind)) draft.toldAt = Math.max(draft.toldAt ?? 0, event.at);
  if (event.cwd !== undefined) draft.cwd = event.cwd;
  if (event.permissionMode !== undefined) draft.permissionMode = event.permissionMode;
  if (event.transcript !== undefined) draft.transcript = event.transcript;
  if (event.context !== undefined) draft.context = { ...draft.context, ...event.context, toldAt: event.at };
}

/** Events that say nothing of the main agent's own state. */
const BESIDE_THE_STATE: ReadonlySet<Event["kind"]> = new Set<Event["kind"]>([
  "noted",
  "subagent-started",
  "subagent-stopped",
]);

function apply(draft: Draft, event: Event): void {
  if (event.agentId !== undefined && OF_THE_MAIN_TURN.has(event.kind)) return;
  if (draft.compactsUntilNext === true && event.agentId === undefined && event.kind !== "compaction-started") {
    endCompaction(draft, undefined);
  }
  switch (event.kind) {
    case "session-started":
      return startSession(draft, event);
    case "prompt-submitted":
      return startTurn(draft, event);
    case "tool-started":
      return startTool(draft, event);
    case "permission-asked": {
      const call = draft.calls.findLast(
        (running) => running.tool === event.tool && running.agentId === event.agentId && running.input === event.input,
      );
      return addWait(draft, {
        ...event.ask,
        tool: event.tool,
        ...(call?.call === undefined ? {} : { call: call.call }),
        ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
      });
    }
    case "tool-finished":
      return finishTool(draft, event);
    case "input-asked":
      return addWait(draft, {
        ...event.ask,
        ...(runsCall(draft, event) ? { call: event.call } : {}),
        ...(event.source === undefined ? {} : { source: event.source }),
        ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
      });
    case "input-answered":
      draft.waits = draft.waits.filter((wait) =>
        event.source === undefined ? wait.kind !== "input" : wait.source !== event.source,
      );
      if (event.refused === true && event.agentId === undefined) draft.refused = true;
      return;
    case "wait-noticed":
      // It repeats a wait that is known, save where no other event announces one (a sandboxed network request).
      if (draft.waits.length === 0 && draft.phase === "working") draft.waits.push({ ...event.ask });
      return;
    case "idle-noticed":
      // The agent sits at its prompt: whatever looked like work or a wait of the main agent was stopped (Esc, a denial).
      if (draft.phase === "working" || draft.waits.some((wait) => wait.agentId === undefined)) stopTurn(draft, "idle");
      return;
    case "turn-resumed":
      endWaitsOf(draft, undefined);
      endCallsOfTheMainAgent(draft);
      enter(draft, "working");
      return;
    case "step-started":
      if (draft.phase !== "working") return;
      // Every call of the step before is over, also one that told no end; and so is what it waited for.
      endWaitsOf(draft, undefined);
      endCallsOfTheMainAgent(draft);
      delete draft.refused;
      return;
    case "answer-finished":
      return finishAnswer(draft, event);
    case "turn-failed":
      stopTurn(draft, "failed");
      draft.message = event.reason;
      return;
    case "turn-stopped":
      stopTurn(draft, "idle");
      return;
    case "subagent-started":
      if (!draft.subagents.includes(event.subagent)) draft.subagents.push(event.subagent);
      if (event.type !== undefined) draft.subagentTypes = { ...draft.subagentTypes, [event.subagent]: event.type };
      return;
    case "subagent-stopped":
      removeSubagent(draft, event.subagent);
      return;
    case "compaction-started":
      if (draft.phase !== "compacting") draft.phaseBefore = draft.phase;
      draft.phase = "compacting";
      if (event.untilNext === true) draft.compactsUntilNext = true;
      // Typed by the user in this session: the user was there and saw the answer.
      if (event.manual) draft.userPromptAt = event.at;
      return;
    case "compaction-finished":
      return endCompaction(draft, event.manual);
    case "session-ended":
      if (event.byUser) draft.userPromptAt = event.at;
      return endSession(draft);
    case "noted":
      return;
    default:
      return event satisfies never;
  }
}

/** What is about the main agent's turn: when it happens inside a subagent, it says nothing of the session. */
const OF_THE_MAIN_TURN: ReadonlySet<Event["kind"]> = new Set<Event["kind"]>([
  "turn-resumed",
  "step-started",
  "answer-finished",
  "turn-failed",
  "turn-stopped",
  "idle-noticed",
  "compaction-started",
  "compaction-finished",
]);

function startSession(draft: Draft, event: Extract<Event, { kind: "session-started" }>): void {
  switch (event.source) {
    case "compact":
      return;
    case "startup":
    case "clear":
      // A new conversation holds nothing yet.
      if (event.context === undefined) delete draft.context;
      delete draft.doneAt;
      delete draft.wakeupAt;
      break;
    case "resume":
    case "fork":
      // Opening a session is seeing it; a headless run opens nothing.
      if (event.headless !== true) draft.userPromptAt = event.at;
      break;
    default:
      return event.source satisfies never;
  }
  clearWork(draft);
  delete draft.turnStartedAt;
  enter(draft, "idle");
}

function startTurn(draft: Draft, event: Extract<Event, { kind: "prompt-submitted" }>): void {
  for (const end of event.ended ?? []) endTask(draft, end, event.at);
  // A prompt of a subagent's own turn (Codex) is none of the session's.
  if (event.agentId !== undefined) return;
  switch (event.origin) {
    case "user":
      draft.userPromptAt = event.at;
      if (draft.title === undefined && event.text !== undefined) draft.title = event.text;
      break;
    case "wakeup":
      delete draft.wakeupAt;
      break;
    case "notification":
    case "peer":
    case "system":
      break;
    default:
      event.origin satisfies never;
  }
  draft.waits = [];
  endCallsOfTheMainAgent(draft);
  draft.turnStartedAt = event.at;
  if (event.turn !== undefined) draft.turn = event.turn;
  enter(draft, "working");
}

function startTool(draft: Draft, event: Extract<Event, { kind: "tool-started" }>): void {
  if (event.beside !== true) endWaitsOf(draft, event.agentId);
  const call: RunningCall = {
    tool: event.tool,
    ...(event.call === undefined ? {} : { call: event.call }),
    ...(event.input === undefined ? {} : { input: event.input }),
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
    ...(event.activity === undefined ? {} : { activity: event.activity }),
  };
  draft.calls.push(call);
  if (event.agentId === undefined) enter(draft, "working");
  if (event.asks !== undefined) {
    addWait(draft, {
      ...event.asks,
      tool: event.tool,
      ...(event.call === undefined ? {} : { call: event.call }),
      ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
    });
  }
}

function finishTool(draft: Draft, event: Extract<Event, { kind: "tool-finished" }>): void {
  draft.calls = draft.calls.filter((running) => !isCallOf(running, event));
  draft.waits = draft.waits.filter((wait) => {
    if (wait.agentId !== event.agentId) return true;
    if (wait.call !== undefined) return wait.call !== event.call;
    return wait.kind === "input";
  });
  for (const effect of event.effects) applyEffect(draft, effect, event.at);
  if (event.agentId !== undefined || event.onlyFromWork === true) return;
  // A call of the main agent ended, so its turn goes on, whatever was missed before.
  if (draft.phase === "idle" || draft.phase === "failed") enter(draft, "working");
}

function isCallOf(running: RunningCall, event: Extract<Event, { kind: "tool-finished" }>): boolean {
  if (running.agentId !== event.agentId) return false;
  return event.call === undefined ? running.tool === event.tool : running.call === event.call;
}

function applyEffect(draft: Draft, effect: ToolEffect, at: Seconds): void {
  switch (effect.effect) {
    case "command-started":
      draft.background[effect.id] = { at, ...(effect.command === undefined ? {} : { command: effect.command }) };
      return;
    case "monitor-started":
      draft.monitors[effect.id] = { text: effect.text, at };
      return;
    case "task-stopped":
      delete draft.background[effect.id];
      delete draft.monitors[effect.id];
      removeSubagent(draft, effect.id);
      return;
    case "wakeup-planned":
      draft.wakeupAt = effect.at;
      return;
    case "wakeups-cancelled":
      delete draft.wakeupAt;
      return;
    default:
      return effect satisfies never;
  }
}

function finishAnswer(draft: Draft, event: Extract<Event, { kind: "answer-finished" }>): void {
  const isRunning = draft.phase === "working" || draft.phase === "compacting";
  if (event.onlyFromWork === true && !isRunning) return;
  if (event.onlyFromWork === true && draft.refused === true) return stopTurn(draft, "idle");
  if (event.echo === true && isToldAlready(draft, event.turn, isRunning)) return;
  stopTurn(draft, "done");
  draft.doneAt = event.at;
  keepContext(draft, event.at);
  if (event.turn !== undefined) draft.turn = event.turn;
  if (event.running !== undefined) keepRunning(draft, event.running, event.at);
  if (event.wakeupAt !== undefined) draft.wakeupAt = event.wakeupAt;
  else if (event.wakeupsLeft === false) delete draft.wakeupAt;
}

/** An answer is the clock of the provider's cache: what was known of the context before it is renewed. */
function keepContext(draft: Draft, at: Seconds): void {
  if (draft.context === undefined) return;
  draft.context = { ...draft.context, lastAnswerAt: at };
  delete draft.context.isGone;
}

/**
 * Whether another channel's end of a turn is none of the turn that runs, or was told before. Where turns' beginnings
 * are told, their ends are, too; where none is, the other channel is all there is.
 */
function isToldAlready(draft: Draft, turn: string | undefined, isRunning: boolean): boolean {
  const isThisTurn = turn === undefined || draft.turn === undefined || turn === draft.turn;
  if (draft.turnStartedAt !== undefined) return !isRunning || !isThisTurn;
  return turn !== undefined && turn === draft.turn;
}

/** What an agent lists as running at the end of its turn is the truth about what runs. */
function keepRunning(draft: Draft, running: readonly RunningTask[], at: Seconds): void {
  const ids = (kind: RunningTask["kind"]) => running.filter((task) => task.kind === kind);
  draft.subagents = ids("subagent").map(({ id }) => id);
  draft.waits = draft.waits.filter((wait) => wait.agentId === undefined || draft.subagents.includes(wait.agentId));
  const ended = Object.entries(draft.background).filter(([, command]) => command.failedAt !== undefined);
  draft.background = Object.fromEntries([
    ...ended,
    ...ids("command").map(({ id, text }): [string, SessionRecord["background"][string]] => [
      id,
      { at, ...(text === undefined ? {} : { command: text }), ...draft.background[id] },
    ]),
  ]);
  draft.monitors = Object.fromEntries(
    ids("monitor").map(({ id, text }) => [id, draft.monitors[id] ?? { text: text ?? id, at }]),
  );
}

function endTask(draft: Draft, end: TaskEnd, at: Seconds): void {
  const known = draft.background[end.id];
  delete draft.background[end.id];
  delete draft.monitors[end.id];
  removeSubagent(draft, end.id);
  if (known === undefined || !end.failed) return;
  draft.background[end.id] = {
    ...known,
    status: end.status,
    failedAt: at,
    ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
  };
}

function removeSubagent(draft: Draft, id: string): void {
  draft.subagents = draft.subagents.filter((subagent) => subagent !== id);
  draft.calls = draft.calls.filter((call) => call.agentId !== id);
  draft.waits = draft.waits.filter((wait) => wait.agentId !== id);
}

/** The kinds of subagents that no longer run are forgotten. */
function forgetTypes(draft: Draft): void {
  if (draft.subagentTypes === undefined) return;
  const kept = Object.entries(draft.subagentTypes).filter(([id]) => draft.subagents.includes(id));
  if (kept.length === 0) delete draft.subagentTypes;
  else draft.subagentTypes = Object.fromEntries(kept);
}

function addWait(draft: Draft, wait: Wait): void {
  const known = draft.waits.findIndex(
    (other) =>
      other.agentId === wait.agentId &&
      other.call !== undefined &&
      other.call === wait.call &&
      other.source === wait.source,
  );
  // Of two that name neither call nor request, a repetition cannot be told from a second one.
  const isRepeated = draft.waits.some((other) => wait.call === undefined && isSameWait(other, wait));
  if (isRepeated) return;
  const previous = draft.waits[known];
  // The permission request of a question repeats it: the question stays what it is.
  if (previous === undefined) draft.waits.push(wait);
  else draft.waits[known] = { ...wait, ...previous };
}

function isSameWait(one: Wait, other: Wait): boolean {
  return (["kind", "message", "call", "tool", "agentId", "source"] as const).every((key) => one[key] === other[key]);
}

/** A later step of the same agent: what it waited for was answered. */
function endWaitsOf(draft: Draft, agentId: string | undefined): void {
  draft.waits = draft.waits.filter((wait) => wait.agentId !== agentId);
}

function endCallsOfTheMainAgent(draft: Draft): void {
  draft.calls = draft.calls.filter((call) => call.agentId !== undefined);
}

/** Whether the call an event names runs: a wait for one that does not would never end with it. */
function runsCall(draft: Draft, { call, agentId }: { call?: string; agentId?: string }): boolean {
  return call !== undefined && draft.calls.some((running) => running.call === call && running.agentId === agentId);
}

/** The main agent's turn is over, in whatever way. Its subagents and what they wait for go on. */
function stopTurn(draft: Draft, phase: Phase): void {
  endWaitsOf(draft, undefined);
  endCallsOfTheMainAgent(draft);
  enter(draft, phase);
}

/** A compaction by itself goes on to work; one by hand, or one of which nothing is known, back to what was before. */
function endCompaction(draft: Draft, manual: boolean | undefined): void {
  if (draft.phase !== "compacting") return;
  const before = draft.phaseBefore;
  enter(draft, manual === false ? "working" : (before ?? (manual === true ? "idle" : "working")));
}

function endSession(draft: Draft): void {
  clearWork(draft);
  delete draft.wakeupAt;
  enter(draft, "dormant");
}

function clearWork(draft: Draft): void {
  draft.waits = [];
  draft.calls = [];
  draft.subagents = [];
  draft.background = {};
  draft.monitors = {};
}

/** The phase that now is, free of what belonged to the one before. */
function enter(draft: Draft, phase: Phase): void {
  draft.phase = phase;
  delete draft.phaseBefore;
  delete draft.compactsUntilNext;
  delete draft.refused;
  delete draft.message;
}

/** Phase and waits as one state: a choice is a decision, everything else the user must answer is waiting. */
function stateOf({ phase, waits }: SessionRecord): State {
  const wait = waits[0];
  if (wait === undefined) return phase;
  return wait.kind === "question" || wait.kind === "plan" ? "decision" : "waiting";
}
