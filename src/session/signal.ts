/** Agent Signal's display states by priority, most urgent first (its state document, `display_state`). */
export const DISPLAY_STATES = [
  "paused",
  "blocked",
  "permission",
  "needs_review",
  "stale",
  "active",
  "completed",
  "ready",
] as const;

export type DisplayState = (typeof DISPLAY_STATES)[number];

/** The priority of each display state; the highest wins the aggregate. */
export const PRIORITY: Readonly<Record<DisplayState, number>> = {
  paused: 100,
  blocked: 90,
  permission: 80,
  needs_review: 70,
  stale: 60,
  active: 50,
  completed: 40,
  ready: 0,
};

/** Agent Signal's 23 signals in the order its `list` prints them, each with the display state it stands for. */
const DISPLAY_OF = {
  idle: "ready",
  thinking: "active",
  working: "active",
  tool_done: "active",
  subagent_start: "active",
  subagent_stop: "active",
  attention: "needs_review",
  notification: "needs_review",
  done: "completed",
  permission: "permission",
  permission_request: "permission",
  blocked: "blocked",
  failure: "blocked",
  error: "blocked",
  exception: "blocked",
  max_tokens: "blocked",
  stale: "stale",
  session_start: "ready",
  session_end: "ready",
  turn_end: "ready",
  off: "paused",
  pause: "paused",
  paused: "paused",
} as const satisfies Record<string, DisplayState>;

export type Signal = keyof typeof DISPLAY_OF;

export const SIGNALS: readonly Signal[] = (Object.keys(DISPLAY_OF) as string[]).filter(isSignal);

/** The display state a signal stands for. */
export function displayStateOf(signal: Signal): DisplayState {
  return DISPLAY_OF[signal];
}

/** The priority of a signal, 0 to 100. */
export function priorityOf(signal: Signal): number {
  return PRIORITY[DISPLAY_OF[signal]];
}

/** Whether a text is a signal's exact name, as a document must have it. */
export function isSignal(text: string): text is Signal {
  return Object.hasOwn(DISPLAY_OF, text);
}

const ALIASES: Readonly<Record<string, Signal>> = {
  tooluse: "working",
  tool_use: "working",
  pre_tool_use: "working",
  post_tool_use: "tool_done",
  subagentstart: "subagent_start",
  subagentstop: "subagent_stop",
  permissionrequest: "permission_request",
  maxtokens: "max_tokens",
  failed: "failure",
};

/** The signal a person or a hook means by a name: case, `-` and spaces do not matter, a few aliases count; else none. */
export function signalNamed(name: string): Signal | undefined {
  const plain = name.trim().toLowerCase().replace(/[- ]/g, "_");
  if (Object.hasOwn(ALIASES, plain)) return ALIASES[plain];
  return isSignal(plain) ? plain : undefined;
}

/** The one signal that stands for a signal's display state in an aggregate; active signals stand for themselves. */
export function aggregateForm(signal: Signal): Signal {
  const display = DISPLAY_OF[signal];
  switch (display) {
    case "active":
      return signal;
    case "ready":
      return "idle";
    case "needs_review":
      return "attention";
    case "completed":
      return "done";
    case "permission":
      return "permission";
    case "blocked":
      return "blocked";
    case "stale":
      return "stale";
    case "paused":
      return "off";
    default:
      return display satisfies never;
  }
}

/** A session's signal with the time it was set, in seconds. */
export interface SignalAt {
  signal: Signal;
  updatedAt: number;
}

/**
 * The aggregate of sessions: the form of the signal with the highest priority, the newest where several share it,
 * then the one that stands first in the table, so that the order of the input never matters. None: undefined.
 */
export function aggregateOf(signals: Iterable<SignalAt>): Signal | undefined {
  let best: SignalAt | undefined;
  for (const candidate of signals) if (best === undefined || outranks(candidate, best)) best = candidate;
  return best && aggregateForm(best.signal);
}

function outranks(one: SignalAt, other: SignalAt): boolean {
  const byPriority = priorityOf(one.signal) - priorityOf(other.signal);
  if (byPriority !== 0) return byPriority > 0;
  if (one.updatedAt !== other.updatedAt) return one.updatedAt > other.updatedAt;
  return SIGNALS.indexOf(one.signal) < SIGNALS.indexOf(other.signal);
}
