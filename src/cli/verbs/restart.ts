import type { CliIo, ExitCode } from "../io";
import type { AskSurroundings } from "./ask-sessions";
import { pause, type PauseRequest } from "./pause";

/** What `agent-sessions restart` is asked to do. */
export type RestartRequest = Omit<PauseRequest, "all" | "restart">;

/**
 * `agent-sessions restart`: `pause --restart` of the sessions named.
 *
 * @throws SessionsError as `pause`
 */
export function restart(request: RestartRequest, io: CliIo, given: AskSurroundings = {}): Promise<ExitCode> {
  return pause({ ...request, all: false, restart: true }, io, given);
}
