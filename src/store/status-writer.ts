import { join } from "node:path";
import { encodeStatusFile } from "../files/status-file";
import type { SessionReport } from "../session/report";
import { replaceFile } from "./atomic-write";

/**
 * Writes a session's status file whole, as AItention's rule has it. An id that cannot be a file name there (a `/`, a
 * leading `.`, over 128 characters) is not written: the status directory has no place for it.
 *
 * @returns whether it was written
 * @throws SessionsError `refused` or `unwritable`
 */
export function writeStatusFile(directory: string, report: SessionReport): boolean {
  const { sessionId } = report;
  const fits = sessionId !== "" && !sessionId.includes("/") && !sessionId.startsWith(".") && sessionId.length <= 128;
  if (!fits || sessionId.includes("\0")) return false;
  replaceFile(join(directory, `${sessionId}.json`), encodeStatusFile(report));
  return true;
}
