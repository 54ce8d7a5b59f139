import { lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reasonOf, SessionsError } from "../session/failure";
import { makeFolder, putInPlace, sweepDrafts } from "./atomic-write";
import { isForeign, presenceOf, readGuarded, refusalOnTheWay } from "./guarded-read";
import type { Places } from "./places";

const LIMIT = 1024 * 1024;

/** Whether the recorder that hooks call is there and is this version's. */
export type RecorderState = "current" | "outdated" | "not-executable" | "missing" | "refused";

/** Where a home has its recorder. */
export function recorderPath({ home }: Pick<Places, "home">): string {
  return join(home, "bin", "record");
}

/** @param assets the folder of the recorder as it is shipped */
export function recorderState(places: Pick<Places, "home">, assets: string): RecorderState {
  const path = recorderPath(places);
  if (refusalOnTheWay(places.home, "bin") !== undefined) return "refused";
  const read = readGuarded(path, { limit: LIMIT, links: "refuse" });
  switch (read.outcome) {
    case "missing":
      return "missing";
    case "refused":
    case "unreadable":
      return "refused";
    case "text":
      if (read.text !== shippedRecorder(assets)) return "outdated";
      return (lstatSync(path).mode & 0o100) === 0 && process.platform !== "win32" ? "not-executable" : "current";
    default:
      return read satisfies never;
  }
}

/**
 * Installs the recorder, 0700, and the inbox it delivers into. A hook that starts meanwhile gets the old one or the
 * new one. Whatever is current already is left alone.
 *
 * @throws SessionsError `refused` for another user's, `unwritable`
 */
export function installRecorder(places: Pick<Places, "home">, assets: string): void {
  const { home } = places;
  for (const folder of [home, join(home, "bin"), join(home, "inbox")]) makeFolder(folder);
  const path = recorderPath(places);
  if (recorderState(places, assets) === "current") return;
  const presence = presenceOf(path);
  if (presence.outcome === "refused" || presence.outcome === "unreadable") {
    throw new SessionsError(presence.outcome, `${path} ${presence.reason}.`, "Check the permissions of its folder.");
  }
  if (presence.outcome === "there" && (!presence.stats.isFile() || isForeign(presence.stats))) {
    throw new SessionsError("refused", `${path} is no plain file of yours.`, "Remove it, then try again.");
  }
  try {
    sweepDrafts(dirname(path));
    putInPlace(path, shippedRecorder(assets), { mode: 0o700, flush: true });
  } catch (error) {
    throw new SessionsError(
      "unwritable",
      `Cannot install ${path}: ${reasonOf(error)}.`,
      "Check the folder's permissions and the free space.",
      { cause: error },
    );
  }
}

function shippedRecorder(assets: string): string {
  const path = join(assets, "bin", "record");
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new SessionsError(
      "unreadable",
      `The recorder that comes with Agent Sessions cannot be read: ${reasonOf(error)}.`,
      "Install Agent Sessions again.",
      { cause: error },
    );
  }
}
