import fc from "fast-check";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventJson, eventsText } from "../../src/cli/events-text";
import { table } from "../../src/cli/table";
import { decodeSessionFile } from "../../src/files/session-file";
import { encodeEventLine } from "../../src/files/event-log";
import { encodeOutcome } from "../../src/files/control-outcome";
import { encodeRequest } from "../../src/files/control-request";
import { encodePausedFlag } from "../../src/files/paused-flag";
import type { Problem } from "../../src/files/problem";
import type { Snapshot } from "../../src/observe/snapshot";
import type { Session } from "../../src/session/session";
import { EventLogs } from "../../src/store/event-log";
import { ReadMarksFile } from "../../src/store/read-marks";
import { NOW } from "../observe/machine-state";
import { calmFault } from "./calm";
import { fuzz, type Tally } from "./fuzz";
import { House, OF_CODEX, rowsOf } from "./house";
import { jsonIn, memberOf } from "./literal";
import { mutatedFiles } from "./mutation";
import { expectShowable } from "./rendering";
import {
  AGENTS,
  eventLineSamples,
  inboxSamples,
  registrySamples,
  sessionSamples,
  signalSamples,
  spread,
  statusSamples,
} from "./samples";

const RUNS = 12;

let house: House;
let before: Map<string, string>;

beforeEach(() => {
  house = new House();
  before = rowsOf(house.snapshot());
  expect(before.size).toBe(5);
});

/** The rows of the others are what they were, to the letter. */
function expectOthersUnchanged(snapshot: Snapshot, except: readonly string[] = []): void {
  const now = rowsOf(snapshot);
  for (const [id, row] of before) if (!except.includes(id)) expect(now.get(id)).toBe(row);
}

function problemsOf(snapshot: Snapshot, path: string): Problem[] {
  return snapshot.problems.filter(({ file }) => file === path);
}

/** A file of which nothing can be used is named, with the reason. */
function expectNamed(snapshot: Snapshot, path: string): void {
  const [first] = problemsOf(snapshot, path);
  expect(first?.reason.trim()).toMatch(/./);
}

/** Rows that were not there without the hostile file. */
function newRows(snapshot: Snapshot): Session[] {
  return snapshot.sessions.filter(({ id }) => !before.has(id));
}

/** States in which a session rests: only what says so is shown so. */
const RESTS: readonly unknown[] = ["idle", "done", "scheduled", "dormant"];

describe("a hostile file beside good ones", () => {
  const status = statusSamples();

  fuzz(
    "home: a status file",
    RUNS,
    fc.constantFrom(...status).chain((sample) => fc.tuple(fc.constant(sample), mutatedFiles([sample.text]))),
    ([{ name, text }, bytes], tally) => {
      const path = join(house.machine.places.statusDirectory, name);
      house.put(path, bytes);
      const snapshot = house.snapshot();
      expectShowable(snapshot);
      expectOthersUnchanged(snapshot);
      const said = memberOf(jsonIn(bytes.toString("utf8")), "state");
      const [row, ...more] = newRows(snapshot);
      expect(more).toEqual([]);
      if (row === undefined) {
        expectNamed(snapshot, path);
        tally.refused();
      } else if (!RESTS.includes(said)) expect(row.state).not.toBe("idle");
      // Of a file that was good before its last good row stays, marked with its age.
      house.put(path, Buffer.from(text));
      const observer = house.observer();
      observer.look();
      const good = observer.snapshot().sessions.find(({ id }) => !before.has(id));
      house.put(path, bytes);
      observer.look();
      const later = observer.snapshot();
      expectOthersUnchanged(later);
      if (row === undefined) {
        expectNamed(later, path);
        expect(later.sessions.find(({ id }) => id === good?.id)).toMatchObject({
          state: good?.state,
          unreadableSince: expect.any(Number) as number,
        });
      }
      house.remove(path);
    },
  );

  fuzz("home: Agent Signal's document", RUNS, mutatedFiles(signalSamples()), (bytes, tally) => {
    const path = house.machine.places.signalStateFile;
    house.put(path, bytes);
    const snapshot = house.snapshot();
    expectShowable(snapshot);
    expectOthersUnchanged(snapshot, ["gemini:5e551011-0000-4000-8000-00000000000b"]);
    if (problemsOf(snapshot, path).length > 0) {
      expectNamed(snapshot, path);
      expect(newRows(snapshot)).toEqual([]);
      tally.refused();
    }
  });

  const registry = registrySamples();

  fuzz("home: a registry file", RUNS, mutatedFiles(registry.map(({ text }) => text)), (bytes, tally) => {
    const path = house.machine.registryFile(29_745);
    house.put(path, bytes);
    const snapshot = house.snapshot();
    expectShowable(snapshot);
    expectOthersUnchanged(snapshot);
    const [row, ...more] = newRows(snapshot);
    expect(more).toEqual([]);
    const source = jsonIn(bytes.toString("utf8"));
    if (row !== undefined) {
      expect(row.sessionId).toBe(memberOf(source, "sessionId"));
      const said = memberOf(source, "status");
      if (said !== "idle" && said !== "shell") expect(row.state).not.toBe("idle");
    }
    const problems = problemsOf(snapshot, path);
    if (problems.some(({ outcome }) => outcome !== "repaired")) {
      expectNamed(snapshot, path);
      expect(row).toBeUndefined();
      tally.refused();
    } else expect(typeof memberOf(source, "sessionId")).toBe("string");
    house.remove(path);
  });

  const lockNames = fc.oneof(
    fc.constantFrom(
      "01a22a99-a1b3-7dc2-913a-3a8dd11d5eca.lock",
      "01A22A99-a1b3-7dc2-913a-3a8dd11d5eca.lock",
      "01a22a99-a1b3-7dc2-913a-3a8dd11d5eca.lock\n",
      ".coordination.lock",
      "$(touch x).lock",
      "-rf.lock",
      "\u202e.lock",
      "CON.lock",
      `${"x".repeat(240)}.lock`,
    ),
    fc
      .string({ minLength: 1, maxLength: 40 })
      .filter((name) => !/[/\0]/.test(name) && name.isWellFormed() && !/^\.{1,2}$/.test(name)),
  );

  fuzz("home: a lock of Codex", RUNS, fc.tuple(lockNames, fc.uint8Array({ maxLength: 30 })), ([name, bytes], tally) => {
    const path = join(house.machine.codexLockFile("x"), "..", name);
    house.put(path, bytes);
    const snapshot = house.snapshot();
    expectShowable(snapshot);
    // A folder with locks says of a session without one that it is closed.
    expectOthersUnchanged(snapshot, ["codex:5e551011-0000-4000-8000-00000000000c"]);
    const isLock = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.lock$/.test(name) && !name.includes("\n");
    // A lock alone, which nobody is seen to hold, says nothing of a state.
    for (const row of newRows(snapshot)) expect([isLock, row.state]).not.toEqual([true, "idle"]);
    if (!isLock) {
      expect(newRows(snapshot)).toEqual([]);
      tally.refused();
    }
    house.remove(path);
  });

  const sessions = sessionSamples();

  fuzz(
    "home: a session file of our own",
    RUNS,
    fc.constantFrom(...sessions).chain(({ record, text }) => fc.tuple(fc.constant(record), mutatedFiles([text]))),
    ([record, bytes], tally) => {
      const path = join(house.home, "sessions", record.agent, `${record.sessionId}.json`);
      house.put(path, bytes);
      const snapshot = house.snapshot();
      expectShowable(snapshot);
      expectOthersUnchanged(snapshot);
      const [row, ...more] = newRows(snapshot);
      expect(more).toEqual([]);
      if (row === undefined) {
        expectNamed(snapshot, path);
        tally.refused();
      } else {
        // It is the session that the file is named after, and none that a changed letter made up.
        expect(row.id).toBe(`${record.agent}:${record.sessionId}`);
      }
      house.remove(path);
    },
  );

  const marks = JSON.stringify({
    version: 1,
    baseline: NOW - 1_000_000,
    sessions: { "claude:5e551011-0000-4000-8000-00000000000a": { read_until: NOW - 3_000 } },
  });

  fuzz("home: read marks", RUNS, mutatedFiles([marks]), (bytes, tally) => {
    const file = new ReadMarksFile(house.home);
    house.put(file.path, bytes);
    const snapshot = house.snapshot();
    expectShowable(snapshot);
    // Nobody here has an answer: what is read says nothing of any row.
    expectOthersUnchanged(snapshot);
    if (problemsOf(snapshot, file.path).length > 0) {
      expectNamed(snapshot, file.path);
      tally.refused();
      // And marking goes on: what was damaged is kept beside.
      file.update(NOW, (kept) => ({ ...kept, "claude:x": { readUntil: NOW } }));
      expect(file.load(NOW).marks.sessions).toEqual({ "claude:x": { readUntil: NOW } });
      expect(readFileSync(`${file.path}.damaged`).equals(bytes)).toBe(true);
    }
  });

  fuzz("home: the paused flag", RUNS, mutatedFiles([encodePausedFlag(NOW - 100)]), (bytes, tally) => {
    const path = join(house.home, "paused.json");
    house.put(path, bytes);
    const snapshot = house.snapshot();
    expectShowable(snapshot);
    expectOthersUnchanged(snapshot);
    // What the user wanted is told by the file's being there, unless it is so large that it cannot be it.
    if (bytes.length <= 64 * 1024) expect(snapshot.aggregate.displayState).toBe("paused");
    else expectNamed(snapshot, path);
    if (problemsOf(snapshot, path).length > 0) tally.refused();
    house.remove(path);
  });
});

describe("hostile requests", () => {
  const KEY = "codex:5e551011-0000-4000-8000-00000000000c";
  const request = { id: "k-2", kind: "save" as const, author: "command", at: NOW - 20, expiresAt: NOW + 500 };
  const outcome = {
    id: "k-2",
    kind: "save" as const,
    by: "plugin" as const,
    steps: [{ outcome: "saving" as const, at: NOW - 10, reason: "as asked", proof: { file: "/m.md", lines: 2 } }],
  };
  const mark = JSON.stringify({ version: 1, at: NOW - 9, pickup: "go on", file: "/m.md", pid: 4711 });
  const files: [string, string][] = [
    ["k-2.json", encodeRequest(request)],
    ["k-2.done.json", encodeOutcome(outcome)],
    ["k-2.sent", JSON.stringify({ version: 1, request: { version: 1, ...request }, way: "terminal", files: [] })],
  ];

  fuzz(
    "home: requests, outcomes and notes",
    RUNS,
    fc.constantFrom(...files).chain(([name, text]) => fc.tuple(fc.constant(name), mutatedFiles([text]))),
    ([name, bytes], tally) => {
      const folder = join(house.home, "control", "codex", KEY.slice("codex:".length));
      house.put(join(folder, name), bytes);
      const snapshot = house.snapshot();
      expectShowable(snapshot);
      expectOthersUnchanged(snapshot, [KEY]);
      const row = snapshot.sessions.find(({ id }) => id === KEY);
      if (row?.request === undefined) tally.refused();
      else {
        // It is this very request, whatever the file calls itself.
        expect(row.request.id).toBe("k-2");
        expect(row.request.steps.length).toBeGreaterThan(0);
      }
      expect({ ...row, request: undefined }).toEqual({ ...JSON.parse(before.get(KEY) ?? "{}"), request: undefined });
      house.remove(folder);
    },
  );

  fuzz("home: a plugin's mark", RUNS, mutatedFiles([mark]), (bytes, tally) => {
    const id = "5e551011-0000-4000-8000-00000000000d";
    const path = join(house.home, "plugin", `${id}.json`);
    house.put(path, bytes);
    const snapshot = house.snapshot();
    expectShowable(snapshot);
    expectOthersUnchanged(snapshot, [`claude:${id}`]);
    const row = snapshot.sessions.find((each) => each.sessionId === id);
    const source = jsonIn(bytes.toString("utf8"));
    if (row?.plugin === undefined) tally.refused();
    else {
      expect([undefined, memberOf(source, "file")]).toContain(row.plugin.file);
      expect([undefined, memberOf(source, "pickup")]).toContain(row.plugin.pickup);
    }
    house.remove(path);
  });
});

describe("hostile logs", () => {
  const lines = eventLineSamples().map((line) => encodeEventLine(line));
  const log = spread(lines, 12).join("");

  fuzz("home: an event log", RUNS, mutatedFiles([log]), (bytes, tally) => {
    const others = new EventLogs(house.home)
      .read({ limit: 1_000 })
      .entries.filter((entry) => entry.outcome === "event");
    expect(others.length).toBeGreaterThan(2);
    const path = join(house.home, "events", "claude", "hostile.jsonl");
    house.put(path, bytes);
    const { entries } = new EventLogs(house.home).read({ limit: 1_000 });
    expect(entries).toEqual(expect.arrayContaining(others));
    const fault = calmFault(eventsText(entries, NOW, { color: false, width: 100 }));
    if (fault !== undefined) throw new Error(`the timeline holds ${fault}`);
    for (const entry of entries) expect(JSON.parse(JSON.stringify(eventJson(entry)))).toEqual(eventJson(entry));
    if (entries.length < others.length + 12) tally.refused();
    house.remove(path);
  });
});

describe("hostile caches", () => {
  const changes = fc.tuple(
    fc.constantFrom("sessions", "status-directory", "signal-document", "read-marks", "*"),
    fc.nat(),
  );

  fuzz("home: a cache of what was read", RUNS, changes, ([name, pick], tally) => {
    house.snapshot(true);
    const folder = join(house.home, "cache");
    const names = readdirSync(folder);
    const file = join(folder, names.includes(`${name}.json`) ? `${name}.json` : (names[pick % names.length] ?? ""));
    const [damaged = Buffer.alloc(0)] = fc.sample(mutatedFiles([readFileSync(file, "utf8")]), {
      seed: pick,
      numRuns: 1,
    });
    house.put(file, damaged);
    // What is in a cache is in the files, too: whatever a cache says, the rows are those of the files.
    const snapshot = house.snapshot(true);
    expectShowable(snapshot);
    expectOthersUnchanged(snapshot);
    tally.refused();
  });
});

describe("hostile entries of the inbox", () => {
  /** Where a fold may write: nowhere else, whatever an entry is called and calls its session. */
  const ALLOWED = [
    /^home\/sessions\/[a-z0-9_-][a-z0-9._-]*\/[^/]+\.json$/,
    /^home\/events\/[a-z0-9_-][a-z0-9._-]*\/[^/]+\.jsonl$/,
    /^home\/events\/@ignored\.jsonl$/,
    /^home\/inbox\/rejected\/[^/]+$/,
    /^status\/[^/]+\.json$/,
    /^signal\/[^/]+$/,
  ];

  const names = fc.oneof(
    { weight: 6, arbitrary: fc.constant("claude-0004242-0") },
    {
      weight: 1,
      arbitrary: fc.constantFrom("$(touch x)", "-rf", "a\nb", "\u202e", "x".repeat(255), "é".repeat(120), "CON"),
    },
  );
  const bodies = fc
    .constantFrom(...AGENTS)
    .chain((agent) => mutatedFiles(inboxSamples(agent, 14).map((each) => each.toString("utf8"))));

  fuzz("home: entries of a recorder", RUNS, fc.tuple(names, bodies), ([name, bytes], tally) => {
    const own = new House();
    const known = rowsOf(own.snapshot());
    const files = own.files();
    const inbox = join(own.home, "inbox");
    own.put(join(inbox, name), bytes);
    const observer = own.observer();
    observer.look();
    const snapshot = observer.snapshot();
    expectShowable(snapshot);
    expect(snapshot.problems.filter(({ file }) => file.startsWith(inbox))).toEqual([]);
    const rows = rowsOf(snapshot);
    const added = snapshot.sessions.filter(({ id }) => !known.has(id));
    for (const [id, row] of known)
      if (rows.get(id) !== row) expect([id, bytes.includes(id.split(":")[1] ?? "")]).toEqual([id, true]);
    // It is in a session, passed over, or rejected with the reason: nothing is left, and nothing is lost without a word.
    expect(readdirSync(inbox).filter((each) => each !== "rejected")).toEqual([]);
    const rejected = existsSync(join(inbox, "rejected")) ? readdirSync(join(inbox, "rejected")) : [];
    if (rejected.length > 0) {
      expect(
        readFileSync(join(inbox, "rejected", rejected[0] ?? ""), "utf8")
          .split("\n\n")[0]
          ?.trim(),
      ).toMatch(/./);
      expect(added).toEqual([]);
      tally.refused();
    }
    for (const [path, content] of own.files()) {
      if (files.get(path) === content) continue;
      expect([path, ALLOWED.some((each) => each.test(path))]).toEqual([path, true]);
    }
    // What was kept can be read again, as it is.
    for (const { sessionId, agent } of added) {
      const path = join(own.home, "sessions", agent);
      for (const each of readdirSync(path)) {
        const decoded = decodeSessionFile(readFileSync(join(path, each), "utf8"));
        expect([sessionId, decoded.outcome, decoded.outcome === "refused" ? decoded.findings : []]).toEqual([
          sessionId,
          "session",
          [],
        ]);
      }
    }
    own.remove(own.folder);
  });
});

test("ten megabytes where some kilobytes belong are refused, or shown, and hold up nobody", () => {
  const huge = "x".repeat(10_000_000);
  const { machine } = house;
  const large: [string, string][] = [
    [
      join(machine.places.statusDirectory, "huge.json"),
      `{"session_id":"huge","state":"idle","ts":1,"title":"${huge}"}`,
    ],
    [machine.registryFile(29_745), `{"pid":29745,"sessionId":"huge","name":"${huge}"}`],
    [join(house.home, "sessions", "claude", "huge.json"), `{"version":1,"record":{"sessionId":"${huge}"}}`],
    [join(house.home, "plugin", `${OF_CODEX}.json`), `{"version":1,"pickup":"${huge}"}`],
    [join(house.home, "control", "codex", OF_CODEX, "k-9.json"), `{"version":1,"text":"${huge}"}`],
  ];
  for (const [path, text] of large) house.put(path, Buffer.from(text));
  house.put(
    join(house.home, "inbox", "huge"),
    Buffer.from(`agent-sessions 1\nagent=claude\n\n{"session_id":"${huge}"}`),
  );
  house.put(join(house.home, "events", "claude", "huge.jsonl"), Buffer.from(`{"at":1,"event":"${huge}"}\n`));
  const began = process.cpuUsage();
  const snapshot = house.snapshot();
  const text = table(snapshot.sessions, snapshot.at, { color: false, width: 80 });
  const { entries } = new EventLogs(house.home).read({ limit: 100 });
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(3_000);
  expectOthersUnchanged(snapshot);
  for (const [path] of large.slice(0, 3)) expectNamed(snapshot, path);
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(entries.find((entry) => entry.outcome === "rejected")?.reason).toMatch(/larger|long/);
});

test("an id of ten megabytes in Agent Signal's document is a row as narrow as any", () => {
  const record = { signal: "permission", updated_at: NOW - 5, agent: "gemini" };
  const document = { schema_version: 1, sessions: { ["y".repeat(10_000_000)]: record }, events: [] };
  house.put(house.machine.places.signalStateFile, Buffer.from(JSON.stringify(document)));
  const began = process.cpuUsage();
  const snapshot = house.snapshot();
  const text = table(snapshot.sessions, snapshot.at, { color: false, width: 80 });
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(3_000);
  expectOthersUnchanged(snapshot, ["gemini:5e551011-0000-4000-8000-00000000000b"]);
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(text).toContain("yyyy");
});

/** Nothing here is about a hostile file: the oracle itself holds. */
test("without a hostile file nothing is refused, and every row is there", () => {
  const snapshot = house.snapshot();
  expectShowable(snapshot);
  expect(snapshot.problems).toEqual([]);
  expect(snapshot.sessions.map(({ id, state }) => `${id} ${state}`).sort()).toEqual([
    "claude:5e551011-0000-4000-8000-000000000001 waiting",
    "claude:5e551011-0000-4000-8000-00000000000a decision",
    "claude:5e551011-0000-4000-8000-00000000000d working",
    "codex:5e551011-0000-4000-8000-00000000000c working",
    "gemini:5e551011-0000-4000-8000-00000000000b working",
  ]);
});

export type { Tally };
