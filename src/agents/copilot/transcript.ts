import { join } from "node:path";
import { copilotTranscript } from "../../files/transcript-copilot";
import type { TranscriptKind } from "../../files/transcript-format";
import { folderOf, type Surroundings } from "../settings-target";
import { isFileName } from "../transcript-name";

/** Where GitHub Copilot CLI keeps its events: `session-state/<session>/events.jsonl`. */
export function copilotTranscripts(surroundings: Surroundings): TranscriptKind {
  const own = folderOf(surroundings, "COPILOT_HOME", join(surroundings.user, ".copilot"));
  return {
    agent: "copilot",
    format: copilotTranscript,
    likely: ({ sessionId, configDirectory }) =>
      isFileName(sessionId) ? [join(configDirectory ?? own, "session-state", sessionId, "events.jsonl")] : [],
  };
}
