import { execFile, type ExecFileException } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname } from "node:path";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import { printable } from "../session/text";
import type { Environment } from "../store/places";
import type { Invoker } from "./invoker";
import { EXIT } from "./io";

const PATIENCE_MS = 30_000;

const OUTPUT_LIMIT = 16 * 1024 * 1024;

/** How the installed command is called. */
export interface InstalledCall {
  command: string;
  argv: readonly string[];
  environment: Environment;
}

/**
 * Runs the installed command without a shell, and gives what it printed.
 *
 * @throws SessionsError `command-missing` when it cannot be run; `not-found` or `command-failed` with its message when it
 *   fails
 */
export function runInstalled(call: InstalledCall, invoker: Pick<Invoker, "patience">): Promise<string> {
  return runCommand(call, invoker, () => false);
}

/**
 * Runs a verb of the installed command that prints its outcome as JSON, a bad one as well, and reads that.
 *
 * @param read throws for what is no outcome of that verb
 * @throws SessionsError as `runInstalled`; `command-failed` when it prints no outcome
 */
export async function askInstalled<T>(
  call: InstalledCall,
  invoker: Pick<Invoker, "patience">,
  read: (value: unknown) => T,
): Promise<T> {
  const output = await runCommand(call, invoker, tellsOutcome);
  try {
    return read(JSON.parse(output));
  } catch (error) {
    throw new SessionsError(
      "command-failed",
      `${call.command} did not answer as agent-sessions does.`,
      "Update it to the extension's version, or leave Command Path empty.",
      { cause: error },
    );
  }
}

/** Whether a command that failed has told on its output what came of it: an error stands on the other one. */
function tellsOutcome(error: ExecFileException, stdout: string): boolean {
  return error.code === EXIT.failed && stdout.trimStart().startsWith("{");
}

/** Its folder leads the PATH, so that its `env node` is found. */
async function runCommand(
  { command, argv, environment }: InstalledCall,
  { patience: timeout = PATIENCE_MS }: Pick<Invoker, "patience">,
  isAnswer: (error: ExecFileException, stdout: string) => boolean,
): Promise<string> {
  refuseMissing(command);
  const path = [dirname(command), environment.PATH].filter((part) => part !== undefined && part !== "").join(delimiter);
  return new Promise((fulfill, reject) => {
    try {
      const child = execFile(
        command,
        argv,
        {
          timeout,
          maxBuffer: OUTPUT_LIMIT,
          cwd: homedir(),
          windowsHide: true,
          env: { ...environment, PATH: path, NO_COLOR: "1", TERM: "dumb" },
        },
        (error, stdout, stderr) => {
          if (error === null || isAnswer(error, stdout)) fulfill(stdout);
          else reject(failureOf(command, error, stderr));
        },
      );
      child.stdin?.end();
    } catch (error) {
      // An argument that no command line can hold, or a file that the system cannot start.
      reject(
        new SessionsError("command-failed", `${command} cannot be run: ${reasonOf(error)}.`, NEXT, { cause: error }),
      );
    }
  });
}

const NEXT = "Correct Command Path in the extension's preferences, or leave it empty.";

/** The shell's exit code by which it finds no program. */
const NOT_FOUND = 127;

/** What went wrong, in the command's own words where it found some. */
function failureOf(command: string, error: ExecFileException, stderr: string): SessionsError {
  const cause = { cause: error };
  const lines = stderr.trim().split("\n");
  const said = lines.find((line) => /^(agent-sessions|\w*error): /i.test(line)) ?? lines.at(-1) ?? "";
  const message = printable(said.replace(/^agent-sessions: /, ""));
  if (error.killed === true) {
    const reason = `${command} did not answer in time.`;
    return new SessionsError("command-failed", reason, "Try again, or leave Command Path empty.", cause);
  }
  if (error.code === EXIT.nothing && message !== "") return new SessionsError("not-found", message, undefined, cause);
  if (error.code === NOT_FOUND || error.code === "ENOENT") {
    // The file is there, so what runs it is not: a launcher has no shell's PATH.
    const reason = `${command} cannot be run: ${message === "" ? "its interpreter is missing" : message}.`;
    return new SessionsError("command-missing", reason, NEXT, cause);
  }
  if (message !== "") return new SessionsError("command-failed", message, undefined, cause);
  return new SessionsError("command-failed", `${command} failed: ${error.message.trim()}.`, NEXT, cause);
}

function refuseMissing(command: string): void {
  const fault = commandFault(command);
  if (fault !== undefined) throw new SessionsError("command-missing", `${command} ${fault}.`, NEXT);
}

/**
 * Why a command cannot be run, as far as that can be told without running it.
 *
 * @param command absolute
 * @returns the end of a sentence that begins with the path; undefined when nothing speaks against it
 */
export function commandFault(command: string): string | undefined {
  try {
    if (!statSync(command).isFile()) return "is not a file";
    accessSync(command, constants.X_OK);
    return undefined;
  } catch (error) {
    const isMissing = systemCodeOf(error) === "ENOENT" || systemCodeOf(error) === "ENOTDIR";
    return isMissing ? "does not exist" : "cannot be run";
  }
}
