import { SessionsError } from "../../session/failure";
import { printableJson } from "../../session/text";
import { askText, stepText } from "../ask-text";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { askSessions, followRequests, isDone, type AskRequest, type AskSurroundings } from "./ask-sessions";

/** What `agent-sessions pause` is asked to do. */
export interface PauseRequest {
  ids: readonly string[];
  all: boolean;
  /** Start fresh after the save. */
  restart: boolean;
  /** Start fresh, and carry on alone. */
  auto: boolean;
  includeCold: boolean;
  /** Follow the requests until they are over. */
  wait: boolean;
  json: boolean;
}

/**
 * `agent-sessions pause`: asks sessions to save where they stand, warm ones only, and says whom it reached.
 *
 * @throws SessionsError `usage`, `not-found`, `ambiguous`
 */
export async function pause(request: PauseRequest, io: CliIo, given: AskSurroundings = {}): Promise<ExitCode> {
  const { ids, all, restart, auto, includeCold } = request;
  if (all === ids.length > 0) {
    throw new SessionsError("usage", "Name sessions, or give --all.", "Run agent-sessions pause --help for examples.");
  }
  const kind = auto ? "save-auto" : restart ? "save-restart" : "save";
  return askAndTell({ kind, sessions: all ? "all" : ids, includeCold }, request, io, given);
}

/** Asks, tells whom that reached, and follows it where that is wanted. */
export async function askAndTell(
  request: AskRequest,
  { wait, json }: { wait: boolean; json: boolean },
  io: CliIo,
  given: AskSurroundings,
): Promise<ExitCode> {
  const report = await askSessions(request, io, given);
  if (!json) io.stdout.write(askText(report));
  if (wait && report.reached.length > 0) {
    const isOver = await followRequests(report, io, given, (session) => io.stderr.write(stepText(session)));
    if (!isOver) io.stderr.write("Interrupted: what is not over goes on.\n");
  }
  if (json) io.stdout.write(`${printableJson(report)}\n`);
  return isDone(report, wait) ? EXIT.ok : EXIT.failed;
}
