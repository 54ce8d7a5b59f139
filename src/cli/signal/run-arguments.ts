import { SessionsError } from "../../session/failure";
import { splitOption, takeValue } from "./arguments";

/** What `run` was given. */
export interface RunArguments {
  command: readonly string[];
  sessionId?: string;
  agent: string;
  startEvent: string;
  doneEvent: string;
  blockedEvent: string;
  help: boolean;
}

type ValueName = "sessionId" | "agent" | "startEvent" | "doneEvent" | "blockedEvent";

const WITH_VALUE: ReadonlyMap<string, ValueName> = new Map([
  ["--session", "sessionId"],
  ["-s", "sessionId"],
  ["--agent", "agent"],
  ["--source", "agent"],
  ["--start-event", "startEvent"],
  ["--done-event", "doneEvent"],
  ["--blocked-event", "blockedEvent"],
  ["--failed-event", "blockedEvent"],
]);

const DEFAULTS = {
  agent: "script",
  startEvent: "CommandStarted",
  doneEvent: "CommandFinished",
  blockedEvent: "CommandFailed",
} as const;

/**
 * Reads the arguments of `run`: options end with `--` or with the first word that is none; the rest is the command.
 *
 * @throws SessionsError `usage`
 */
export function parseRunArguments(argv: readonly string[]): RunArguments {
  const given: Partial<Record<ValueName, string>> = {};
  const rest = [...argv];
  let help = false;
  for (let token = rest[0]; token?.startsWith("-") && !help; token = rest[0]) {
    rest.shift();
    if (token === "--") break;
    const [option, inline] = splitOption(token);
    const name = WITH_VALUE.get(option);
    if (name !== undefined) given[name] = named(option, inline ?? takeValue(option, rest));
    else if (token === "--help" || token === "-h") help = true;
    else throw new SessionsError("usage", `Unknown option: ${token}`);
  }
  return { ...DEFAULTS, ...given, command: rest, help };
}

/** Unlike the other commands, `run` takes no empty value. */
function named(option: string, value: string): string {
  if (value === "") throw new SessionsError("usage", `Missing value for ${option}.`);
  return value;
}
