import { diagnose } from "../../observe/doctor";
import { versionOf, type AskVersion } from "../../observe/program-version";
import { placesOf } from "../../store/places";
import { printableJson } from "../../session/text";
import { diagnosisText } from "../doctor-text";
import { takeSnapshot } from "../take-snapshot";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { shippedAssets } from "./setup";

export interface DoctorRequest {
  json: boolean;
}

/** `agent-sessions doctor`: whether each agent reports, and what to do where it does not. Exits with 1 when there is something. */
export async function doctor(
  { json }: DoctorRequest,
  { environment, stdout, clock = Date.now }: CliIo,
  { assets = shippedAssets(), askVersion = versionOf }: { assets?: string; askVersion?: AskVersion } = {},
): Promise<ExitCode> {
  // What waits in the inbox is an event too.
  const { sessions } = await takeSnapshot({ environment, clock });
  const { home, agentDirectories } = placesOf(environment);
  const place = { environment, home, assets, ...(agentDirectories === undefined ? {} : { agentDirectories }) };
  const diagnosis = await diagnose(place, askVersion, sessions);
  stdout.write(json ? `${printableJson(diagnosis)}\n` : diagnosisText(diagnosis, clock() / 1000));
  return diagnosis.healthy ? EXIT.ok : EXIT.failed;
}
