import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { mapperOf } from "../../src/agents/registry";
import { decodeSignalDocument } from "../../src/files/signal-document";
import { decodeStatusFile } from "../../src/files/status-file";
import { Observer } from "../../src/observe/observer";
import { sessionKey } from "../../src/session/identity";
import type { Places } from "../../src/store/places";
import { ReadMarksFile } from "../../src/store/read-marks";
import { courseOf, type Course } from "../agents/course";
import { payloadOf, RecordedProcesses } from "../player";
import { recording, recordingsIn, type Entry } from "../recording";
import { scratchPlaces } from "../scratch";
import { part } from "../thoroughness";

const RECORD = resolve(__dirname, "../../assets/bin/record");

/** The recordings of each agent. */
const FOLDERS: Record<string, string[]> = {
  claude: ["claude", "claude-control", "claude-peers"],
  codex: ["codex", "codex-daemon"],
  gemini: ["gemini"],
  opencode: ["opencode"],
};

const NAMES = Object.entries(FOLDERS).flatMap(([agent, folders]) =>
  folders.flatMap((folder) => recordingsIn(folder).map((name): [string, string] => [agent, name])),
);

/** Runs the recorder for an event as its agent's hook does, and dates the entry back to when it was recorded. */
function report(places: Places, agent: string, entry: Entry): void {
  const inbox = join(places.home, "inbox");
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
  const before = new Set(readdirSync(inbox));
  const payload = JSON.stringify(payloadOf(entry) ?? "");
  const argv = entry.argv === undefined ? [agent, entry.event] : [agent, entry.event, payload];
  execFileSync("/bin/sh", [RECORD, ...argv], {
    input: entry.argv === undefined ? payload : "",
    env: { PATH: process.env.PATH, ...entry.env, AGENT_SESSIONS_HOME: places.home },
  });
  for (const name of readdirSync(inbox)) {
    if (!before.has(name)) utimesSync(join(inbox, name), entry.at / 1000, entry.at / 1000);
  }
}

/** Plays a recording through recorder, inbox and fold, and looks after each event. */
function recordedCourse(
  agent: string,
  entries: readonly Entry[],
  places = scratchPlaces(),
): { course: Course; observer: Observer } {
  let now = (entries[0]?.at ?? 0) - 1000;
  new ReadMarksFile(places.home).load(now / 1000);
  const observer = new Observer({
    places,
    environment: {},
    clock: () => now,
    processes: new RecordedProcesses(),
    cache: false,
  });
  const seen: string[] = [];
  const course = entries.map((entry) => {
    now = entry.at + 20;
    report(places, agent, entry);
    observer.look();
    const { sessions } = observer.snapshot();
    const mapped = mapperOf(agent)(payloadOf(entry), { at: entry.at / 1000, event: entry.event, env: entry.env });
    const id = mapped.outcome === "event" ? sessionKey(mapped.identity) : undefined;
    if (id !== undefined && !seen.includes(id)) seen.push(id);
    const shown = seen.map((each) => {
      const row = sessions.find((session) => session.id === each);
      if (row === undefined) return "missing";
      const background = Object.keys(row.background ?? {}).length;
      return `${row.state}${row.unread ? "*" : ""}${background > 0 ? `+${background}` : ""}${row.subagents > 0 ? `~${row.subagents}` : ""}`;
    });
    return `${entry.event.replace(/^event:/, "")}: ${shown.join(", ")}`;
  });
  return { course, observer };
}

test.each(part(NAMES, 3))("%s: recorded by sh and folded, %s shows the course it has by its mapping", (agent, name) => {
  const entries = recording(name);
  expect(recordedCourse(agent, entries).course).toEqual(courseOf(agent, entries, { everyEvent: true }));
});

describe("what others get to read", () => {
  function withDocument(): Places {
    const places = scratchPlaces();
    mkdirSync(dirname(places.signalStateFile), { recursive: true });
    writeFileSync(places.signalStateFile, JSON.stringify({ sessions: {}, events: [] }));
    return places;
  }

  function signals(places: Places) {
    const decoded = decodeSignalDocument(readFileSync(places.signalStateFile, "utf8"));
    if (decoded.outcome !== "document") throw new Error(decoded.reason);
    return decoded.document;
  }

  test("the status directory has each session, within the limits of the format, for the user alone", () => {
    const places = scratchPlaces();
    const entries = recording("claude/b-bash-approved");
    recordedCourse("claude", entries, places);
    const [name = ""] = readdirSync(places.statusDirectory);
    const file = decodeStatusFile(readFileSync(join(places.statusDirectory, name), "utf8"), name);
    expect(file).toMatchObject({
      outcome: "report",
      report: { state: "dormant", writer: "agent-sessions" },
      findings: [],
    });
    expect(statSync(join(places.statusDirectory, name)).mode & 0o777).toBe(0o600);
  });

  test("the signal document follows, where it is in use, under the names of the original's hooks", () => {
    const places = withDocument();
    const entries = recording("claude/b-bash-approved");
    const asked = entries.findIndex(({ event }) => event === "PermissionRequest");
    recordedCourse("claude", entries.slice(0, asked + 1), places);
    const id = Array.from(signals(places).sessions.keys())[0] ?? "";
    expect(signals(places)).toMatchObject({ aggregate: "permission" });
    expect(signals(places).sessions.get(id)).toMatchObject({
      agent: "claude-code",
      signal: "permission_request",
      lastEvent: "PermissionRequest",
    });
    recordedCourse("claude", entries.slice(asked + 1), places);
    expect(signals(places).sessions.size).toBe(0);
    expect(signals(places).aggregate).toBe("idle");
  });

  test("where it is not in use, no document is made", () => {
    const places = scratchPlaces();
    recordedCourse("claude", recording("claude/a-simple"), places);
    expect(() => statSync(places.signalStateFile)).toThrow(/ENOENT/);
  });

  test("our own projections are no evidence of their own: a session has one source", () => {
    const places = withDocument();
    const entries = recording("claude/i-subagent");
    const { observer } = recordedCourse("claude", entries.slice(0, -1), places);
    expect(observer.snapshot().sessions.map(({ sources }) => sources)).toEqual([["events"]]);
  });

  test("a status file that another writer left and that is newer stays, and is evidence", () => {
    const places = scratchPlaces();
    const entries = recording("claude/a-simple").slice(0, -1);
    const last = entries.at(-1)?.at ?? 0;
    recordedCourse("claude", entries.slice(0, -1), places);
    const [name = ""] = readdirSync(places.statusDirectory);
    const theirs = {
      session_id: name.replace(/\.json$/, ""),
      state: "waiting",
      ts: last / 1000 + 50,
      message: "From the other",
    };
    writeFileSync(join(places.statusDirectory, name), JSON.stringify(theirs));
    const { observer } = recordedCourse("claude", entries.slice(-1), places);
    expect(JSON.parse(readFileSync(join(places.statusDirectory, name), "utf8"))).toEqual(theirs);
    expect(observer.snapshot().sessions).toMatchObject([
      { state: "waiting", message: "From the other", sources: ["events", "status"] },
    ]);
  });
});
