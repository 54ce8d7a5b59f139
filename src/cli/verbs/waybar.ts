import { reasonOf } from "../../session/failure";
import { printableJson } from "../../session/text";
import type { SegmentRequest } from "../bars/segment";
import { waybarAnswer, waybarFailure, type WaybarAnswer } from "../bars/waybar";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";

/**
 * `agent-sessions waybar`: the sessions as a custom module of Waybar, on one line of JSON. A failure is a text, since
 * Waybar hides a module whose command fails.
 */
export async function waybar(request: SegmentRequest, io: CliIo): Promise<ExitCode> {
  io.stdout.write(`${printableJson(await answerOf(request, io))}\n`);
  return EXIT.ok;
}

async function answerOf(request: SegmentRequest, io: CliIo): Promise<WaybarAnswer> {
  try {
    return waybarAnswer(await takeSnapshot(io), request);
  } catch (error) {
    return waybarFailure(reasonOf(error));
  }
}
