import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TranscriptKind } from "../../src/files/transcript-format";
import { Transcripts } from "../../src/store/transcripts";
import { scratchFolder } from "../scratch";

/** A line of 1 KiB with its number, and how many of them the file has: 16 MiB, four times what is read of its end. */
const LINE = 1024;
const LINES = 16 * 1024;

const lineOf = (number: number) => `${JSON.stringify({ number }).padEnd(LINE - 1)}\n`;

test("of a large transcript nothing is read but its first 256 KiB and its last 4 MiB, however much is wanted", () => {
  const path = join(scratchFolder(), "large.jsonl");
  const descriptor = openSync(path, "w");
  for (let first = 0; first < LINES; first += 1024) {
    writeSync(descriptor, Array.from({ length: 1024 }, (_, index) => lineOf(first + index)).join(""));
  }
  closeSync(descriptor);

  const firsts: unknown[] = [];
  const lasts: unknown[] = [];
  const kind: TranscriptKind = {
    agent: "claude",
    likely: () => [path],
    format: () => ({
      takeFirst: (line) => void firsts.push(line.parsed()?.number),
      takeLast: (line) => void lasts.push(line.parsed()?.number),
      wantsBeginning: true,
      wantsEnd: true,
      facts: () => ({}),
    }),
  };
  new Transcripts([kind]).factsOf({ agent: "claude", sessionId: "s1" });
  expect(firsts).toEqual(Array.from({ length: 256 }, (_, index) => index));
  // Of the line at the very limit nobody can tell whether it begins there.
  expect(lasts).toEqual(Array.from({ length: 4095 }, (_, index) => LINES - 1 - index));
});
