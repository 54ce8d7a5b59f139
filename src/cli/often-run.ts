import { oftenBar } from "./bars/often-bars";
import type { CliIo } from "./io";
import { list } from "./verbs/list";
import { status } from "./verbs/status";

/** What prompts, status bars and scripts call all the time: it goes without the argument parser. */
export function isOftenRun(argv: readonly string[]): boolean {
  const [verb, ...options] = argv;
  const isPlain = options.length === 0 || (options.length === 1 && options[0] === "--json");
  return (isPlain && (verb === "list" || verb === "status")) || oftenBar(argv) !== undefined;
}

/**
 * Runs such a command line.
 *
 * @throws SessionsError what the verb throws
 */
export function runOften(argv: readonly string[], io: CliIo): Promise<number> {
  const bar = oftenBar(argv);
  if (bar !== undefined) return bar(io);
  const [verb, option] = argv;
  const json = option === "--json";
  return verb === "status" ? status({ json }, io) : list({ json, states: [], agents: [], needsMe: false }, io);
}
