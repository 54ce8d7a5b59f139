import { printableJson } from "../../session/text";
import { explainText } from "../explain-text";
import { EXIT, wantsColor, type CliIo, type ExitCode } from "../io";
import { sessionDetailJson } from "../snapshot-json";
import { takeSnapshot } from "../take-snapshot";
import { wantedSession } from "./wanted-session";

/**
 * `agent-sessions explain ID`: why the row of a session shows what it shows, and what was overruled.
 *
 * @throws SessionsError `not-found` or `ambiguous`
 */
export async function explain({ wanted, json }: { wanted: string; json: boolean }, io: CliIo): Promise<ExitCode> {
  const snapshot = await takeSnapshot(io);
  const session = wantedSession(snapshot, wanted, io);
  io.stdout.write(
    json
      ? `${printableJson(sessionDetailJson(session, snapshot.at), 2)}\n`
      : explainText(session, snapshot.at, wantsColor(io)),
  );
  return EXIT.ok;
}
