import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pausedFlagCodec } from "../files/codecs";
import type { Problem } from "../files/problem";
import { reasonOf, SessionsError } from "../session/failure";
import type { Seconds } from "../session/report";
import { folderRefusal, readGuarded } from "./guarded-read";
import type { Places } from "./places";
import { writing } from "./writing";

/** The flag is one short line; anything larger is not it. */
const LIMIT = 64 * 1024;

/** Whether monitoring is paused, since when if that is known, and what is wrong with the flag. */
export interface PausedState {
  paused: boolean;
  since?: Seconds;
  problem?: Problem;
}

/**
 * Whether the user paused monitoring: a flag in our own home, since Agent Signal's pause ends with the next signal. It
 * is the file's being there that counts: a damaged one still pauses, and says so.
 */
export function readPaused({ home }: Pick<Places, "home">): PausedState {
  const file = fileIn(home);
  const refusal = folderRefusal(dirname(file));
  if (refusal !== undefined)
    return { paused: false, problem: { file, reason: `its folder ${refusal}`, outcome: "refused" } };
  const read = readGuarded(file, { limit: LIMIT, links: "refuse" });
  switch (read.outcome) {
    case "missing":
      return { paused: false };
    case "refused":
    case "unreadable":
      return { paused: false, problem: { file, reason: read.reason, outcome: read.outcome } };
    case "text": {
      const decoded = pausedFlagCodec().decodePausedFlag(read.text);
      return decoded.outcome === "paused"
        ? { paused: true, since: decoded.since }
        : { paused: true, problem: { file, reason: decoded.reason, outcome: "unreadable" } };
    }
    default:
      return read satisfies never;
  }
}

/**
 * Pauses monitoring until it is resumed. A pause that stands keeps its time.
 *
 * @throws SessionsError `refused` or `unwritable`
 */
export function setPaused(places: Pick<Places, "home">, now: Seconds): void {
  const { paused, problem } = readPaused(places);
  if (paused && problem === undefined) return;
  writing().replaceFile(fileIn(places.home), pausedFlagCodec().encodePausedFlag(now));
}

/**
 * Ends the pause; nothing happens when there is none.
 *
 * @throws SessionsError `refused` or `unwritable`
 */
export function clearPaused({ home }: Pick<Places, "home">): void {
  const file = fileIn(home);
  const refusal = folderRefusal(home);
  if (refusal !== undefined)
    throw new SessionsError("refused", `${home} ${refusal}.`, "Remove it, or name another home.");
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw new SessionsError(
      "unwritable",
      `Cannot remove ${file}: ${reasonOf(error)}.`,
      "Check the folder's permissions.",
      { cause: error },
    );
  }
}

function fileIn(home: string): string {
  return join(home, "paused.json");
}
