import { readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "../session/failure";

/** Whether events wait in the inbox, at the price of one listing: most looks find none and load nothing for it. */
export function hasWaitingEvents(home: string): boolean {
  try {
    return readdirSync(join(home, "inbox")).some((name) => !name.startsWith(".") && name !== "rejected");
  } catch (error) {
    // A home that is no folder is named where it is read first.
    if (systemCodeOf(error) === "ENOENT" || systemCodeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}
