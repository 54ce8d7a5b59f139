import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TranscriptFormat } from "../../src/files/transcript-format";
import { lineOf } from "../../src/files/transcript-values";
import type { TranscriptFacts } from "../../src/session/transcript-facts";

/** The facts of lines that are all of a transcript, objects or texts as they stand in it. */
export function factsIn(format: TranscriptFormat, lines: readonly (object | string)[]): TranscriptFacts {
  const texts = lines.map((line) => lineOf(typeof line === "string" ? line : JSON.stringify(line)));
  const reading = format();
  for (const line of texts) reading.takeFirst(line);
  for (const line of texts.toReversed()) reading.takeLast(line);
  return reading.facts();
}

/** The lines of a transcript that an agent wrote. */
export function capturedLines(name: string): string[] {
  const file = join(__dirname, "..", "captures", "transcripts", name);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

/** Seconds of a moment in ISO 8601. */
export function at(moment: string): number {
  return Date.parse(moment) / 1000;
}
