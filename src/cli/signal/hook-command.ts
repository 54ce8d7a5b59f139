import { claudeHook } from "../../agents/signal-hooks/claude";
import { codexHook } from "../../agents/signal-hooks/codex";
import { genericHook } from "../../agents/signal-hooks/generic";
import type { HookCall, HookSignal } from "../../agents/signal-hooks/hook";
import { isPayload, type Payload } from "../../agents/signal-hooks/values";
import { reasonOf, SessionsError } from "../../session/failure";
import { sendSessionSignal } from "../../store/send-signal";
import { allow, type SignalArguments } from "./arguments";
import type { SignalIo } from "./io";
import { eventIdOf, signalPlaceOf } from "./place";

/** The hooks by the agent they are for. */
export const HOOKS = { codex: codexHook, claude: claudeHook, generic: genericHook } as const;

/**
 * A hook's command: the event's JSON on standard input becomes a session's signal. It prints nothing, since what a
 * hook prints goes to the agent.
 *
 * @throws SessionsError `usage` or `bad-format`, or when the document cannot be locked or written
 */
export async function runHook(
  adapter: (call: HookCall) => HookSignal,
  given: SignalArguments,
  io: SignalIo,
): Promise<void> {
  allow(1, given);
  if (io.isTerminal) io.stderr(`${io.program}: reading the event's JSON from the terminal; Ctrl-D ends it.\n`);
  const payload = payloadOf(await io.readStdin());
  const { positionals, sessionId, agent, event: recordedEvent } = given;
  const call = { event: positionals[0], sessionId, agent, recordedEvent, payload, environment: io.environment };
  sendSessionSignal(signalPlaceOf(io), { ...adapter(call), eventId: eventIdOf(io) });
}

/** Nothing at all is an empty object; a byte order mark, which PowerShell sends, is no part of the JSON. */
function payloadOf(text: string): Payload {
  const json = text.replace(/^\uFEFF/, "");
  if (json === "") return {};
  const value = parsed(json);
  if (!isPayload(value)) throw new SessionsError("bad-format", "Hook JSON payload must be an object.");
  return value;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = `Hook JSON payload cannot be read: ${reasonOf(error)}`;
    throw new SessionsError("bad-format", reason, undefined, { cause: error });
  }
}
