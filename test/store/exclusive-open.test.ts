import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { openExclusively, type ExclusiveOpen } from "../../src/store/exclusive-open";
import { holdOriginalsLock } from "../../src/store/originals-lock";
import { SessionsError } from "../../src/session/failure";
import { scratchFolder } from "../scratch";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: no`), { code });
}

test("the file is opened with the flags of macOS that lock it, without waiting, and closed again", () => {
  const path = join(scratchFolder(), "state.lock");
  const open = jest.fn(openSync);
  const opened = openExclusively(path, open);
  expect(open).toHaveBeenCalledTimes(1);
  expect(Number(open.mock.calls[0]?.[1]) & 0x20).toBe(0x20);
  if (opened.outcome !== "held") throw new Error("It is not held");
  opened.release();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each(["EAGAIN", "EWOULDBLOCK"])("%s means that another process holds it", (code) => {
  const open = () => {
    throw systemError(code);
  };
  expect(openExclusively("/x", open)).toEqual({ outcome: "busy" });
});

test("any other error is one", () => {
  const open = () => {
    throw systemError("EACCES");
  };
  expect(() => openExclusively("/x", open)).toThrow("EACCES");
});

test("work waits for the original to let go, and lets go itself, also when it fails", () => {
  const release = jest.fn();
  const attempts: ExclusiveOpen[] = [{ outcome: "busy" }, { outcome: "busy" }];
  const open = () => attempts.shift() ?? { outcome: "held" as const, release };
  expect(holdOriginalsLock("/f", () => "done", 1000, open)).toBe("done");
  expect(release).toHaveBeenCalledTimes(1);
  const failing = () => {
    throw new Error("mine");
  };
  expect(() => holdOriginalsLock("/f", failing, 1000, open)).toThrow("mine");
  expect(release).toHaveBeenCalledTimes(2);
});

test.each<[string, () => ExclusiveOpen, string, RegExp]>([
  ["stays held", () => ({ outcome: "busy" }), "locked", /^Cannot acquire state lock at \/f\/state\.lock: errno \d+\./],
  [
    "cannot be opened",
    () => {
      throw systemError("EACCES");
    },
    "unwritable",
    /^Cannot open state lock at \/f\/state\.lock\. EACCES/,
  ],
])("a lock that %s is told in the original's words", (_, open, code, message) => {
  const work = jest.fn();
  let thrown: unknown;
  try {
    holdOriginalsLock("/f", work, 20, open);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(SessionsError);
  expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(work).not.toHaveBeenCalled();
});

const onMac = process.platform === "darwin" ? test : test.skip;

onMac("two descriptors exclude each other on a Mac", () => {
  const path = join(scratchFolder(), "state.lock");
  const first = openExclusively(path);
  if (first.outcome !== "held") throw new Error("It is not held");
  expect(openExclusively(path).outcome).toBe("busy");
  first.release();
  const second = openExclusively(path);
  expect(second.outcome).toBe("held");
  if (second.outcome === "held") second.release();
  closeSync(openSync(path, "r"));
  expect(existsSync(path)).toBe(true);
});
