import * as z from "zod";
import { isoOf } from "../files/timestamp";
import { askInstalled, runInstalled } from "./installed-command";
import { carrierOf, quietIo, type Invoker } from "./invoker";
import { pauseMonitoring, resumeMonitoring } from "./verbs/monitoring";
import { markSessions, type MarkOutcome, type MarkRequest } from "./verbs/read-marks";

export type { Invoker } from "./invoker";

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
  const { command, environment } = carrierOf(invoker);
  if (command === undefined) return markSessions(request, quietIo(environment, invoker));
  const call = { command, argv: argumentsOf(request), environment };
  return askInstalled(call, invoker, (value) => outcomeSchema.parse(value));
}

/**
 * Pauses or resumes monitoring through the command's own verb.
 *
 * @throws SessionsError as `invokeMark`
 */
export async function invokeMonitoring(what: "pause" | "resume", invoker: Invoker): Promise<void> {
  const { command, environment } = carrierOf(invoker);
  if (command !== undefined) await runInstalled({ command, argv: ["monitoring", what], environment }, invoker);
  else if (what === "pause") pauseMonitoring(quietIo(environment, invoker));
  else resumeMonitoring(quietIo(environment, invoker));
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
