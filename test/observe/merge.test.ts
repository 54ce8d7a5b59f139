import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Observer } from "../../src/observe/observer";
import type { Session } from "../../src/session/session";
import { ReadMarksFile } from "../../src/store/read-marks";
import { scratchPlaces } from "../scratch";

const NOW = 1_800_000_000;

type Fields = Record<string, unknown>;

/** A status directory and a signal document side by side, read at `NOW`. */
class Sources {
  readonly places = scratchPlaces();
  now = NOW;
  readonly observer = new Observer({ places: this.places, clock: () => this.now * 1000, cache: false });

  constructor() {
    // Used long before, so that answers can be unread.
    new ReadMarksFile(this.places.home).load(NOW - 1_000_000);
  }

  status(id: string, fields: Fields): this {
    const file = join(this.places.statusDirectory, `${id}.json`);
    writeFileSync(file, JSON.stringify({ session_id: id, state: "working", ts: NOW - 60, ...fields }));
    return this;
  }

  signal(sessions: Record<string, Fields>, rest: Fields = {}): this {
    return this.signalText(JSON.stringify({ schema_version: 1, sessions, events: [], ...rest }));
  }

  signalText(text: string): this {
    mkdirSync(dirname(this.places.signalStateFile), { recursive: true });
    writeFileSync(this.places.signalStateFile, text);
    return this;
  }

  snapshot() {
    this.observer.look();
    return this.observer.snapshot();
  }

  /** The rows, shortened to what a test compares. */
  rows(): string[] {
    return this.snapshot().sessions.map(
      ({ id, state, unread, sources }) => `${id} ${state}${unread ? "*" : ""} ${sources.join("+")}`,
    );
  }

  only(): Session {
    const [session, ...others] = this.snapshot().sessions;
    if (session === undefined || others.length > 0) throw new Error("expected one session");
    return session;
  }
}

const record = (signal: string, secondsAgo: number, rest: Fields = {}) => ({
  signal,
  updated_at: NOW - secondsAgo,
  ...rest,
});

describe("one row a session", () => {
  test("a session in both sources is one, by agent and id", () => {
    const sources = new Sources()
      .status("s1", { agent: "claude" })
      .signal({ s1: record("working", 60, { agent: "claude-code" }) });
    expect(sources.rows()).toEqual(["claude:s1 working status+signal"]);
  });

  test("codex's scoped ids are the same session, and its surface is kept", () => {
    const sources = new Sources()
      .status("c1", { agent: "codex" })
      .signal({ "codex-cli:c1": record("working", 60, { agent: "codex-cli" }) });
    expect(sources.rows()).toEqual(["codex:c1 working status+signal"]);
    expect(sources.only().surface).toBe("codex-cli");
  });

  test("the same id of two agents is two sessions", () => {
    const sources = new Sources()
      .status("s1", { agent: "claude" })
      .signal({ s1: record("working", 60, { agent: "gemini" }) });
    expect(sources.rows().sort()).toEqual(["claude:s1 working status", "gemini:s1 working signal"]);
  });

  test("a record without an agent joins the one session that has its id", () => {
    expect(
      new Sources()
        .status("s1", {})
        .signal({ s1: record("working", 60) })
        .rows(),
    ).toEqual(["claude:s1 working status+signal"]);
    expect(new Sources().signal({ s1: record("working", 60) }).rows()).toEqual(["agent:s1 working signal"]);
  });

  test("two sessions in one folder stay two", () => {
    const sources = new Sources().status("s1", { cwd: "/w/shop" }).status("s2", { cwd: "/w/shop" });
    expect(sources.rows()).toHaveLength(2);
  });
});

describe("what holds where two sources speak of a session", () => {
  test("where they agree, the richer one stands, with its own time", () => {
    const sources = new Sources()
      .status("s1", { state: "waiting", ts: NOW - 40, message: "Bash: rm x" })
      .signal({ s1: record("permission_request", 5) });
    expect(sources.only()).toMatchObject({
      state: "waiting",
      since: NOW - 40,
      message: "Bash: rm x",
      waitingFor: "permission",
    });
  });

  test.each<[status: string, signal: string]>([
    ["idle", "session_start"],
    ["scheduled", "idle"],
    ["compacting", "working"],
    ["waitingForSubagents", "tool_done"],
    ["decision", "permission_request"],
    ["decision", "attention"],
  ])("%s and %s agree, though the signal is newer", (state, signal) => {
    const sources = new Sources().status("s1", { state, ts: NOW - 40 }).signal({ s1: record(signal, 1) });
    expect(sources.only()).toMatchObject({ state, since: NOW - 40 });
  });

  test("an answer stays unread when the signal calls the session idle", () => {
    const sources = new Sources()
      .status("s1", { state: "done", ts: NOW - 40, done_at: NOW - 40 })
      .signal({ s1: record("idle", 1) });
    expect(sources.rows()).toEqual(["claude:s1 done* status+signal"]);
  });

  test("where they do not, the newer evidence gives the state, and what belonged to the old one goes", () => {
    const sources = new Sources()
      .status("s1", { state: "waiting", ts: NOW - 40, message: "Bash: rm x", cwd: "/w/shop", title: "Clean up" })
      .signal({ s1: record("working", 5, { last_event: "PostToolUse" }) });
    const row = sources.only();
    expect(row).toMatchObject({
      state: "working",
      since: NOW - 5,
      event: "PostToolUse",
      project: "shop",
      title: "Clean up",
    });
    expect(row.message).toBeUndefined();
    expect(row.evidence.map(({ source, state }) => `${source} ${state}`)).toEqual(["status waiting", "signal working"]);
  });

  test("older evidence changes nothing", () => {
    const sources = new Sources()
      .status("s1", { state: "waiting", ts: NOW - 40 })
      .signal({ s1: record("working", 50) });
    expect(sources.only()).toMatchObject({ state: "waiting", since: NOW - 40 });
  });

  test("within the same second, the source that counts fractions stands", () => {
    const sources = new Sources().status("s1", { state: "waiting", ts: NOW - 40.3, event_ts: NOW - 40.3 });
    sources.signal({ s1: { signal: "working", updated_at: NOW - 41 } });
    expect(sources.only().state).toBe("waiting");
    sources.signal({ s1: { signal: "working", updated_at: NOW - 40 } });
    expect(sources.only().state).toBe("working");
  });

  test("an answer that only the signal heard of is unread", () => {
    const sources = new Sources().status("s1", { state: "working", ts: NOW - 60 }).signal({ s1: record("done", 5) });
    expect(sources.only()).toMatchObject({ state: "done", unread: true, doneAt: NOW - 5, since: NOW - 5 });
  });

  test("the same answer, told in whole seconds, does not become a second one", () => {
    const sources = new Sources()
      .status("s1", { state: "done", ts: NOW - 40.7, done_at: NOW - 40.7 })
      .signal({ s1: { signal: "done", updated_at: NOW - 41 } });
    expect(sources.only().doneAt).toBe(NOW - 40.7);
  });

  test("an ended session is not brought back by what was said before", () => {
    const sources = new Sources()
      .status("s1", { state: "dormant", ts: NOW - 10 })
      .signal({ s1: record("working", 30) });
    expect(sources.only().state).toBe("dormant");
  });
});

describe("the signal document alone", () => {
  test.each<[signal: string, shown: string]>([
    ["idle", "idle"],
    ["session_start", "idle"],
    ["thinking", "working"],
    ["working", "working"],
    ["tool_done", "working"],
    ["subagent_stop", "working"],
    ["subagent_start", "waitingForSubagents"],
    ["attention", "waiting"],
    ["notification", "waiting"],
    ["permission", "waiting"],
    ["permission_request", "waiting"],
    ["done", "done"],
    ["blocked", "failed"],
    ["failure", "failed"],
    ["error", "failed"],
    ["exception", "failed"],
    ["max_tokens", "failed"],
    ["stale", "unknown"],
  ])("%s is shown as %s", (signal, shown) => {
    expect(new Sources().signal({ s1: record(signal, 5, { agent: "script" }) }).only().state).toBe(shown);
  });

  test("work nobody confirmed for the session TTL is unknown, not idle; a finished answer stays unread", () => {
    const sources = new Sources().signal({
      s1: record("working", 1801, { agent: "a" }),
      s2: record("done", 9000, { agent: "a" }),
    });
    expect(sources.rows().sort()).toEqual(["a:s1 unknown signal", "a:s2 done* signal"]);
    expect(new Sources().signal({ s1: record("working", 1800, { agent: "a" }) }).rows()).toEqual([
      "a:s1 working signal",
    ]);
  });

  test("dates may be ISO with offset or numbers", () => {
    const sources = new Sources().signal({
      s1: { signal: "working", agent: "a", updated_at: new Date((NOW - 90) * 1000).toISOString() },
    });
    expect(sources.only().since).toBe(NOW - 90);
  });

  test("its stored aggregate counts only without sessions; off pauses", () => {
    expect(new Sources().signal({}, { aggregate: "off" }).snapshot().aggregate.displayState).toBe("paused");
    expect(new Sources().signal({}, { aggregate: "done" }).snapshot().aggregate.displayState).toBe("completed");
    const sources = new Sources().status("s1", { state: "waiting" }).signal({}, { aggregate: "off" });
    expect(sources.snapshot().aggregate).toMatchObject({ displayState: "paused", needsYou: 1 });
  });

  test("damaged, it is stale, keeps its last good rows marked, and names the field", () => {
    const sources = new Sources().signal({ s1: record("working", 5, { agent: "a" }) });
    expect(sources.snapshot().aggregate.displayState).toBe("active");
    sources.now += 10;
    sources.signal({ s1: record("dancing", 1, { agent: "a" }) });
    const { aggregate, problems, sessions } = sources.snapshot();
    expect(aggregate.displayState).toBe("stale");
    expect(problems).toMatchObject([
      { file: sources.places.signalStateFile, field: "sessions.s1.signal", outcome: "unreadable" },
    ]);
    expect(sessions).toMatchObject([{ id: "a:s1", state: "working", unreadableSince: sources.now }]);
  });

  test("damaged from the start, it is stale too: nothing is taken for idle", () => {
    expect(new Sources().signalText("{").snapshot().aggregate).toMatchObject({ displayState: "stale", total: 0 });
  });

  test("gone, what was alive a moment ago is unknown, what was long over is dropped", () => {
    const sources = new Sources().signal({
      s1: record("working", 5, { agent: "a" }),
      s2: record("done", 9000, { agent: "a" }),
    });
    sources.snapshot();
    sources.now += 10;
    rmSync(dirname(sources.places.signalStateFile), { recursive: true });
    expect(sources.rows()).toEqual(["a:s1 unknown signal"]);
  });

  test("a paused record says nothing of its session", () => {
    const { sessions, aggregate } = new Sources().signal({ s1: record("pause", 5, { agent: "a" }) }).snapshot();
    expect(sessions).toEqual([]);
    expect(aggregate.displayState).toBe("paused");
  });
});

describe("the process behind a session", () => {
  const withProcess = (pid: number, knownAt: number) =>
    new Sources().status("s1", {
      state: "working",
      done_at: NOW - 90,
      writer: "agent-sessions",
      pid,
      pid_known_at: knownAt,
    });

  test("a number that runs nothing ends the session; its unread answer stays", () => {
    expect(withProcess(2 ** 22 + 1, NOW).rows()).toEqual(["claude:s1 dormant* status"]);
  });

  test("this very process, known by now, is alive", () => {
    expect(withProcess(process.pid, Date.now() / 1000).rows()).toEqual(["claude:s1 working* status"]);
  });

  (process.platform === "linux" ? test : test.skip)("a process that started later has the number only (Linux)", () => {
    expect(withProcess(process.pid, 1000).rows()).toEqual(["claude:s1 dormant* status"]);
  });
});
