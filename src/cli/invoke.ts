import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, delimiter } from "node:path";
import * as z from "zod";
import { isoOf } from "../files/timestamp";
import { SessionsError } from "../session/failure";
import { placesOf, type Environment, type PlacePreferences, type Places } from "../store/places";
import type { CliIo } from "./io";
import { markSessions, type MarkOutcome, type MarkRequest } from "./verbs/read-marks";

/** Who carries out an action: this process by default, the installed command when the user named one. */
export interface Invoker {
  preferences: PlacePreferences;
  /** Path of the installed `agent-sessions`; blank or absent: in this process. */
  commandPath?: string | undefined;
  environment?: Environment;
  clock?: CliIo["clock"];
  processes?: CliIo["processes"];
}

/** How long the installed command may take, in milliseconds. */
const TIMEOUT_MS = 30_000;

const OUTPUT_LIMIT = 16 * 1024 * 1024;

const outcomeSchema = z.object({
  verb: z.enum(["read", "unread"]),
  changed: z.array(z.string()),
  unchanged: z.array(z.string()),
});

/**
 * Marks sessions through the command's own verb; the result is the same whoever carries it out.
 *
 * @throws SessionsError what the verb throws; `command-missing` when the named command cannot be run, `command-failed`
 *   with its message when it fails
 */
export async function invokeMark(request: MarkRequest, invoker: Invoker): Promise<MarkOutcome> {
  const environment = environmentFor(invoker);
  const command = invoker.commandPath?.trim() ?? "";
  if (command === "") return markSessions(request, quietIo(environment, invoker));
  const output = await runCommand(expandHome(command), argumentsOf(request), environment);
  return parseOutcome(output, command);
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
function environmentFor({ preferences, environment = process.env }: Invoker): Environment {
  const places: Places = placesOf(environment, preferences);
  return {
    ...environment,
    AGENT_SESSIONS_HOME: places.home,
    AGENT_SESSIONS_STATUS_DIR: places.statusDirectory,
    AGENT_SIGNAL_LIGHT_STATE_FILE: places.signalStateFile,
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
async function runCommand(command: string, argv: readonly string[], environment: Environment): Promise<string> {
  refuseMissing(command);
  const path = [dirname(command), environment.PATH].filter((part) => part !== undefined && part !== "").join(delimiter);
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      argv,
      {
        timeout: TIMEOUT_MS,
        maxBuffer: OUTPUT_LIMIT,
        cwd: homedir(),
        windowsHide: true,
        env: { ...environment, PATH: path, NO_COLOR: "1", TERM: "dumb" },
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        const said = stderr.trim().split("\n").at(-1) ?? "";
        reject(
          new SessionsError("command-failed", said === "" ? `${command} failed: ${error.message}.` : said, undefined, {
            cause: error,
          }),
        );
      },
    );
    child.stdin?.end();
  });
}

function refuseMissing(command: string): void {
  const next = "Correct Command Path in the extension's preferences, or leave it empty.";
  const stats = statSync(command, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw new SessionsError("command-missing", `${command} is not a file.`, next);
  try {
    accessSync(command, constants.X_OK);
  } catch (error) {
    throw new SessionsError("command-missing", `${command} cannot be run.`, next, { cause: error });
  }
}

function parseOutcome(output: string, command: string): MarkOutcome {
  try {
    return outcomeSchema.parse(JSON.parse(output));
  } catch (error) {
    throw new SessionsError(
      "command-failed",
      `${command} answered something else than expected.`,
      "Update it to the extension's version, or leave Command Path empty.",
      { cause: error },
    );
  }
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
}
