import { promptText, type PromptShell } from "../bars/prompt";
import type { SegmentRequest } from "../bars/segment";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { readSegment, refusesColor } from "./tmux";

/** How a prompt's segment is asked for. */
export interface PromptRequest extends SegmentRequest {
  /** Whose prompt it is; absent: plain text for any. */
  shell?: PromptShell;
}

/** `agent-sessions prompt`: a segment for a shell's prompt; nothing at all when nothing is up. */
export async function prompt({ shell, ...request }: PromptRequest, io: CliIo): Promise<ExitCode> {
  const color = !refusesColor(io) && io.environment.TERM !== "dumb";
  const text = promptText(await readSegment(request, io), shell, color);
  if (text !== "") io.stdout.write(`${text}\n`);
  return EXIT.ok;
}
