import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { STOP_ANSWER_LIMIT } from "../files/control-stop-answer";
import { ENTRY_LIMIT, type NewEntry } from "../files/inbox-entry";
import type { Seconds } from "../session/report";
import { isForeign } from "./guarded-read";
import type { Places } from "./places";

/** The events at which agents read what a hook prints as what to do next. */
const STOPS: ReadonlySet<string> = new Set(["Stop", "agentStop", "AfterAgent", "stop"]);

/**
 * Takes the answer that waits for the Stop that an entry tells of, as `assets/bin/record` does (docs/control.md). It is
 * gone afterwards, whether it may be printed or not, and among all who try one has it. Never throws.
 *
 * @param now against which its end is held
 * @returns what to print, byte by byte; undefined when there is none, or any doubt that it is this user's
 */
export function takeStopAnswer(
  { home }: Pick<Places, "home">,
  { agent, event, payload }: Pick<NewEntry, "agent" | "event" | "payload">,
  now: Seconds,
  pid = process.pid,
): Buffer | undefined {
  if (event === undefined || !STOPS.has(event) || !/^[a-z0-9_][a-z0-9._-]{0,31}$/.test(agent)) return undefined;
  try {
    const control = join(home, "control");
    const stops = join(control, "stop");
    const folder = join(stops, agent);
    if (![control, stops, folder].every((each) => isPrivate(lstatSync(each), "folder"))) return undefined;
    const session = sessionIn(payload);
    if (session === undefined) return undefined;
    const waiting = lstatSync(join(folder, session));
    if (!waiting.isFile() && !waiting.isSymbolicLink()) return undefined;
    return take(join(folder, session), join(folder, `.${agent}-node-${pid}`), now);
  } catch {
    // Nearly always there is none; and an agent has no use for the reason.
    return undefined;
  }
}

function take(path: string, taken: string, now: Seconds): Buffer | undefined {
  // Nobody else has the hidden name meanwhile, since it was made as a new one: two containers can have one pid.
  closeSync(openSync(taken, "wx", 0o600));
  try {
    renameSync(path, taken);
    const descriptor = openSync(taken, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      if (!isPrivate(stats, "file") || stats.size > STOP_ANSWER_LIMIT) return undefined;
      return unexpired(readFileSync(descriptor), now);
    } finally {
      closeSync(descriptor);
    }
  } finally {
    rmSync(taken, { force: true });
  }
}

/** What comes after the first line, which says when it ends. */
function unexpired(bytes: Buffer, now: Seconds): Buffer | undefined {
  const line = bytes.indexOf("\n");
  const ends = bytes.subarray(0, Math.max(line, 0)).toString("latin1");
  return /^\d{1,12}$/.test(ends) && Number(ends) > Math.floor(now) ? bytes.subarray(line + 1) : undefined;
}

/** Whether it is this user's alone. Not known where the system has no user ids. */
function isPrivate(stats: Stats, kind: "folder" | "file"): boolean {
  if (process.geteuid === undefined || isForeign(stats)) return false;
  const mode = stats.mode & 0o7777;
  return kind === "folder" ? stats.isDirectory() && mode === 0o700 : stats.isFile() && mode === 0o600;
}

/**
 * The session's id, which stands after a key, and so does every other one that is there, or it is nobody's. Without
 * parsing: the payload may be cut. An id that would have to be encoded as a file's name gets no answer.
 */
function sessionIn(payload: Uint8Array): string | undefined {
  const text = Buffer.from(payload.subarray(0, ENTRY_LIMIT)).toString("latin1");
  const found = text.matchAll(/"(?:session_id|sessionId|conversation_id)"[^\S\n]*:[^\S\n]*"([^"\n]*)"/g);
  const [id = "", ...others] = new Set(Array.from(found, ([, value = ""]) => value));
  return others.length === 0 && /^(?!\.)[A-Za-z0-9._-]{1,180}$/.test(id) ? id : undefined;
}
