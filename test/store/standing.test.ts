import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { standingAt } from "../../src/store/standing";
import { scratchFolder } from "../scratch";

test("tells what stands at a path, where links lead", () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "folder"));
  symlinkSync("folder", join(folder, "to-folder"));
  symlinkSync("file", join(folder, "to-file"));
  symlinkSync("gone", join(folder, "to-nothing"));
  const standing = (name: string) => standingAt(join(folder, name));
  expect(["folder", "to-folder", "file", "to-file", "gone", "to-nothing", "gone/x", "file/x"].map(standing)).toEqual([
    "folder",
    "folder",
    "file",
    "file",
    "missing",
    "missing",
    "missing",
    "under-file",
  ]);
  expect(standingAt("/a\0b")).toBe("unknown");
});
