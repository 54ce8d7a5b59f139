import { join } from "node:path";
import type { TranscriptKind } from "../../files/transcript-format";
import { geminiTranscript } from "../../files/transcript-gemini";
import type { Surroundings } from "../settings-target";
import { isFileName } from "../transcript-name";

/** How many characters of a session's id are in its file's name. */
const ID_IN_NAME = 8;

/** Where Gemini CLI keeps chats: `tmp/<project>/chats/session-<time>-<the id's beginning>.jsonl`. */
export function geminiTranscripts({ user }: Surroundings): TranscriptKind {
  return {
    agent: "gemini",
    format: geminiTranscript,
    likely: () => [],
    search({ sessionId, configDirectory }, names) {
      if (!isFileName(sessionId)) return undefined;
      const projects = join(configDirectory ?? join(user, ".gemini"), "tmp");
      const end = `-${sessionId.slice(0, ID_IN_NAME)}.jsonl`;
      for (const project of names(projects)) {
        const chats = join(projects, project, "chats");
        for (const name of names(chats))
          if (name.startsWith("session-") && name.endsWith(end)) return join(chats, name);
      }
      return undefined;
    },
  };
}
