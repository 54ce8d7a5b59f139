import { spawnSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../src/store/atomic-write";
import { scratchFolder } from "../scratch";

test("a reader that has the old file goes on with all of it: the new one is another file", () => {
  const folder = scratchFolder();
  const path = join(folder, "file");
  writeFileSync(path, "the old text");
  // What a reader that opened it holds on to.
  linkSync(path, join(folder, "held"));
  replaceFile(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readFileSync(join(folder, "held"), "utf8")).toBe("the old text");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(["file", "held"]);
});

test("a draft that a killed writer left goes, once it is old; a living one's only after an hour", () => {
  const folder = scratchFolder();
  const { pid: dead = 0 } = spawnSync("true");
  const draft = (name: string, pid: number, ageSeconds: number) => {
    const path = join(folder, `${name}.agent-sessions-${pid}-0123abcd`);
    writeFileSync(path, "half");
    const then = Date.now() / 1000 - ageSeconds;
    utimesSync(path, then, then);
  };
  draft("young", dead, 30);
  draft("old", dead, 90);
  draft("living", process.ppid, 3000);
  // Nobody writes for an hour: its number is another's by now.
  draft("abandoned", process.ppid, 4000);
  replaceFile(join(folder, "file"), "new");
  expect(readdirSync(folder).map((name) => name.replace(/\..*/, ""))).toEqual(["file", "living", "young"]);
});
