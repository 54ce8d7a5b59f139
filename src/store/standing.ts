import { statSync } from "node:fs";
import { systemCodeOf } from "../session/failure";

/**
 * What stands at a path: nothing, or nothing that can be, since a part of the path is a file; `unknown` where that cannot
 * be looked at.
 */
export type Standing = "folder" | "file" | "missing" | "under-file" | "unknown";

/** Looks what stands at a path, where a link leads; whatever is no folder counts as a file. Never throws. */
export function standingAt(path: string): Standing {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "missing";
    return stats.isDirectory() ? "folder" : "file";
  } catch (error) {
    return systemCodeOf(error) === "ENOTDIR" ? "under-file" : "unknown";
  }
}
