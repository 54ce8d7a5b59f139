import { reasonOf, SessionsError } from "../../session/failure";
import { signalNamed } from "../../session/signal";
import { printable } from "../../session/text";
import { parseArguments, type SignalArguments } from "./arguments";
import { helpOf, usage, type HelpTopic } from "./help";
import { HOOKS, runHook } from "./hook-command";
import { FAILED, type SignalIo } from "./io";
import { listSignals } from "./list-signals";
import { runWrapped } from "./run-command";
import { reset, set, setDirectly, setSession } from "./set-signal";
import { status } from "./show-status";

export type { SignalIo } from "./io";

/**
 * Runs `agent-signal` and gives its exit code: 0, or 1 for every error, which is said on stderr in the original's
 * words. Only `run` has other codes. Never throws.
 *
 * @param argv the arguments after the program's name; the first one is the command
 */
export async function runSignal(argv: readonly string[], io: SignalIo): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    io.stderr(`${io.program}: ${printable(reasonOf(error))}\n`);
    return FAILED;
  }
}

async function dispatch([command, ...rest]: readonly string[], io: SignalIo): Promise<number> {
  switch (command) {
    case undefined:
    case "help":
    case "--help":
    case "-h":
      io.stdout(usage(io.program));
      return 0;
    case "--version":
      io.stdout(`${io.program} ${io.version}\n`);
      return 0;
    case "list":
      // The original reads no arguments here, so nothing can be wrong with them.
      if (rest.includes("--help") || rest.includes("-h")) io.stdout(helpOf("list", io.program));
      else listSignals(io);
      return 0;
    case "run":
      return runWrapped(rest, io);
    default:
      return carryOut(commandNamed(command), rest, io);
  }
}

/** A command with the usual arguments. */
interface SignalCommand {
  topic: HelpTopic;
  run(given: SignalArguments, io: SignalIo): void | Promise<void>;
}

async function carryOut({ topic, run }: SignalCommand, argv: readonly string[], io: SignalIo): Promise<number> {
  const given = parseArguments(argv);
  if (given.help) io.stdout(helpOf(topic, io.program));
  else await run(given, io);
  return 0;
}

function commandNamed(name: string): SignalCommand {
  switch (name) {
    case "status":
      return { topic: "status", run: status };
    case "reset":
    case "clear-all":
      return { topic: "reset", run: reset };
    case "set":
    case "play":
      return { topic: "set", run: set };
    case "session":
      return { topic: "session", run: setSession };
    case "codex-hook":
      return { topic: "hook", run: (given, io) => runHook(HOOKS.codex, given, io) };
    case "claude-hook":
      return { topic: "hook", run: (given, io) => runHook(HOOKS.claude, given, io) };
    case "agent-hook":
    case "generic-hook":
    case "hook":
      return { topic: "hook", run: (given, io) => runHook(HOOKS.generic, given, io) };
    default: {
      const signal = signalNamed(name);
      if (signal === undefined) throw new SessionsError("usage", `Unknown command: ${name}`);
      return { topic: "signal", run: (given, io) => setDirectly(signal, given, io) };
    }
  }
}
