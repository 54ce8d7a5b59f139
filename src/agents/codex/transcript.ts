import { join } from "node:path";
import { codexTranscript } from "../../files/transcript-codex";
import type { FolderNames, TranscriptKind } from "../../files/transcript-format";
import { folderOf, type Surroundings } from "../settings-target";
import { isFileName } from "../transcript-name";

/** How many folders of a day are looked through at most, the newest first. */
const DAYS = 62;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Where Codex keeps rollouts: `sessions/YYYY/MM/DD/rollout-<local time>-<thread>.jsonl`; compressed ones are not read. */
export function codexTranscripts(surroundings: Surroundings): TranscriptKind {
  const own = folderOf(surroundings, "CODEX_HOME", join(surroundings.user, ".codex"));
  return {
    agent: "codex",
    format: codexTranscript,
    likely: () => [],
    search({ sessionId, configDirectory }, names) {
      if (!isFileName(sessionId)) return undefined;
      const sessions = join(configDirectory ?? own, "sessions");
      for (const folders of [daysOf(sessions, sessionId), newestDays(sessions, names)]) {
        for (const folder of folders) {
          const file = rolloutIn(names(folder), sessionId);
          if (file !== undefined) return join(folder, file);
        }
      }
      return undefined;
    },
  };
}

function rolloutIn(names: ReadonlySet<string>, thread: string): string | undefined {
  const end = `-${thread}.jsonl`;
  for (const name of names) if (name.startsWith("rollout-") && name.endsWith(end)) return name;
  return undefined;
}

/** The folders of the day a thread began, and of its neighbors, since they go by local time: a UUIDv7 tells its time. */
function daysOf(sessions: string, thread: string): string[] {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(thread);
  if (match === null) return [];
  const began = parseInt(`${match[1]}${match[2]}`, 16);
  return [0, -DAY_MS, DAY_MS].flatMap((shift) => {
    const [year, month, day] = new Date(began + shift).toISOString().slice(0, 10).split("-");
    return year === undefined || month === undefined || day === undefined ? [] : [join(sessions, year, month, day)];
  });
}

function* newestDays(sessions: string, names: FolderNames): Iterable<string> {
  let left = DAYS;
  for (const year of newestFirst(names(sessions), /^\d{4}$/)) {
    for (const month of newestFirst(names(join(sessions, year)), /^\d{2}$/)) {
      for (const day of newestFirst(names(join(sessions, year, month)), /^\d{2}$/)) {
        if (left === 0) return;
        left -= 1;
        yield join(sessions, year, month, day);
      }
    }
  }
}

function newestFirst(names: ReadonlySet<string>, pattern: RegExp): string[] {
  return Array.from(names)
    .filter((name) => pattern.test(name))
    .sort()
    .reverse();
}
