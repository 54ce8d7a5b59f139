import { SessionsError } from "../../session/failure";

/** A command's arguments. */
export interface SignalArguments {
  positionals: readonly string[];
  sessionId?: string;
  agent?: string;
  event?: string;
  json: boolean;
  /** Help was asked for: nothing else counts. */
  help: boolean;
}

type ValueName = "sessionId" | "agent" | "event";

const WITH_VALUE: ReadonlyMap<string, ValueName> = new Map([
  ["--session", "sessionId"],
  ["-s", "sessionId"],
  ["--agent", "agent"],
  ["--source", "agent"],
  ["--event", "event"],
  ["--label", "event"],
]);

/**
 * Reads the arguments after the command's name, as the original does; beyond it, `--option=value` (which may begin
 * with `-`), `--`, and `--help` are understood.
 *
 * @throws SessionsError `usage`, in the original's words
 */
export function parseArguments(argv: readonly string[]): SignalArguments {
  const positionals: string[] = [];
  const values: Partial<Record<ValueName, string>> = {};
  let json = false;
  const rest = [...argv];
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    const [option, inline] = splitOption(token);
    const valueName = WITH_VALUE.get(option);
    if (valueName !== undefined) values[valueName] = inline ?? takeValue(option, rest);
    else if (token === "--json" || token === "-j") json = true;
    else if (token === "--help" || token === "-h") return { positionals, json, help: true };
    else if (token === "--") positionals.push(...rest.splice(0));
    else if (token.startsWith("-")) throw new SessionsError("usage", `Unknown option: ${token}`);
    else positionals.push(token);
  }
  return { positionals, ...values, json, help: false };
}

/** An option with its value in one token, `--session=x`; only the long ones have that. */
export function splitOption(token: string): [option: string, value?: string] {
  const match = /^(--[^=]+)=(.*)$/s.exec(token);
  return match?.[1] === undefined ? [token] : [match[1], match[2]];
}

/**
 * Takes an option's value off the remaining arguments.
 *
 * @throws SessionsError `usage` when there is none, or an option in its place
 */
export function takeValue(option: string, rest: string[]): string {
  const value = rest[0];
  if (value === undefined || value.startsWith("-")) throw new SessionsError("usage", `Missing value for ${option}.`);
  rest.shift();
  return value;
}

/**
 * Refuses more positionals than a command has.
 *
 * @throws SessionsError `usage`, naming the first surplus one
 */
export function allow(count: number, { positionals }: SignalArguments): void {
  const surplus = positionals[count];
  if (surplus !== undefined) throw new SessionsError("usage", `Unexpected argument: ${surplus}`);
}
