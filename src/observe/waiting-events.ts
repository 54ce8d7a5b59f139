import { readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "../session/failure";
import { folderRefusal } from "../store/guarded-read";

/**
 * Whether events wait in the inbox, at the price of one listing: most looks find none and load nothing for it. An inbox
 * that is no folder counts as one in which some do: the fold says what is wrong with it.
 */
export function hasWaitingEvents(home: string): boolean {
  try {
    return readdirSync(join(home, "inbox")).some((name) => !name.startsWith(".") && name !== "rejected");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return false;
    // A home that is no folder is named where it is read first.
    if (systemCodeOf(error) === "ENOTDIR") return folderRefusal(home) === undefined;
    throw error;
  }
}
