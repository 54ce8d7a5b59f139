import { printable, printableJson } from "../../session/text";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { markSessions, type MarkOutcome, type MarkRequest } from "./read-marks";

/** `agent-sessions read` and `unread`: marks, and says what was marked. */
export async function mark(request: MarkRequest, json: boolean, io: CliIo): Promise<ExitCode> {
  const outcome = await markSessions(request, io);
  io.stdout.write(json ? `${printableJson(outcome)}\n` : markText(outcome));
  return EXIT.ok;
}

function markText({ verb, changed, unchanged }: MarkOutcome): string {
  const all = [...changed, ...unchanged];
  if (changed.length === 0)
    return all.length === 1 ? `Already ${verb}: ${printable(all.join())}.\n` : `Nothing to mark as ${verb}.\n`;
  const what = changed.length === 1 ? printable(changed.join()) : `${changed.length} sessions`;
  return `Marked as ${verb}: ${what}.\n`;
}
