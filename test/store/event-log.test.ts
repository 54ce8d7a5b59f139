import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { mapperOf } from "../../src/agents/registry";
import { effectTexts, eventText, senderText, changeText, type TimelineEntry } from "../../src/session/event-line";
import { EventLogs, EventLogWriter, LINES_KEPT } from "../../src/store/event-log";
import { fold } from "../../src/store/fold";
import { SessionStore } from "../../src/store/session-store";
import { deliver, type Delivery } from "../inbox-file";
import { scratchFolder } from "../scratch";

/** Some time ago: events are older than the files that tell of them. */
const AT = 1_700_000_000;

function scene() {
  const home = join(scratchFolder(), "home");
  const logs = new EventLogs(home);
  const foldAll = () => fold(home, { clock: () => (AT + 1000) * 1000, mapperOf, project: () => undefined });
  const send = (
    id: string,
    event: string,
    at: number,
    rest: Record<string, unknown> = {},
    more: Partial<Delivery> = {},
  ) =>
    deliver(home, {
      agent: "claude",
      event,
      at,
      payload: { session_id: id, hook_event_name: event, ...rest },
      ...more,
    });
  const read = (limit = 1000) => logs.read({ limit }).entries;
  const logFile = (id: string, agent = "claude") => join(home, "events", agent, `${id}.jsonl`);
  return { home, logs, fold: foldAll, send, read, logFile };
}

/** An entry as a person reads it. */
function said(entry: TimelineEntry): string {
  return [eventText(entry), senderText(entry), changeText(entry), ...effectTexts(entry)].join(" | ");
}

function unreads(entries: readonly TimelineEntry[]) {
  return entries.map((entry) => (entry.outcome === "event" ? entry.unread : "none"));
}

const BASH = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };

describe("what the fold keeps of a session's course", () => {
  test("each event with its sender, what it did to the state, its waits, and the answer it left", () => {
    const { fold, send, read } = scene();
    send("s1", "SessionStart", AT, { source: "startup" });
    send("s1", "UserPromptSubmit", AT + 1, { prompt: "Fix it" });
    send("s1", "PreToolUse", AT + 2, BASH);
    send("s1", "PermissionRequest", AT + 3, BASH);
    send("s1", "PostToolUse", AT + 4, BASH);
    send("s1", "SubagentStart", AT + 5, { agent_id: "a1", agent_type: "Explore" });
    send("s1", "PermissionRequest", AT + 6, { ...BASH, agent_id: "a1" });
    send("s1", "SubagentStop", AT + 7, { agent_id: "a1" });
    send("s1", "Stop", AT + 8);
    send("s1", "UserPromptSubmit", AT + 9, { prompt: "More" });
    send("s1", "StopFailure", AT + 10, { error: "rate_limit", error_details: "Try again later" });
    fold();
    expect(read().map(said)).toEqual([
      "SessionStart | hook | New: Idle",
      "UserPromptSubmit | hook | Idle → Working",
      "PreToolUse (Bash) | hook | Working",
      expect.stringMatching(/^PermissionRequest \(Bash\) \| hook \| Working → Waiting \| Began waiting: .*npm test/),
      expect.stringMatching(/^PostToolUse \(Bash\) \| hook \| Waiting → Working \| No longer waiting: .*npm test/),
      "SubagentStart | hook, subagent a1 | Working",
      expect.stringMatching(
        /^PermissionRequest \(Bash\) \| hook, subagent a1 \| Working → Waiting \| Began .*\(subagent a1\)$/,
      ),
      expect.stringMatching(
        /^SubagentStop \| hook, subagent a1 \| Waiting → Working \| No longer waiting: .*\(subagent a1\)$/,
      ),
      "Stop | hook | Working → Done | Answer unread",
      "UserPromptSubmit | hook | Done → Working | Answer seen",
      "StopFailure | hook | Working → Failed | Failed: rate_limit: Try again later",
    ]);
    expect(read().map(({ at }) => at)).toEqual(Array.from({ length: 11 }, (_, index) => AT + index));
  });

  test("a second answer is a new one; a turn that was not the user's leaves the first unread", () => {
    const { fold, send, read } = scene();
    send("s1", "UserPromptSubmit", AT, { prompt: "Fix it" });
    send("s1", "Stop", AT + 1);
    send("s1", "UserPromptSubmit", AT + 2, { prompt: "<task-notification>done</task-notification>" });
    send("s1", "Stop", AT + 3);
    send("s1", "UserPromptSubmit", AT + 4, { prompt: "<task-notification>done</task-notification>" });
    send("s1", "UserPromptSubmit", AT + 5, { prompt: "Thanks" });
    fold();
    expect(unreads(read())).toEqual([undefined, "set", undefined, "set", undefined, "cleared"]);
  });

  test("an answer nobody asked for stays unread until the user writes, whatever turns come between", () => {
    const { fold, send, read } = scene();
    send("s1", "Stop", AT);
    send("s1", "UserPromptSubmit", AT + 1, { prompt: "<task-notification>done</task-notification>" });
    send("s1", "UserPromptSubmit", AT + 2, { prompt: "Thanks" });
    fold();
    expect(unreads(read())).toEqual(["set", undefined, "cleared"]);
  });

  test("a prompt that comes late, written before the answer, does not clear it", () => {
    const { fold, send, read } = scene();
    send("s1", "Stop", AT + 5);
    fold();
    send("s1", "UserPromptSubmit", AT + 1, { prompt: "Fix it" });
    fold();
    expect(unreads(read())).toEqual([undefined, "set"]);
  });

  test("nothing of the payload but what the row shows, cut", () => {
    const { fold, send, logFile } = scene();
    send("s1", "UserPromptSubmit", AT, { prompt: "A SECRET" });
    send("s1", "PreToolUse", AT + 1, { ...BASH, tool_input: { command: "SECRET", content: "SECRET" } });
    send("s1", "Elicitation", AT + 2, { message: `Which?\u001b[2J ${"x".repeat(900)}`, mcp_server_name: "srv" });
    send("s1", "Stop", AT + 3, { last_assistant_message: "SECRET" });
    fold();
    const text = readFileSync(logFile("s1"), "utf8");
    expect(text).not.toContain("SECRET");
    expect(text).not.toContain("x".repeat(120));
    expect(text).not.toContain("\\u001b");
    expect(text.split("\n")).toHaveLength(5);
  });

  test("who told it: a plugin, Codex's notify, a hook; and why an event was left out", () => {
    const { fold, send, home, read } = scene();
    const plugin = { env: { CLAUDE_PID: "70", AGENT_SESSIONS_PLUGIN: "1" } };
    send("s1", "UserPromptSubmit", AT, { prompt: "Go" }, plugin);
    send("s1", "PreToolUse", AT + 1, BASH, { env: { CLAUDE_PID: "70" } });
    send("s1", "PostToolUse", AT + 1.5, BASH, { env: { CLAUDE_PID: "70", TMUX: "/t,1,0", TMUX_PANE: "%1" } });
    send(
      "s2",
      "UserPromptSubmit",
      AT + 2,
      { prompt: "Go" },
      { env: { CLAUDE_PID: "80", CLAUDE_CODE_ENTRYPOINT: "cli" } },
    );
    send("s2", "Stop", AT + 3, {}, { env: { CLAUDE_PID: "81", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" } });
    const turn = { type: "agent-turn-complete", "thread-id": "c1", "turn-id": "t1", client: "codex-tui" };
    deliver(home, { agent: "codex", event: "notify", at: AT + 4, payload: turn });
    fold();
    expect(read().map(said)).toEqual([
      "UserPromptSubmit | plugin | New: Working",
      "PreToolUse (Bash) | hook | Working | Left out: the plugin tells it",
      "PostToolUse (Bash) | hook | Working | Left out: the plugin tells it",
      "UserPromptSubmit | hook | New: Working",
      "Stop | hook | Working | Left out: a run beside the open session",
      expect.stringMatching(/\| notify \| New: Done \| Answer unread$/),
    ]);
  });

  test("what was ignored or rejected is in the timeline of all, with the reason, and in no session's", () => {
    const { fold, send, home, read, logs } = scene();
    send("s1", "Stop", AT);
    send("s1", "InstructionsLoaded", AT + 1);
    deliver(home, { agent: "claude-code", event: "Stop", at: AT + 2, payload: "this is not JSON" });
    fold();
    expect(read().map(said)).toEqual([
      "Stop | hook | New: Done | Answer unread",
      "InstructionsLoaded | hook | Ignored | Says nothing that is kept",
      expect.stringMatching(/^Stop \| inbox \| Rejected \| The payload is not JSON/),
    ]);
    expect(read()[2]).toMatchObject({ agent: "claude", at: AT + 2 });
    expect(logs.read({ limit: 9, session: { agent: "claude", sessionId: "s1" } }).entries).toHaveLength(1);
  });
});

describe("a fold that is killed", () => {
  test("after the lines were appended, before the entries were taken out: none is there twice", () => {
    const { fold, send, read } = scene();
    const path = send("s1", "Stop", AT);
    const text = readFileSync(path);
    fold();
    writeFileSync(path, text);
    utimesSync(path, AT, AT);
    send("s1", "UserPromptSubmit", AT + 1, { prompt: "More" });
    fold();
    expect(read().map(({ event }) => event)).toEqual(["Stop", "UserPromptSubmit"]);
  });

  test("within a line: the next one stands on its own", () => {
    const { fold, send, read, logFile } = scene();
    send("s1", "Stop", AT);
    fold();
    appendFileSync(logFile("s1"), '{"at":1700000000,"eve');
    send("s1", "UserPromptSubmit", AT + 1, { prompt: "More" });
    fold();
    expect(read().map(({ event }) => event)).toEqual(["Stop", "UserPromptSubmit"]);
  });
});

describe("the files", () => {
  test("are for this user alone", () => {
    const { fold, send, home, logFile } = scene();
    send("s1", "Stop", AT);
    fold();
    expect(statSync(logFile("s1")).mode & 0o777).toBe(0o600);
    for (const folder of ["events", "events/claude"]) expect(statSync(join(home, folder)).mode & 0o777).toBe(0o700);
  });

  test("a log that grows too long keeps its newest lines", () => {
    const { home, logFile } = scene();
    const writer = new EventLogWriter(home);
    const identity = { agent: "claude", sessionId: "s1" };
    const line = (at: number) => ({ at, event: "E".repeat(60), from: "hook", after: "idle" }) as const;
    const sizes: number[] = [];
    const kept: number[] = [];
    for (let index = 0; index < 2000; index += 1) {
      writer.append(identity, [line(AT + index)]);
      sizes.push(statSync(logFile("s1")).size);
      if (sizes.length > 1 && (sizes.at(-1) ?? 0) < (sizes.at(-2) ?? 0)) {
        const { entries } = new EventLogs(home).read({ limit: 5000 });
        kept.push(entries.length);
        expect(entries.map(({ at }) => at)).toEqual(entries.map((_, place) => AT + index + 1 - entries.length + place));
      }
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024);
    expect(kept.length).toBeGreaterThan(2);
    expect(new Set(kept)).toEqual(new Set([LINES_KEPT]));
    expect(statSync(logFile("s1")).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(logFile("s1")))).toEqual(["s1.jsonl"]);
  });

  test("neither many long lines at once nor one after the other make a log too long", () => {
    const { home, logFile } = scene();
    const writer = new EventLogWriter(home);
    const failure = "宽".repeat(200);
    const lines = Array.from(
      { length: LINES_KEPT },
      (_, index) => ({ at: AT + index, event: "Stop", from: "hook", after: "failed", failure }) as const,
    );
    const identity = { agent: "claude", sessionId: "s1" };
    writer.append(identity, lines);
    expect(statSync(logFile("s1")).size).toBeLessThanOrEqual(64 * 1024);
    for (const line of lines) writer.append(identity, [line]);
    expect(statSync(logFile("s1")).size).toBeLessThanOrEqual(64 * 1024);
    const { entries } = new EventLogs(home).read({ limit: 1 });
    expect(entries).toMatchObject([{ at: AT + LINES_KEPT - 1, failure }]);
  });

  test("of very many events at once the newest are kept, as many as a log holds", () => {
    const { fold, send, read } = scene();
    for (let index = 0; index < 450; index += 1) send("s1", index % 2 ? "Stop" : "UserPromptSubmit", AT + index);
    fold();
    expect(read().map(({ at }) => at)).toEqual(Array.from({ length: LINES_KEPT }, (_, index) => AT + 250 + index));
    expect(read()[0]).toMatchObject({ before: "done", after: "working" });
  });

  test("go with their sessions, when another session begins", () => {
    const { fold, send, home, logFile } = scene();
    send("old", "Stop", AT);
    send("kept", "Stop", AT);
    fold();
    new SessionStore(home).remove({ agent: "claude", sessionId: "old" });
    send("new", "Stop", AT + 1);
    fold();
    expect(readdirSync(dirname(logFile("new")))).toEqual(["kept.jsonl", "new.jsonl"]);
  });

  test.each(["../../evil", ".hidden", "a/b", "ä ö", "%2e"])("the id %j cannot leave them, and reads back", (id) => {
    const { fold, send, home, read } = scene();
    send(id, "Stop", AT);
    fold();
    expect(read()).toMatchObject([{ agent: "claude", sessionId: id }]);
    expect(readdirSync(join(home, "events", "claude"))).toHaveLength(1);
  });

  test("an agent's name cannot leave them either", () => {
    const { home } = scene();
    const line = { at: AT, event: "Stop", from: "hook", after: "done" } as const;
    for (const agent of ["..", ".", "a/b", "@ignored.jsonl"])
      new EventLogWriter(home).append({ agent, sessionId: "s1" }, [line]);
    expect(existsSync(home)).toBe(false);
  });
});

describe("a log that cannot be written never holds up the fold", () => {
  test.each<[string, (home: string, log: string) => void]>([
    ["a folder in its place", (_home, log) => mkdirSync(log, { recursive: true })],
    ["a link in its place", (home, log) => linkIn(home, log)],
    ["a FIFO in its place", (_home, log) => execFileSync("mkfifo", [fileIn(log)])],
    ["a file where the folder should be", (home) => writeFileSync(join(home, "events"), "")],
  ])("%s", (_name, spoil) => {
    const { fold, send, home, logFile, read } = scene();
    mkdirSync(home, { recursive: true });
    spoil(home, logFile("s1"));
    send("s1", "Stop", AT);
    expect(fold()).toMatchObject({ folded: 1 });
    expect(new SessionStore(home).load({ agent: "claude", sessionId: "s1" })?.record.state).toBe("done");
    expect(readdirSync(join(home, "inbox"))).toEqual([]);
    expect(read()).toEqual([]);
    expect(existsSync(join(home, "victim")) ? readFileSync(join(home, "victim"), "utf8") : "mine").toBe("mine");
  });
});

const asRoot = process.geteuid?.() === 0 ? test : test.skip;

asRoot("a log of another user is neither written nor read", () => {
  const { fold, send, logs, logFile } = scene();
  send("s1", "Stop", AT);
  fold();
  const text = readFileSync(logFile("s1"), "utf8");
  chownSync(logFile("s1"), 12_345, 12_345);
  send("s1", "UserPromptSubmit", AT + 1);
  expect(fold()).toMatchObject({ folded: 1 });
  expect(readFileSync(logFile("s1"), "utf8")).toBe(text);
  expect(logs.read({ limit: 5 })).toMatchObject({ entries: [], problems: [{ file: logFile("s1") }] });
});

test("what no agent of a filter is about is left out", () => {
  const { fold, send, home, logs } = scene();
  send("s1", "Stop", AT);
  send("s1", "InstructionsLoaded", AT + 1);
  deliver(home, { agent: "codex", event: "Stop", at: AT + 2, payload: "nonsense" });
  send("g1", "BeforeAgent", AT + 3, {}, { agent: "gemini" });
  fold();
  const of = (agent: string) => logs.read({ limit: 9, agent }).entries.map(({ outcome }) => outcome);
  expect([of("claude"), of("codex"), of("gemini"), of("nobody")]).toEqual([
    ["event", "ignored"],
    ["rejected"],
    ["event"],
    [],
  ]);
});

function fileIn(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

function linkIn(home: string, log: string): void {
  writeFileSync(join(home, "victim"), "mine");
  symlinkSync(join(home, "victim"), fileIn(log));
}

describe("reading", () => {
  test("a home without logs has none", () => {
    expect(scene().logs.read({ limit: 10 })).toEqual({ entries: [], problems: [] });
  });

  test("lines that are none are left out", () => {
    const { fold, send, read, logFile } = scene();
    send("s1", "Stop", AT);
    fold();
    const garbage = [
      "",
      "nonsense",
      "[]",
      "null",
      '{"at":1700000001}',
      '{"at":1e300,"event":"x","from":"hook","after":"idle"}',
      '{"at":1700000001,"event":"x","from":"nobody","after":"idle"}',
      '{"at":1700000001,"event":"x","from":"hook","after":"evil"}',
      `{"at":1700000001,"event":"${"x".repeat(5000)}","from":"hook","after":"idle"}`,
    ];
    appendFileSync(logFile("s1"), `${garbage.join("\n")}\n\u0000\u0001\n`);
    expect(read().map(({ event }) => event)).toEqual(["Stop"]);
  });

  test("a file that is not ours to read is named, each time, and the others are read", () => {
    const { fold, send, home, logs, logFile } = scene();
    send("s1", "Stop", AT);
    send("s2", "Stop", AT + 1);
    fold();
    rmSync(logFile("s1"));
    linkIn(home, logFile("s1"));
    execFileSync("mkfifo", [logFile("s3")]);
    for (let round = 0; round < 2; round += 1) {
      const { entries, problems } = logs.read({ limit: 10 });
      expect(entries).toMatchObject([{ sessionId: "s2" }]);
      expect(problems.map(({ file }) => file).sort()).toEqual([logFile("s1"), logFile("s3")]);
    }
  });

  test("of a huge file only the end is read", () => {
    const { fold, send, logs, logFile } = scene();
    send("s1", "Stop", AT);
    fold();
    const line = readFileSync(logFile("s1"));
    writeFileSync(logFile("s1"), Buffer.concat([Buffer.alloc(32 * 1024 * 1024, "x\n"), line]));
    const begun = process.memoryUsage().arrayBuffers;
    expect(logs.read({ limit: 10 }).entries.map(({ event }) => event)).toEqual(["Stop"]);
    expect(process.memoryUsage().arrayBuffers - begun).toBeLessThan(4 * 1024 * 1024);
    writeFileSync(logFile("s1"), Buffer.concat([line, Buffer.alloc(300 * 1024, "x\n")]));
    expect(logs.read({ limit: 10 }).entries).toEqual([]);
    writeFileSync(logFile("s1"), Buffer.concat([Buffer.alloc(300 * 1024, "x\n"), line]));
    // The fold makes it small again.
    send("s1", "UserPromptSubmit", AT + 1);
    fold();
    expect(statSync(logFile("s1")).size).toBeLessThan(64 * 1024);
    expect(logs.read({ limit: 10 }).entries.map(({ event }) => event)).toEqual(["Stop", "UserPromptSubmit"]);
  });

  test("gives the newest of all sessions by time, as many as asked for", () => {
    const { fold, send, logs } = scene();
    for (let index = 0; index < 30; index += 1) {
      send(`s${index % 5}`, index % 10 < 5 ? "UserPromptSubmit" : "Stop", AT + index);
    }
    fold();
    const last = (limit: number) => logs.read({ limit }).entries.map(({ at }) => at - AT);
    expect(last(7)).toEqual([23, 24, 25, 26, 27, 28, 29]);
    expect(last(1)).toEqual([29]);
    expect(last(100)).toHaveLength(30);
    expect(
      logs.read({ limit: 2, session: { agent: "claude", sessionId: "s3" } }).entries.map(({ at }) => at - AT),
    ).toEqual([23, 28]);
  });

  test("leaves files alone that changed before anything in question, and those that did not change", () => {
    const { fold, send, home, logs, logFile } = scene();
    send("old", "Stop", AT);
    send("new", "Stop", AT + 10);
    fold();
    // Were it read, it would be a problem.
    rmSync(logFile("old"));
    linkIn(home, logFile("old"));
    lutimesSync(logFile("old"), AT + 1, AT + 1);
    expect(logs.read({ limit: 1 })).toMatchObject({ entries: [{ sessionId: "new" }], problems: [] });
    expect(logs.read({ limit: 2 }).problems).toHaveLength(1);
  });

  test("follows what is appended, and a log that was written anew", () => {
    const { fold, send, read, logFile } = scene();
    send("s1", "Stop", AT);
    fold();
    expect(read()).toHaveLength(1);
    send("s1", "UserPromptSubmit", AT + 1);
    fold();
    expect(read()).toHaveLength(2);
    renameSync(logFile("s1"), logFile("gone"));
    expect(read()).toMatchObject([{ sessionId: "gone" }, { sessionId: "gone" }]);
  });

  test("a folder that cannot be read is no failure", () => {
    const { fold, send, home, logs } = scene();
    send("s1", "Stop", AT);
    fold();
    rmSync(join(home, "events"), { recursive: true });
    writeFileSync(join(home, "events"), "");
    chmodSync(join(home, "events"), 0o600);
    expect(logs.read({ limit: 5 })).toEqual({
      entries: [],
      problems: [{ file: join(home, "events"), reason: "is not a folder", outcome: "refused" }],
    });
  });
});
