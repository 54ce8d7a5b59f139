import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { BLOCK, TranscriptBlocks } from "../../src/store/transcript-blocks";
import { propertyRuns } from "../property-runs";
import { scratchFolder } from "../scratch";

const ALL = 1024 * 1024 * 1024;

function fileWith(content: string | Buffer): string {
  const file = join(scratchFolder(), "transcript.jsonl");
  writeFileSync(file, content);
  return file;
}

type Direction = "forward" | "backward";

/** The `n` of the lines that are given, -1 for those that are no objects, until as many blocks as wanted were read. */
function given(file: string, direction: Direction, limit = ALL, blocks = Infinity): unknown[] {
  const opened = TranscriptBlocks.open(file);
  if (opened === undefined) throw new Error("it was refused");
  try {
    const lines: unknown[] = [];
    let asked = 1;
    opened[direction](limit, {
      take: (line) => lines.push(line.parsed()?.n ?? -1),
      wantsMore: () => (asked += 1) <= blocks,
    });
    return lines;
  } finally {
    opened.close();
  }
}

/** A line of exactly so many bytes, its line break among them. */
function lineOf(n: number, bytes: number): string {
  const bare = JSON.stringify({ n, text: "" });
  return `${JSON.stringify({ n, text: "x".repeat(bytes - bare.length - 1) })}\n`;
}

test.each<[Direction, unknown[]]>([
  ["forward", [1, 2, 3]],
  ["backward", [3, 2, 1]],
])("%s: lines in their order, with or without a last line break, CRLF or blank lines between", (direction, order) => {
  for (const text of [
    '{"n":1}\n{"n":2}\n{"n":3}\n',
    '{"n":1}\n{"n":2}\n{"n":3}',
    '{"n":1}\r\n\r\n{"n":2}\r\n\n{"n":3}\r\n',
  ]) {
    expect(given(fileWith(text), direction)).toEqual(order);
  }
});

test.each<Direction>(["forward", "backward"])("%s: a half-written last line is no object", (direction) => {
  expect(given(fileWith('{"n":1}\n{"n":2}\n{"n":3'), direction).filter((n) => n !== -1)).toHaveLength(2);
});

test.each<Direction>(["forward", "backward"])(
  "%s: nothing in an empty file, nor in one of line breaks",
  (direction) => {
    expect(given(fileWith(""), direction)).toEqual([]);
    expect(given(fileWith("\n\n\n"), direction)).toEqual([]);
  },
);

test.each([BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 3 * BLOCK + 7])(
  "a first line of %d bytes and a small one after it",
  (bytes) => {
    const file = fileWith(lineOf(1, bytes) + lineOf(2, 40));
    expect(given(file, "forward")).toEqual([1, 2]);
    expect(given(file, "backward")).toEqual([2, 1]);
  },
);

test("forward: a line that goes beyond the limit is left out, the ones before it are not", () => {
  const file = fileWith(lineOf(1, 1000) + lineOf(2, 3 * BLOCK) + lineOf(3, 1000));
  expect(given(file, "forward", 2 * BLOCK)).toEqual([1]);
});

test("backward: a line that begins before the limit is left out, the ones after it are not", () => {
  const file = fileWith(lineOf(1, 1000) + lineOf(2, 3 * BLOCK) + lineOf(3, 1000));
  expect(given(file, "backward", 2 * BLOCK)).toEqual([3]);
});

test("no block is read that is not wanted", () => {
  const file = fileWith(Array.from({ length: 64 }, (_, n) => lineOf(n, BLOCK / 16)).join(""));
  expect(given(file, "forward", ALL, 1)).toEqual(Array.from({ length: 16 }, (_, n) => n));
  // Whether the block's first line begins there is not known without the block before it.
  expect(given(file, "backward", ALL, 1)).toEqual(Array.from({ length: 15 }, (_, n) => 63 - n));
});

test("characters of several bytes come whole wherever a block ends", () => {
  const text = "ä€😀\u2028".repeat(40);
  const written = Array.from({ length: 700 }, (_, n) => ({ n, text: text.slice(0, n % 150) }));
  // Lines of 24 to 400 bytes: borders of blocks fall everywhere.
  const wholes = written.map(({ n, text: part }) => ({ n, text: part.toWellFormed() }));
  const file = fileWith(wholes.map((values) => JSON.stringify(values)).join("\n"));
  for (const direction of ["forward", "backward"] as const) {
    const read: unknown[] = [];
    const blocks = TranscriptBlocks.open(file);
    blocks?.[direction](ALL, { take: (line) => read.push(line.parsed()), wantsMore: () => true });
    blocks?.close();
    expect(direction === "forward" ? read : read.reverse()).toEqual(wholes);
  }
});

test("whatever the lines are, both directions give the same", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.json({ maxDepth: 3 }),
    fc.integer({ min: 30, max: 2 * BLOCK }).map((bytes) => lineOf(5, bytes).trimEnd()),
  );
  const folder = scratchFolder();
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, isEnded) => {
      const file = join(folder, "any.jsonl");
      writeFileSync(file, lines.join("\n") + (isEnded ? "\n" : ""));
      expect(given(file, "backward").reverse()).toEqual(given(file, "forward"));
    }),
    propertyRuns(150),
  );
});

test("what is appended after it was opened does not count", () => {
  const file = fileWith('{"n":1}\n');
  const blocks = TranscriptBlocks.open(file);
  writeFileSync(file, '{"n":2}\n', { flag: "a" });
  const read: unknown[] = [];
  blocks?.backward(ALL, { take: (line) => read.push(line.parsed()), wantsMore: () => true });
  blocks?.close();
  expect(read).toEqual([{ n: 1 }]);
});

test("a file that became shorter meanwhile ends the reading", () => {
  const file = fileWith(lineOf(1, 3 * BLOCK) + lineOf(2, 3 * BLOCK));
  const blocks = TranscriptBlocks.open(file);
  writeFileSync(file, "");
  const taker = { take: () => undefined, wantsMore: () => true };
  blocks?.backward(ALL, taker);
  blocks?.forward(ALL, taker);
  blocks?.close();
});

test("only a plain file is opened, and none can make it hang", () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "folder"));
  execFileSync("mkfifo", [join(folder, "fifo")]);
  writeFileSync(join(folder, "file"), "{}\n");
  symlinkSync(join(folder, "file"), join(folder, "link"));
  symlinkSync("/dev/zero", join(folder, "device"));
  for (const name of ["folder", "fifo", "link", "device", "missing"]) {
    expect([name, TranscriptBlocks.open(join(folder, name))]).toEqual([name, undefined]);
  }
});
