import * as z from "zod";
import { killRefusal, killSession, type Killed } from "../control/kill-process";
import { cleanMessage } from "../control/message-text";
import { DELIVERY_WAYS, OUTCOMES, REQUEST_KINDS } from "../session/request";
import { findSession } from "./find-session";
import { askInstalled } from "./installed-command";
import { carrierOf, quietIo, type Invoker } from "./invoker";
import { takeSnapshot } from "./take-snapshot";
import { askSessions, followRequests, surroundingsOf, type AskReport } from "./verbs/ask-sessions";

export type { AskReport } from "./verbs/ask-sessions";

/** What the launcher asks of sessions. */
export type LauncherRequest =
  | {
      kind: "save" | "save-restart";
      /** The sessions, by id, or all that are open. */
      sessions: readonly string[] | "all";
      /** Wake cold sessions, too: each reads its whole context again. */
      includeCold: boolean;
    }
  | { kind: "cancel"; sessions: readonly string[] }
  | { kind: "interrupt"; id: string }
  | { kind: "prompt"; id: string; text: string };

/** A report as the command prints it. Made when one is read: so a command that reads none does not carry it. */
function readReport(value: unknown): AskReport {
  const reported = { id: z.string(), title: z.string() };
  const step = z.object({
    outcome: z.enum(OUTCOMES),
    at: z.number(),
    reason: z.string().optional(),
    proof: z.object({ file: z.string(), lines: z.number() }).optional(),
  });
  const request = z.object({
    // It names a file.
    id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
    kind: z.enum(REQUEST_KINDS),
    by: z.enum(DELIVERY_WAYS).optional(),
    steps: z.array(step).min(1),
  });
  return z
    .object({
      kind: z.enum(REQUEST_KINDS),
      reached: z.array(z.object({ ...reported, request, note: z.string().optional() })),
      leftOut: z.array(z.object({ ...reported, reason: z.string(), tokens: z.number().optional() })),
      refused: z.array(z.object({ ...reported, reason: z.string() })),
    })
    .parse(value);
}

function readKilled(value: unknown): Killed {
  return z
    .discriminatedUnion("outcome", [
      z.object({ outcome: z.literal("ended"), by: z.enum(["SIGTERM", "SIGKILL"]) }),
      z.object({ outcome: z.literal("refused"), reason: z.string() }),
    ])
    .parse(value);
}

/**
 * Asks sessions through the command's own verbs, and gives whom that reached; the result is the same whoever carries it
 * out.
 *
 * @throws SessionsError `usage` for a message that is none; what the verb throws; `command-missing`, `not-found` or
 *   `command-failed` of the named command
 */
export async function invokeRequest(wanted: LauncherRequest, invoker: Invoker): Promise<AskReport> {
  const request = wanted.kind === "prompt" ? { ...wanted, text: cleanMessage(wanted.text).text } : wanted;
  const { command, environment } = carrierOf(invoker);
  if (command !== undefined) {
    const call = { command, argv: argumentsOf(request), environment };
    return askInstalled(call, invoker, readReport);
  }
  const sessions = "id" in request ? [request.id] : request.sessions;
  return askSessions({ ...request, sessions, author: "launcher" }, quietIo(environment, invoker), invoker.control);
}

/** The command line of a request; neither an id nor a message reads as an option, since they follow `--`. */
function argumentsOf(request: LauncherRequest): string[] {
  switch (request.kind) {
    case "save":
    case "save-restart": {
      const { kind, sessions, includeCold } = request;
      const how = [...(kind === "save" ? [] : ["--restart"]), ...(includeCold ? ["--include-cold"] : [])];
      return ["pause", "--json", ...how, ...(sessions === "all" ? ["--all"] : ["--", ...sessions])];
    }
    case "cancel":
      return ["cancel", "--json", "--", ...request.sessions];
    case "interrupt":
      return ["stop", "--json", "--", request.id];
    case "prompt":
      return ["send", "--json", "--", request.id, request.text];
    default:
      return request satisfies never;
  }
}

/**
 * Follows what was asked until it is over, for a bounded time; the report has the outcomes then. What it reads are files of
 * our home, whoever asked.
 *
 * @param patience in milliseconds
 * @param onStep told of each step
 * @returns whether all is over
 */
export function followAsked(
  report: AskReport,
  invoker: Invoker,
  patience: number,
  onStep: (session: AskReport["reached"][number]) => void,
): Promise<boolean> {
  const io = quietIo(carrierOf(invoker).environment, invoker, AbortSignal.timeout(patience));
  return followRequests(report, io, invoker.control ?? {}, onStep);
}

/**
 * Ends a session's process through the command's own verb. Whoever calls it has asked the user.
 *
 * @throws SessionsError as `invokeRequest`
 */
export async function invokeKill(id: string, invoker: Invoker): Promise<Killed> {
  const { command, environment } = carrierOf(invoker);
  if (command !== undefined) {
    const call = { command, argv: ["stop", "--kill", "--yes", "--json", "--", id], environment };
    return askInstalled(call, invoker, readKilled);
  }
  const io = quietIo(environment, invoker);
  const session = findSession((await takeSnapshot(io)).sessions, id);
  const refusal = killRefusal(session);
  if (refusal !== undefined) return { outcome: "refused", reason: refusal };
  return killSession(session, surroundingsOf({ author: "launcher" }, io, invoker.control ?? {}));
}
