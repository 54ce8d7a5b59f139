import { segmentOf, UNREADABLE, type Segment, type SegmentRequest } from "../bars/segment";
import { tmuxText } from "../bars/tmux";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { takeSnapshot } from "../take-snapshot";

/** `agent-sessions tmux`: a segment for tmux's status line; nothing at all when nothing is up. */
export async function tmux(request: SegmentRequest, io: CliIo): Promise<ExitCode> {
  const text = tmuxText(await readSegment(request, io), !refusesColor(io));
  if (text !== "") io.stdout.write(`${text}\n`);
  return EXIT.ok;
}

/** The segment as it is now. A failure is a text: what runs every few seconds has no place to say more. */
export async function readSegment(request: SegmentRequest, io: CliIo): Promise<Segment> {
  try {
    return segmentOf(await takeSnapshot(io), request);
  } catch {
    return UNREADABLE;
  }
}

/** Whether colors are not wanted (no-color.org). The output is a pipe, so whether it is a terminal says nothing. */
export function refusesColor({ environment }: Pick<CliIo, "environment">): boolean {
  return environment.NO_COLOR !== undefined && environment.NO_COLOR !== "";
}
