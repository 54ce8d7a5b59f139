import { execFile, type ExecFileException } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import * as z from "zod";
import { isoOf } from "../files/timestamp";
import { reasonOf, SessionsError, systemCodeOf } from "../session/failure";
import { printable } from "../session/text";
import { placesOf, type Environment, type PlacePreferences, type Places } from "../store/places";
import type { CliIo } from "./io";
import { pauseMonitoring, resumeMonitoring } from "./verbs/monitoring";
import { markSessions, type MarkOutcome, type MarkRequest } from "./verbs/read-marks";

/** Who carries out an action: this process by default, the installed command when the user named one. */
export interface Invoker {
  preferences: PlacePreferences;
  /** Path of the installed `agent-sessions`; blank or absent: in this process. */
  commandPath?: string | undefined;
  /** How long caches are kept, in seconds, when the user set it. */
  cacheTtl?: number;
  environment?: Environment;
  clock?: CliIo["clock"];
  processes?: CliIo["processes"];
  /** How long the installed command may take, in milliseconds. Default: 30 seconds. */
  patience?: number;
}

const PATIENCE_MS = 30_000;

const OUTPUT_LIMIT = 16 * 1024 * 1024;

const outcomeSchema = z.object({
  verb: z.enum(["read", "unread"]),
  changed: z.array(z.string()),
  unchanged: z.array(z.string()),
});

/**
 * Marks sessions through the command's own verb; the result is the same whoever carries it out.
 *
 * @throws SessionsError what the verb throws; `command-missing` when the named command cannot be run; `not-found` or
 *   `command-failed` with the command's message when it fails
 */
export async function invokeMark(request: MarkRequest, invoker: Invoker): Promise<MarkOutcome> {
  const environment = environmentFor(invoker);
  const command = commandOf(invoker.commandPath, environment);
  if (command === undefined) return markSessions(request, quietIo(environment, invoker));
  const output = await runCommand(command, argumentsOf(request), environment, invoker.patience ?? PATIENCE_MS);
  return parseOutcome(output, command);
}

/**
 * Pauses or resumes monitoring through the command's own verb.
 *
 * @throws SessionsError as `invokeMark`
 */
export async function invokeMonitoring(what: "pause" | "resume", invoker: Invoker): Promise<void> {
  const environment = environmentFor(invoker);
  const command = commandOf(invoker.commandPath, environment);
  if (command !== undefined) {
    await runCommand(command, ["monitoring", what], environment, invoker.patience ?? PATIENCE_MS);
  } else if (what === "pause") pauseMonitoring(quietIo(environment, invoker));
  else resumeMonitoring(quietIo(environment, invoker));
}

/** The path of the command as the user wrote it: trimmed, `~` as the home folder, made absolute. */
function commandOf(path: string | undefined, environment: Environment): string | undefined {
  const trimmed = path?.trim() ?? "";
  if (trimmed === "") return undefined;
  const user = environment.HOME?.trim() || homedir();
  return resolve(user, /^~(?=$|[/\\])/.test(trimmed) ? join(user, trimmed.slice(1)) : trimmed);
}

/** The command line of a request; an id never reads as an option, since it follows `--`. */
function argumentsOf(request: MarkRequest): string[] {
  switch (request.verb) {
    case "read":
      return ["read", "--json", ...untilOption(request.until), "--", ...request.ids];
    case "read-all":
      return ["read", "--json", "--all", ...untilOption(request.until)];
    case "unread":
      return ["unread", "--json", "--", ...request.ids];
    default:
      return request satisfies never;
  }
}

function untilOption(until: number | undefined): string[] {
  // Rounded up: the answer the user saw must not end up a fraction of a millisecond after the limit.
  return until === undefined ? [] : ["--until", isoOf(Math.ceil(until * 1000) / 1000)];
}

/** The environment with the preferences' places in it, so that command and launcher mean the same files. */
function environmentFor({ preferences, cacheTtl, environment = process.env }: Invoker): Environment {
  const places: Places = placesOf(environment, preferences);
  const directories = preferences.claudeDirectories?.trim() ?? "";
  return {
    ...environment,
    AGENT_SESSIONS_HOME: places.home,
    AGENT_SESSIONS_STATUS_DIR: places.statusDirectory,
    AGENT_SIGNAL_LIGHT_STATE_FILE: places.signalStateFile,
    ...(directories === "" ? {} : { AGENT_SESSIONS_CLAUDE_DIRS: directories }),
    ...(cacheTtl === undefined ? {} : { AGENT_SESSIONS_CACHE_TTL: `${cacheTtl}s` }),
  };
}

function quietIo(environment: Environment, { clock, processes }: Invoker): CliIo {
  const silent = { write: () => undefined, isTerminal: false };
  return {
    stdout: silent,
    stderr: silent,
    environment,
    interrupt: new AbortController().signal,
    ...(clock === undefined ? {} : { clock }),
    ...(processes === undefined ? {} : { processes }),
  };
}

/** Runs the installed command without a shell. Its folder leads the PATH, so that its `env node` is found. */
async function runCommand(
  command: string,
  argv: readonly string[],
  environment: Environment,
  timeout: number,
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
          if (error === null) fulfill(stdout);
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

/** The exit code by which the command says that no session matched, and the shell's by which it finds no program. */
const NOTHING = 3;
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
  if (error.code === NOTHING && message !== "") return new SessionsError("not-found", message, undefined, cause);
  if (error.code === NOT_FOUND || error.code === "ENOENT") {
    // The file is there, so what runs it is not: a launcher has no shell's PATH.
    const reason = `${command} cannot be run: ${message === "" ? "its interpreter is missing" : message}.`;
    return new SessionsError("command-missing", reason, NEXT, cause);
  }
  if (message !== "") return new SessionsError("command-failed", message, undefined, cause);
  return new SessionsError("command-failed", `${command} failed: ${error.message.trim()}.`, NEXT, cause);
}

function refuseMissing(command: string): void {
  try {
    if (!statSync(command).isFile()) throw new SessionsError("command-missing", `${command} is not a file.`, NEXT);
    accessSync(command, constants.X_OK);
  } catch (error) {
    if (error instanceof SessionsError) throw error;
    const isMissing = systemCodeOf(error) === "ENOENT" || systemCodeOf(error) === "ENOTDIR";
    const reason = isMissing ? "does not exist" : "cannot be run";
    throw new SessionsError("command-missing", `${command} ${reason}.`, NEXT, { cause: error });
  }
}

function parseOutcome(output: string, command: string): MarkOutcome {
  try {
    return outcomeSchema.parse(JSON.parse(output));
  } catch (error) {
    throw new SessionsError(
      "command-failed",
      `${command} did not answer as agent-sessions does.`,
      "Update it to the extension's version, or leave Command Path empty.",
      { cause: error },
    );
  }
}
