import type { TranscriptKind } from "../files/transcript-format";
import { claudeTranscripts } from "./claude/transcript";
import { codexTranscripts } from "./codex/transcript";
import { copilotTranscripts } from "./copilot/transcript";
import { geminiTranscripts } from "./gemini/transcript";
import type { Surroundings } from "./settings-target";

/** The agents whose transcripts are read. opencode keeps its own in an SQLite database, which is left alone. */
export function transcriptKinds(surroundings: Surroundings): TranscriptKind[] {
  return [claudeTranscripts, codexTranscripts, copilotTranscripts, geminiTranscripts].map((kind) => kind(surroundings));
}
