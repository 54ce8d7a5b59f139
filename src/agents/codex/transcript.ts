import { join } from "node:path";
import { codexTranscript } from "../../files/transcript-codex";
import type { FolderNames, TranscriptKind } from "../../files/transcript-format";
import { folderOf, type Surroundings } from "../settings-target";
import { isFileName } from "../transcript-name";

/** A UUIDv7, whose first 48 bits are milliseconds since 1970. */
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** How many folders of a day are looked through at most, the newest first. */
const DAYS = 62;

const SECOND_MS = 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Where Codex keeps rollouts: `sessions/YYYY/MM/DD/rollout-<local time>-<thread>.jsonl`; compressed ones are not read. */
export function codexTranscripts(surroundings: Surroundings): TranscriptKind {
  const own = folderOf(surroundings, "CODEX_HOME", join(surroundings.user, ".codex"));
  return {
    agent: "codex",
    format: codexTranscript,
    likely: ({ sessionId, configDirectory }) => {
      const began = beginningOf(sessionId);
      if (began === undefined) return [];
      const sessions = join(configDirectory ?? own, "sessions");
      // The name is made a moment after the id.
      return [0, SECOND_MS].map((later) => join(sessions, ...nameOf(sessionId, new Date(began + later))));
    },
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

/** When a thread began, in milliseconds: a UUIDv7 tells its time. */
function beginningOf(thread: string): number | undefined {
  const match = UUID_V7.exec(thread);
  return match === null ? undefined : parseInt(`${match[1]}${match[2]}`, 16);
}

/** The folders and the name of the rollout of a thread that began at a moment, which go by the local time. */
function nameOf(thread: string, began: Date): string[] {
  const [year, ...rest] = [began.getFullYear(), began.getMonth() + 1, began.getDate()].map(twoDigits);
  const time = [began.getHours(), began.getMinutes(), began.getSeconds()].map(twoDigits);
  const day = [String(year), ...rest];
  return [...day, `rollout-${day.join("-")}T${time.join("-")}-${thread}.jsonl`];
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** The folders of the day a thread began, and of its neighbors, since they go by local time. */
function daysOf(sessions: string, thread: string): string[] {
  const began = beginningOf(thread);
  if (began === undefined) return [];
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
