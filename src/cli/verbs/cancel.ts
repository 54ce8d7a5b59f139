import type { CliIo, ExitCode } from "../io";
import type { AskSurroundings } from "./ask-sessions";
import { askAndTell } from "./pause";

/** What `agent-sessions cancel` is asked to do. */
export interface CancelRequest {
  ids: readonly string[];
  wait: boolean;
  json: boolean;
}

/**
 * `agent-sessions cancel`: an armed restart does not happen, and what was not delivered yet is taken back. What a session
 * saves already stays saved.
 *
 * @throws SessionsError `not-found`, `ambiguous`
 */
export function cancel({ ids, ...how }: CancelRequest, io: CliIo, given: AskSurroundings = {}): Promise<ExitCode> {
  return askAndTell({ kind: "cancel", sessions: ids }, how, io, given);
}
