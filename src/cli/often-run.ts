import type { CliIo } from "./io";
import { list } from "./verbs/list";
import { status } from "./verbs/status";

/** What prompts, status bars and scripts call all the time: it goes without the argument parser. */
export function isOftenRun([verb, ...options]: readonly string[]): boolean {
  const isPlain = options.length === 0 || (options.length === 1 && options[0] === "--json");
  return isPlain && (verb === "list" || verb === "status");
}

/**
 * Runs such a command line.
 *
 * @throws SessionsError what the verb throws
 */
export function runOften([verb, option]: readonly string[], io: CliIo): Promise<number> {
  const json = option === "--json";
  return verb === "status" ? status({ json }, io) : list({ json, states: [], agents: [], needsMe: false }, io);
}
