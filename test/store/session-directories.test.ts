import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeSessionFile, encodeSessionFile } from "../../src/files/session-file";
import { SessionDirectories } from "../../src/store/session-directories";
import { SessionStore } from "../../src/store/session-store";
import type { SessionRecord } from "../../src/session/record";
import { scratchFolder } from "../scratch";

const AT = 1_800_000_000;

const record: SessionRecord = {
  agent: "claude",
  sessionId: "s1",
  phase: "working",
  waits: [],
  state: "working",
  since: AT,
  eventAt: AT,
  event: "UserPromptSubmit",
  calls: [],
  subagents: [],
  background: {},
  monitors: {},
};

/** A home with one session file at a place below `sessions/`. */
function homeWith(place: string, of: Partial<SessionRecord> = {}): string {
  const home = join(scratchFolder(), "home");
  const path = join(home, "sessions", place);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, encodeSessionFile({ record: { ...record, ...of }, folded: [] }), { mode: 0o600 });
  utimesSync(path, AT, AT);
  return home;
}

function look(home: string) {
  const directories = new SessionDirectories(join(home, "sessions"));
  directories.look((AT + 100) * 1000);
  const reports = Array.from(directories.files()).flatMap(({ report }) =>
    report === undefined ? [] : [report.sessionId],
  );
  return { reports, problems: directories.problems().map(({ field, reason }) => `${field}: ${reason}`) };
}

test("a session's file is read under the session's own name", () => {
  expect(look(homeWith("claude/s1.json"))).toEqual({ reports: ["s1"], problems: [] });
  expect(look(homeWith("claude/%2Es1.json", { sessionId: ".s1" }))).toEqual({ reports: [".s1"], problems: [] });
});

test.each([
  ["of another session", "claude/s2.json"],
  ["of another agent", "codex/s1.json"],
])("a file that is %s than its place says is no row, and is named", (_what, place) => {
  const home = homeWith(place);
  expect(look(home)).toEqual({
    reports: [],
    problems: ['record.sessionId: "claude:s1" does not match the file name'],
  });
  // And what comes in is no part of it: it is set aside, like any damaged one.
  const [agent = "", name = ""] = place.split("/");
  const store = new SessionStore(home);
  expect(store.load({ agent, sessionId: name.replace(".json", "") })).toBeUndefined();
});

test("the record of the test is one", () => {
  expect(decodeSessionFile(encodeSessionFile({ record, folded: [] })).outcome).toBe("session");
});
