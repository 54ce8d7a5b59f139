import { cleanMessage } from "../../control/message-text";
import type { CliIo, ExitCode } from "../io";
import type { AskSurroundings } from "./ask-sessions";
import { askAndTell } from "./pause";

/** What `agent-sessions send` is asked to do. */
export interface SendRequest {
  id: string;
  text: string;
  wait: boolean;
  json: boolean;
}

/**
 * `agent-sessions send ID TEXT`: gives a session a message, as if the user had written it there. Nothing is sent to one
 * that waits at a dialog, since the text would answer it.
 *
 * @throws SessionsError `usage` for a text that is none; `not-found`, `ambiguous`
 */
export function send({ id, text, ...how }: SendRequest, io: CliIo, given: AskSurroundings = {}): Promise<ExitCode> {
  const cleaned = cleanMessage(text);
  if (cleaned.removed > 0) {
    const what = cleaned.removed === 1 ? "1 control character was" : `${cleaned.removed} control characters were`;
    io.stderr.write(`${what} left out of the text: they would steer the terminal.\n`);
  }
  return askAndTell({ kind: "prompt", text: cleaned.text, sessions: [id] }, how, io, given);
}
