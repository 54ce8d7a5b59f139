import { join } from "node:path";
import { decodeStatusFile, encodeStatusFile } from "../files/status-file";
import { WRITER } from "../session/record";
import type { SessionReport } from "../session/report";
import { replaceFile } from "./atomic-write";
import { readGuarded } from "./guarded-read";

/**
 * Writes a session's status file whole, as AItention's rule has it. An id that cannot be a file name there (a `/`, a
 * leading `.`, over 128 characters) is not written: the status directory has no place for it.
 *
 * @returns whether it was written
 * @throws SessionsError `refused` or `unwritable`
 */
export function writeStatusFile(directory: string, report: SessionReport): boolean {
  const path = statusFileOf(directory, report);
  if (path === undefined) return false;
  replaceFile(path, encodeStatusFile(report));
  return true;
}

/**
 * Writes a session's status file, unless another writer's stands there and is newer: that one is evidence.
 *
 * @returns whether it was written
 * @throws SessionsError `refused` or `unwritable`
 */
export function projectStatusFile(directory: string, report: SessionReport): boolean {
  const path = statusFileOf(directory, report);
  if (path === undefined) return false;
  const read = readGuarded(path, { limit: 1024 * 1024, links: "refuse" });
  if (read.outcome === "text") {
    const there = decodeStatusFile(read.text, `${report.sessionId}.json`);
    if (there.outcome === "report" && there.report.writer !== WRITER) {
      const theirs = there.report.eventAt ?? there.report.since;
      if (theirs > (report.eventAt ?? report.since)) return false;
    }
  }
  return writeStatusFile(directory, report);
}

function statusFileOf(directory: string, { sessionId }: SessionReport): string | undefined {
  const fits = sessionId !== "" && !/[/\\\0]/.test(sessionId) && !sessionId.startsWith(".") && sessionId.length <= 128;
  return fits ? join(directory, `${sessionId}.json`) : undefined;
}
