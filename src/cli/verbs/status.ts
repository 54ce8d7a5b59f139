import { printableJson } from "../../session/text";
import { EXIT, wantsColor, type CliIo, type ExitCode } from "../io";
import { statusJson } from "../snapshot-json";
import { takeSnapshot } from "../take-snapshot";
import { labelLanguageOf } from "../signal/language";
import { reportProblems } from "../problem-lines";

/** `agent-sessions status`: the aggregate on one line, or with the keys of Agent Signal's status as JSON. */
export async function status({ json }: { json: boolean }, io: CliIo): Promise<ExitCode> {
  const snapshot = await takeSnapshot(io);
  if (json) {
    io.stdout.write(`${printableJson(statusJson(snapshot, labelLanguageOf(io.environment)), 2)}\n`);
    reportProblems(snapshot, io);
  } else {
    const { summaryLine } = await import("../summary");
    io.stdout.write(`${summaryLine(snapshot, wantsColor(io))}\n`);
  }
  return EXIT.ok;
}
