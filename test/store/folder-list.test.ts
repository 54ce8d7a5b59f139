import * as fc from "fast-check";
import { faultText, folderListText, parseFolderList } from "../../src/store/folder-list";
import { propertyRuns } from "../property-runs";

test.each<[string, { path: string; label?: string }[]]>([
  ["", []],
  [" , \n ,", []],
  ["/a/b", [{ path: "/a/b" }]],
  ["  ~/x ", [{ path: "~/x" }]],
  ["/a,~/b\n/c", [{ path: "/a" }, { path: "~/b" }, { path: "/c" }]],
  ["Work=~/x/status, /y", [{ path: "~/x/status", label: "Work" }, { path: "/y" }]],
  [" Client A = /clients/a ", [{ path: "/clients/a", label: "Client A" }]],
  ["=~/x", [{ path: "~/x" }]],
  // A label has no separator: an = after one is the path's own.
  ["/a=b/c", [{ path: "/a=b/c" }]],
  ["C:\\x=y", [{ path: "C:\\x=y" }]],
  ["Work=/a=b", [{ path: "/a=b", label: "Work" }]],
  ['"/a, b/c",/d', [{ path: "/a, b/c" }, { path: "/d" }]],
  ['Work="/a\nb" , /d', [{ path: "/a\nb", label: "Work" }, { path: "/d" }]],
  ['"/a ""b"", c"', [{ path: '/a "b", c' }]],
  // Quotes count at the beginning of a path alone.
  ['/a"b', [{ path: '/a"b' }]],
])("%j is a list of folders", (text, folders) => {
  expect(parseFolderList(text)).toEqual({ folders, faults: [] });
});

test.each<[string, string[], string[]]>([
  ["Work=", [], ['"Work=" names no folder']],
  ["Work=,/a", ["/a"], ['"Work=" names no folder']],
  ['/a,"",/b', ["/a", "/b"], ['"""" names no folder']],
  ['/a,Work="/b, /c', ["/a"], ['"Work="/b, /c" has a quotation mark that nothing closes']],
  ['"/a"b,/c', ["/c"], ['""/a"b" goes on after its quotation mark']],
])("%j has entries that name no folder, and the others count", (text, paths, said) => {
  const { folders, faults } = parseFolderList(text);
  expect(folders.map(({ path }) => path)).toEqual(paths);
  expect(faults.map(faultText)).toEqual(said);
});

test("a path alone is written as it is, so that a command of an earlier version reads it as well", () => {
  expect(folderListText([{ path: "/home/dev/.claude/aitention/status" }])).toBe("/home/dev/.claude/aitention/status");
});

test("what is written reads as the same list, whatever the paths and labels hold", () => {
  const path = fc
    .string({ unit: fc.constantFrom(...'ab ,\n"=/\\~'), maxLength: 12 })
    .map((rest) => `/x${rest}`.trim())
    .filter((each) => each !== "");
  const label = fc
    .string({ unit: fc.constantFrom(..."Work a1-"), minLength: 1, maxLength: 8 })
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const folders = fc.array(fc.oneof(fc.record({ path }), fc.record({ path, label })), { maxLength: 4 });
  fc.assert(
    fc.property(folders, (listed) => {
      expect(parseFolderList(folderListText(listed))).toEqual({ folders: listed, faults: [] });
    }),
    propertyRuns(500),
  );
});

test("reads anything without an error, and gives no blank path", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a ,\n"=/'), maxLength: 30 }), (text) => {
      const { folders, faults } = parseFolderList(text);
      for (const { path } of folders) expect(path.trim()).not.toBe("");
      for (const { entry } of faults) expect(text).toContain(entry);
    }),
    propertyRuns(500),
  );
});
