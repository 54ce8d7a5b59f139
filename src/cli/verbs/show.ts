import { printableJson } from "../../session/text";
import { EXIT, wantsColor, type CliIo, type ExitCode } from "../io";
import { sessionDetailJson } from "../snapshot-json";
import { takeSnapshot } from "../take-snapshot";
import { wantedSession } from "./wanted-session";

/**
 * `agent-sessions show ID`: everything known of one session.
 *
 * @throws SessionsError `not-found` or `ambiguous`
 */
export async function show({ wanted, json }: { wanted: string; json: boolean }, io: CliIo): Promise<ExitCode> {
  const snapshot = await takeSnapshot(io);
  const session = wantedSession(snapshot, wanted, io);
  if (json) {
    io.stdout.write(`${printableJson(sessionDetailJson(session, snapshot.at), 2)}\n`);
  } else {
    const { detailText } = await import("../detail-text");
    io.stdout.write(detailText(session, snapshot.at, wantsColor(io)));
  }
  return EXIT.ok;
}
