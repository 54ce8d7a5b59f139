import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../src/store/atomic-write";
import { folderRefusal, readGuarded, type Guard } from "../../src/store/guarded-read";
import { scratchFolder } from "../scratch";

const plain: Guard = { limit: 1000, links: "refuse" };
const linked: Guard = { limit: 1000, links: "private" };

function file(text = "text", name = "file"): string {
  const path = join(scratchFolder(), name);
  writeFileSync(path, text);
  return path;
}

test("a plain file is read, with its stamp", () => {
  const path = file("größe");
  expect(readGuarded(path, plain)).toMatchObject({ outcome: "text", text: "größe" });
});

test("a missing file, and one below a file, is missing", () => {
  expect(readGuarded(join(scratchFolder(), "none"), plain)).toEqual({ outcome: "missing" });
  expect(readGuarded(join(file(), "below"), plain)).toEqual({ outcome: "missing" });
});

test("a file over the limit is refused, one at the limit is read", () => {
  expect(readGuarded(file("x".repeat(1001)), plain)).toEqual({ outcome: "refused", reason: "is larger than 1 KiB" });
  expect(readGuarded(file("x".repeat(1000)), plain)).toMatchObject({ outcome: "text" });
});

test("a folder, a FIFO and a device are refused, and none of them hangs", () => {
  const folder = scratchFolder();
  execFileSync("mkfifo", [join(folder, "fifo")]);
  expect(readGuarded(folder, plain)).toEqual({ outcome: "refused", reason: "is a folder, not a file" });
  expect(readGuarded(join(folder, "fifo"), plain)).toEqual({ outcome: "refused", reason: "is not a plain file" });
  expect(readGuarded("/dev/zero", plain)).toEqual({ outcome: "refused", reason: "is not a plain file" });
});

describe("a symbolic link", () => {
  function link(target: string, mode: number): string {
    const folder = scratchFolder();
    chmodSync(folder, mode);
    symlinkSync(target, join(folder, "link"));
    return join(folder, "link");
  }

  test("is refused where only plain files count", () => {
    expect(readGuarded(link(file(), 0o700), plain)).toEqual({
      outcome: "refused",
      reason: "is a symbolic link, not a plain file",
    });
  });

  test("counts in a private folder, and is refused in one that others can write to", () => {
    expect(readGuarded(link(file(), 0o700), linked)).toMatchObject({ outcome: "text" });
    expect(readGuarded(link(file(), 0o1777), linked)).toEqual({
      outcome: "refused",
      reason: "is a symbolic link in a folder that others can write to",
    });
  });

  test("to nothing is missing, and one to a FIFO does not hang", () => {
    const folder = scratchFolder();
    execFileSync("mkfifo", [join(folder, "fifo")]);
    expect(readGuarded(link(join(folder, "none"), 0o700), linked)).toEqual({ outcome: "missing" });
    expect(readGuarded(link(join(folder, "fifo"), 0o700), linked)).toMatchObject({ outcome: "refused" });
  });

  test("as a folder is refused where others could have put it", () => {
    const target = scratchFolder();
    expect(folderRefusal(link(target, 0o700))).toBeUndefined();
    expect(folderRefusal(link(target, 0o1777))).toBe("is a symbolic link in a folder that others can write to");
  });

  test("is never written through", () => {
    const target = file("untouched");
    expect(() => replaceFile(link(target, 0o700), "new")).toThrow(/is a symbolic link/);
    expect(readGuarded(target, plain)).toMatchObject({ text: "untouched" });
  });
});

describe("what belongs to another user", () => {
  const asRoot = process.getuid?.() === 0 ? test : test.skip;

  asRoot("is neither read nor written (needs root to set up)", () => {
    const folder = scratchFolder();
    const theirs = join(folder, "theirs");
    writeFileSync(theirs, "x");
    chownSync(theirs, 65534, 65534);
    expect(readGuarded(theirs, plain)).toEqual({ outcome: "refused", reason: "belongs to another user" });
    expect(() => replaceFile(theirs, "y")).toThrow(/belongs to another user/);
    mkdirSync(join(folder, "sub"));
    chownSync(join(folder, "sub"), 65534, 65534);
    expect(folderRefusal(join(folder, "sub"))).toBe("belongs to another user");
    expect(() => replaceFile(join(folder, "sub", "new"), "y")).toThrow(/belongs to another user/);
  });
});

test("a folder that is missing is no reason, one that is a file or below one is", () => {
  expect(folderRefusal(join(scratchFolder(), "none"))).toBeUndefined();
  expect(folderRefusal(file())).toBe("is not a folder");
});
