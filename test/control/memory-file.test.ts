import * as fc from "fast-check";
import { mkdirSync, writeFileSync, appendFileSync } from "node:fs";
import { join } from "node:path";
import { anchorOf, anchorsIn, comparable as comparableOfPlugin } from "../../assets/claude-plugin/core/anchor";
import {
  addedTo,
  comparable,
  memoryIndexOf,
  memoryOf,
  noteMemory,
  phrasesIn,
  targetOf,
} from "../../src/control/memory-file";
import { propertyRuns } from "../property-runs";
import { scratchFolder } from "../scratch";

const INDEX = [
  "# Memory",
  "- [Web shop](webshop.md) — 🔑 `Webshop pickup` (auch `Shop weiter`): Stand",
  "- [API](api.md) 🔑 Magic-Word: `API pickup`",
  "- [Old](old.md) `No key pickup`",
  "- [Up](../secret.md) 🔑 `Up pickup`",
  "- [One](one.md) 🔑 `Twice`",
  "- [Two](two.md) 🔑 `twice!`",
].join("\n");

test.each([
  ["webshop pickup, please", "/m/webshop.md"],
  ["Web shop pickup", "/m/webshop.md"],
  ["shop weiter", "/m/webshop.md"],
  ["API-Pickup und los", "/m/api.md"],
  ["No key pickup", undefined],
  ["up pickup", undefined],
  ["twice", undefined],
  ["please webshop pickup", undefined],
  ["<cross-session-message> webshop pickup", undefined],
])("a session that begins with %j saves into %j", (prompt, file) => {
  expect(targetOf([prompt], phrasesIn(INDEX, "/m"))?.file).toBe(file);
});

test("the first prompt that fits decides, and of its phrases the longest", () => {
  const phrases = phrasesIn("- [A](a.md) 🔑 `web`\n- [B](b.md) 🔑 `web shop`", "/m");
  expect(targetOf(["hello", "web shop now", "web"], phrases)).toEqual({ phrase: "web shop", file: "/m/b.md" });
});

test.each([
  ["a Ctrl-C", "- [A](a.md) 🔑 `web\u0003`"],
  ["a carriage return", "- [A](a.md) 🔑 `we\rb`"],
  ["an escape in the file's name", "- [A](a\u001b.md) 🔑 `web`"],
  ["a C1 control", "- [A](a.md) 🔑 `web\u009b`"],
  ["a turn of direction", "- [A](a\u202e.md) 🔑 `web`"],
])("a phrase or a file that would steer a terminal, to which it may be typed, is none: %s", (_what, line) => {
  expect(targetOf(["web"], phrasesIn(line, "/m"))).toBeUndefined();
  expect(targetOf(["web"], phrasesIn(line.replace(/\p{Cc}|\u202e/gu, ""), "/m"))).toBeDefined();
});

test("the plugin's own core finds the same", () => {
  const word = fc.constantFrom("web", "Shop", "pickup", " ", "-", "ü", "u\u0308", "🔑", "`", "<", "..", "twice");
  const words = fc.array(word, { maxLength: 8 }).map((each) => each.join(""));
  const line = fc
    .tuple(
      fc.constantFrom("- ", "* ", "  + ", "1. ", ""),
      fc.constantFrom("a.md", "b.md", "../c.md", "d e.md"),
      words,
      words,
    )
    .map(([mark, file, phrase, other]) => `${mark}[T](${file}) 🔑 \`${phrase}\` (also \`${other}\`)`);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.array(words, { maxLength: 4 }), (lines, prompts) => {
      const index = lines.join("\n");
      const typed = prompts.filter((prompt) => !prompt.includes("<"));
      const listed = anchorsIn(index, "/m");
      // A phrase in no index leads the plugin nowhere, and us neither; but it stops looking there.
      const theirs = anchorOf(
        typed.filter((prompt) => !/pickup/i.test(prompt)),
        listed,
      ).file;
      const ours =
        targetOf(
          typed.filter((prompt) => !/pickup/i.test(prompt)),
          phrasesIn(index, "/m"),
        )?.file ?? "";
      expect(ours).toBe(theirs);
    }),
    propertyRuns(300),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => expect(comparable(text)).toBe(comparableOfPlugin(text))),
    propertyRuns(100),
  );
});

test("the index lies beside the transcript, else where Claude names the project's folder", () => {
  const session = { agent: "claude", cwd: "/home/dev/web shop" };
  expect(memoryIndexOf(session, "/c/projects/-home-dev/4f2e.jsonl", "/c")).toBe(
    "/c/projects/-home-dev/memory/MEMORY.md",
  );
  expect(memoryIndexOf(session, undefined, "/c")).toBe("/c/projects/-home-dev-web-shop/memory/MEMORY.md");
  expect(memoryIndexOf({ ...session, configDirectory: "/d" }, undefined, "/c")).toBe(
    "/d/projects/-home-dev-web-shop/memory/MEMORY.md",
  );
  expect(memoryIndexOf({ agent: "claude" }, undefined, "/c")).toBeUndefined();
  expect(memoryIndexOf({ agent: "codex", cwd: "/home" }, "/t/x.jsonl", "/c")).toBeUndefined();
});

describe("what was written", () => {
  let folder: string;
  let transcript: string;
  const session = { agent: "claude" };

  beforeEach(() => {
    const project = scratchFolder();
    folder = join(project, "memory");
    transcript = join(project, "4f2e.jsonl");
    mkdirSync(folder);
    writeFileSync(join(folder, "MEMORY.md"), INDEX);
    writeFileSync(join(folder, "webshop.md"), "# Shop\nold line\n");
  });

  const memory = (prompts: string[]) => {
    const found = memoryOf(session, { path: transcript, prompts }, "/c");
    if (found === undefined) throw new Error("there is a memory");
    return found;
  };

  test("is told by the lines that are new in the target, and by nothing else", () => {
    const noted = noteMemory(memory(["webshop pickup"]));
    expect(noted.map(({ file }) => file)).toEqual([join(folder, "webshop.md")]);
    expect(JSON.stringify(noted)).not.toContain("old line");
    expect(addedTo(noted)).toBeUndefined();
    // Lines that were moved, taken out or indented are not new.
    writeFileSync(join(folder, "webshop.md"), "  old line\n\n# Shop\n# Shop\n");
    expect(addedTo(noted)).toBeUndefined();
    writeFileSync(join(folder, "webshop.md"), "\n");
    expect(addedTo(noted)).toBeUndefined();
    writeFileSync(join(folder, "api.md"), "elsewhere\n");
    expect(addedTo(noted)).toBeUndefined();
    appendFileSync(join(folder, "webshop.md"), "new one\nnew two\nnew two\n");
    expect(addedTo(noted)).toEqual({ file: join(folder, "webshop.md"), lines: 2 });
  });

  test("without a target, is told by all files of the memory", () => {
    const noted = noteMemory(memory(["hello"]));
    expect(noted.map(({ file }) => file).sort()).toEqual(["MEMORY.md", "webshop.md"].map((name) => join(folder, name)));
    appendFileSync(join(folder, "webshop.md"), "new\n");
    expect(addedTo(noted)).toEqual({ file: join(folder, "webshop.md"), lines: 1 });
  });

  test("is told of a file that was not there", () => {
    const noted = noteMemory(memory(["api pickup"]));
    expect(noted).toEqual([{ file: join(folder, "api.md"), digests: [] }]);
    writeFileSync(join(folder, "api.md"), "first\n");
    expect(addedTo(noted)).toEqual({ file: join(folder, "api.md"), lines: 1 });
  });
});
