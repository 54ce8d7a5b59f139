import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeReadMarks, encodeReadMarks } from "../../src/files/read-marks";
import type { ReadMarks } from "../../src/session/seen";
import type { World } from "./world";

export const BASELINE = 1_780_000_000;

/** So many sessions have an answer. */
export const SESSIONS = 60;

export const idOf = (number: number) => `session-${String(number).padStart(2, "0")}`;

export const doneAt = (number: number) => BASELINE + 100 + number;

/** Puts answers into a world that nobody has read, and marks of others, so many that their file takes several blocks of a disk. */
export function fillWithAnswers(world: World): World {
  mkdirSync(world.places.statusDirectory, { recursive: true });
  for (let number = 0; number < SESSIONS; number += 1) {
    const report = { session_id: idOf(number), agent: "claude", state: "done", ts: doneAt(number) };
    const file = join(world.places.statusDirectory, `${idOf(number)}.json`);
    writeFileSync(file, JSON.stringify({ ...report, done_at: doneAt(number), event_ts: doneAt(number) }));
  }
  writeFileSync(world.ours("read-marks.json"), encodeReadMarks(marksBefore()), { mode: 0o600 });
  return world;
}

/** Half of the sessions are read. */
export function marksBefore(): ReadMarks {
  const read = Array.from({ length: SESSIONS / 2 }, (_, number) => [
    `claude:${idOf(number)}`,
    { readUntil: doneAt(number) },
  ]);
  return { baseline: BASELINE, sessions: Object.fromEntries(read) };
}

export function marksOf(world: World): ReadMarks | undefined {
  const decoded = decodeReadMarks(readFileSync(world.ours("read-marks.json"), "utf8"));
  return decoded.outcome === "marks" ? decoded.marks : undefined;
}
