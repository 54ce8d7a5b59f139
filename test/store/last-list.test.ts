import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "../../src/session/session";
import * as atomicWrite from "../../src/store/atomic-write";
import { LastListFile } from "../../src/store/last-list";
import { scratchFolder } from "../scratch";

const NOW = 1_800_000_000;
const clock = () => NOW * 1000;

let home: string;

beforeEach(() => {
  home = scratchFolder();
});

afterEach(() => jest.restoreAllMocks());

const path = () => join(home, "cache", "last-list.json");

function list(title: string, at = NOW - 60): { at: number; sessions: Session[] } {
  const session: Session = {
    id: "claude:s1",
    agent: "claude",
    sessionId: "s1",
    state: "idle",
    since: NOW - 900,
    unread: false,
    needsYou: false,
    title,
    subagents: 0,
    sources: [],
    evidence: [],
  };
  return { at, sessions: [session] };
}

test("what was kept is there the next time, for this user alone", () => {
  new LastListFile(home, "these").save(list("One"), []);
  expect(new LastListFile(home, "these").load(clock)).toMatchObject({ at: NOW - 60, sessions: [{ title: "One" }] });
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, "cache")).mode & 0o777).toBe(0o700);
});

test("nothing is there: without a file, of other sources, of a time to come, behind a link, in a folder that is a file", () => {
  expect(new LastListFile(home, "these").load(clock)).toBeUndefined();
  new LastListFile(home, "these").save(list("One", NOW + 1), []);
  expect(new LastListFile(home, "these").load(clock)).toBeUndefined();
  new LastListFile(home, "these").save(list("One"), []);
  expect(new LastListFile(home, "others").load(clock)).toBeUndefined();
  expect(new LastListFile(path(), "these").load(clock)).toBeUndefined();
  const linked = scratchFolder();
  mkdirSync(join(linked, "cache"));
  symlinkSync(path(), join(linked, "cache", "last-list.json"));
  expect(new LastListFile(linked, "these").load(clock)).toBeUndefined();
});

test("what is larger than anything that is kept is not even read", () => {
  mkdirSync(join(home, "cache"));
  writeFileSync(path(), " ".repeat(3_000_000));
  expect(new LastListFile(home, "these").load(clock)).toBeUndefined();
});

test("the same list is written once; renewed, when it was taken so much later", () => {
  const writes = jest.spyOn(atomicWrite, "replaceFile");
  const file = new LastListFile(home, "these");
  const takenAt = () => new LastListFile(home, "these").load(clock)?.at;
  file.save(list("One", NOW - 60), []);
  file.save(list("One", NOW - 30), []);
  expect([writes.mock.calls.length, takenAt()]).toEqual([1, NOW - 60]);
  file.save(list("One", NOW - 1), [], 60);
  expect([writes.mock.calls.length, takenAt()]).toEqual([1, NOW - 60]);
  file.save(list("One", NOW), [], 60);
  expect([writes.mock.calls.length, takenAt()]).toEqual([2, NOW]);
  file.save(list("Two", NOW), []);
  expect(writes.mock.calls).toHaveLength(3);
});

test("a home that takes nothing costs nobody anything, and is tried again", () => {
  const blocked = join(home, "file");
  writeFileSync(blocked, "");
  const file = new LastListFile(blocked, "these");
  file.save(list("One"), []);
  expect(readFileSync(blocked, "utf8")).toBe("");
  rmSync(blocked);
  file.save(list("One"), []);
  expect(new LastListFile(blocked, "these").load(clock)).toBeDefined();
});
