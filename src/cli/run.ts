import { reasonOf, SessionsError } from "../session/failure";
import { printable } from "../session/text";
import { EXIT, type CliIo, type ExitCode } from "./io";
import { isOftenRun, runOften } from "./often-run";
import { VERSION } from "./version";

/**
 * Runs `agent-sessions` and gives its exit code. Never throws: what goes wrong is said on stderr, with the next step.
 *
 * @param argv the arguments after the program's name
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    io.stderr.write(`agent-sessions: ${printable(reasonOf(error))}\n`);
    return error instanceof SessionsError ? exitCodeOf(error) : EXIT.failed;
  }
}

/** Each way to run goes with as little as it needs. */
async function dispatch(argv: readonly string[], io: CliIo): Promise<number> {
  if (isOftenRun(argv)) return runOften(argv, io);
  const [verb, ...options] = argv;
  if (verb === "record") {
    // A hook calls it with whatever its agent gives: nothing of that is an option of ours.
    const { record } = await import("./verbs/record");
    return record(options, io);
  }
  if (verb === "signal") {
    // Its arguments are Agent Signal's, and so are its exit codes.
    const { runSignal } = await import("./signal/run-signal");
    const { processSignalIo } = await import("./signal/process-signal-io");
    return runSignal(options, (io.signalIo ?? processSignalIo)("agent-sessions signal"));
  }
  const { runProgram } = await import("./program");
  return runProgram(argv, VERSION, io);
}

function exitCodeOf({ code }: SessionsError): ExitCode {
  switch (code) {
    case "usage":
    case "ambiguous":
    case "wrong-preference":
      return EXIT.usage;
    case "not-found":
      return EXIT.nothing;
    case "unreadable":
    case "unwritable":
    case "refused":
    case "locked":
    case "bad-format":
    case "command-missing":
    case "command-failed":
      return EXIT.failed;
    default:
      return code satisfies never;
  }
}
