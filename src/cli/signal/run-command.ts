import { basename } from "node:path";
import { reasonOf, SessionsError } from "../../session/failure";
import type { Signal } from "../../session/signal";
import { printable } from "../../session/text";
import { sendSessionSignal } from "../../store/send-signal";
import { runChild } from "./child";
import { helpOf } from "./help";
import type { SignalIo } from "./io";
import { eventIdOf, signalPlaceOf } from "./place";
import { parseRunArguments, type RunArguments } from "./run-arguments";

/** The exit code of a wrong command line, as the original's wrapper has it. */
const WRONG_USAGE = 2;

/**
 * `run`: runs a command and reports it as a session: working while it runs, then done or blocked. Signals that cannot
 * be written are named on stderr and change nothing for the command.
 *
 * @returns the command's exit code; 2 for a wrong command line
 */
export async function runWrapped(argv: readonly string[], io: SignalIo): Promise<number> {
  const given = parsed(argv, io);
  if (given === undefined) return WRONG_USAGE;
  const [command, ...commandArguments] = given.command;
  if (given.help) {
    io.stdout(helpOf("run", io.program));
    return 0;
  }
  if (command === undefined) {
    io.stderr(helpOf("run", io.program));
    return WRONG_USAGE;
  }
  const sessionId = given.sessionId ?? `script-${basename(command)}-${io.pid}`;
  const report = (signal: Signal, event: string) => attempt(signal, { sessionId, agent: given.agent, event }, io);
  report("working", given.startEvent);
  const { code, failure } = await runChild(command, commandArguments, io);
  if (failure !== undefined) io.stderr(`${io.program}: ${printable(`${command}: ${failure}`)}\n`);
  if (code === 0) report("done", given.doneEvent);
  else report("blocked", `${given.blockedEvent}:${code}`);
  return code;
}

function parsed(argv: readonly string[], io: SignalIo): RunArguments | undefined {
  try {
    return parseRunArguments(argv);
  } catch (error) {
    if (!(error instanceof SessionsError)) throw error;
    io.stderr(`${io.program}: ${printable(error.message)}\n`);
    return undefined;
  }
}

function attempt(signal: Signal, session: { sessionId: string; agent: string; event: string }, io: SignalIo): void {
  try {
    sendSessionSignal(signalPlaceOf(io), { ...session, signal, eventId: eventIdOf(io) });
  } catch (error) {
    io.stderr(`${io.program}: ${printable(reasonOf(error))}\n`);
  }
}
