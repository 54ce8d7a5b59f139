import type { SignalRules } from "../session/signal-rules";
import type { Environment } from "./places";

/** What counts when the environment says nothing, in seconds and events. */
const DEFAULTS: SignalRules = { ttl: { session: 1800, completed: 30 }, eventLimit: 50 };

/**
 * The rules of the signal document by the environment (Agent Signal's variables, seed "State Schema").
 *
 * - `SIGNAL_LIGHT_SESSION_TTL_SECONDS`: a number above 0, else 1800.
 * - `AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS`, or when that is not set at all, `SIGNAL_LIGHT_COMPLETED_TTL_SECONDS`:
 *   a number above 0, else 30. The first that is set decides, even by a value that is none.
 * - `AGENT_SIGNAL_LIGHT_EVENT_LIMIT`: a whole number above 0, else 50.
 */
export function signalRulesOf(environment: Environment): SignalRules {
  const completed =
    environment.AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS ?? environment.SIGNAL_LIGHT_COMPLETED_TTL_SECONDS;
  return {
    ttl: {
      session: positive(environment.SIGNAL_LIGHT_SESSION_TTL_SECONDS, NUMBER) ?? DEFAULTS.ttl.session,
      completed: positive(completed, NUMBER) ?? DEFAULTS.ttl.completed,
    },
    eventLimit: positive(environment.AGENT_SIGNAL_LIGHT_EVENT_LIMIT, WHOLE_NUMBER) ?? DEFAULTS.eventLimit,
  };
}

// As strict as the original: no blanks around, and a word for what never ends.
const NUMBER = /^\+?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)$/i;
const WHOLE_NUMBER = /^\+?\d+$/;

function positive(text: string | undefined, form: RegExp): number | undefined {
  if (text === undefined || !form.test(text)) return undefined;
  const value = /inf/i.test(text) ? Number.POSITIVE_INFINITY : Number(text);
  return value > 0 ? value : undefined;
}
