import { linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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
