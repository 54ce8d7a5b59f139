import { reasonOf } from "../../session/failure";
import { printableJson } from "../../session/text";
import { alfredAnswer, alfredFailure, type AlfredAnswer } from "../bars/alfred";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";

/**
 * `agent-sessions alfred`: the sessions as a Script Filter of Alfred. A failure is a row, since Alfred shows nothing of
 * a script that fails.
 */
export async function alfred(request: { needsMe: boolean }, io: CliIo): Promise<ExitCode> {
  io.stdout.write(`${printableJson(await answerOf(request, io))}\n`);
  return EXIT.ok;
}

async function answerOf(request: { needsMe: boolean }, io: CliIo): Promise<AlfredAnswer> {
  try {
    return alfredAnswer(await takeSnapshot(io), request);
  } catch (error) {
    return alfredFailure(reasonOf(error));
  }
}
