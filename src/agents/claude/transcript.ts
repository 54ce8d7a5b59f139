import { join } from "node:path";
import { claudeTranscript } from "../../files/transcript-claude";
import type { TranscriptKind } from "../../files/transcript-format";
import { folderOf, type Surroundings } from "../settings-target";
import { isFileName } from "../transcript-name";

/** A longer folder name is cut here, and a hash of the path appended. */
const SLUG_LIMIT = 200;

/** Where Claude Code keeps transcripts: `projects/<the working folder's name>/<session>.jsonl` in its configuration folder. */
export function claudeTranscripts(surroundings: Surroundings): TranscriptKind {
  const usual = join(surroundings.user, ".claude");
  const own = folderOf(surroundings, "CLAUDE_CONFIG_DIR", usual);
  const foldersOf = (given: string | undefined) => (given === undefined ? Array.from(new Set([own, usual])) : [given]);
  return {
    agent: "claude",
    format: claudeTranscript,
    likely: ({ sessionId, cwd, configDirectory }) =>
      cwd === undefined || !isFileName(sessionId)
        ? []
        : foldersOf(configDirectory).map((folder) => join(folder, "projects", slugOf(cwd), `${sessionId}.jsonl`)),
    // The session was moved, or its project's folder is named by CLAUDE_CODE_PROJECT_DIR_NAME.
    search({ sessionId, configDirectory }, names) {
      const file = `${sessionId}.jsonl`;
      for (const folder of foldersOf(configDirectory)) {
        const projects = join(folder, "projects");
        for (const name of names(projects)) {
          if (names(join(projects, name)).has(file)) return join(projects, name, file);
        }
      }
      return undefined;
    },
  };
}

/**
 * The name of a project's folder: its path with everything but ASCII letters and digits as `-`. Of a long one 200
 * characters are kept, and the path's hash in base 36 tells it apart (as Claude Code 2.1.332 does).
 */
export function slugOf(cwd: string): string {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  if (slug.length <= SLUG_LIMIT) return slug;
  let hash = 0;
  for (let index = 0; index < cwd.length; index += 1) hash = (hash * 31 + cwd.charCodeAt(index)) | 0;
  return `${slug.slice(0, SLUG_LIMIT)}-${Math.abs(hash).toString(36)}`;
}
