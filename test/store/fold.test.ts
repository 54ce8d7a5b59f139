import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mapClaude } from "../../src/agents/claude/events";
import { encodeStatusFile } from "../../src/files/status-file";
import { reportOf, type SessionRecord } from "../../src/session/record";
import { fold, type FoldTools } from "../../src/store/fold";
import { SessionStore } from "../../src/store/session-store";
import { deliver } from "../inbox-file";
import { scratchFolder } from "../scratch";

const AT = 1_800_000_000;

/** A home with what a fold needs; told sessions are kept. */
function scene(now = AT + 100) {
  const home = join(scratchFolder(), "home");
  const told: SessionRecord[] = [];
  const tools: FoldTools = {
    clock: () => now * 1000,
    mapperOf: () => mapClaude,
    project: (records) => void told.push(...records),
  };
  const send = (id: string, event: string, at: number, rest: Record<string, unknown> = {}) =>
    deliver(home, { agent: "claude", event, at, payload: { session_id: id, hook_event_name: event, ...rest } });
  const record = (id: string) => new SessionStore(home).load({ agent: "claude", sessionId: id })?.record;
  const waiting = () => readdirSync(join(home, "inbox")).filter((name) => name !== "rejected");
  return { home, told, tools, send, record, waiting };
}

test("an empty home is folded without a trace", () => {
  const { home, tools } = scene();
  expect(fold(home, tools)).toEqual({ folded: 0, ignored: 0, rejected: 0, unfinished: 0, files: [] });
  expect(existsSync(home)).toBe(false);
});

test("events are folded by time, whatever their names, and taken out", () => {
  const { home, tools, send, record, waiting, told } = scene();
  send("s1", "Stop", AT + 3);
  send("s1", "SessionStart", AT + 1, { source: "startup" });
  send("s1", "UserPromptSubmit", AT + 2, { prompt: "Fix it" });
  expect(fold(home, tools)).toMatchObject({ folded: 3, ignored: 0, rejected: 0, unfinished: 0 });
  expect(record("s1")).toMatchObject({ state: "done", doneAt: AT + 3, title: "Fix it", turnStartedAt: AT + 2 });
  expect(waiting()).toEqual([]);
  expect(told.map(({ state }) => state)).toEqual(["done"]);
});

test("events of the same moment are folded by name", () => {
  const { home, tools, send, record } = scene();
  send("s1", "UserPromptSubmit", AT, { prompt: "Fix it" });
  send("s1", "Stop", AT);
  fold(home, tools);
  expect(record("s1")?.state).toBe("done");
});

test("a later fold goes on where the earlier one ended", () => {
  const { home, tools, send, record } = scene();
  send("s1", "UserPromptSubmit", AT, { prompt: "Fix it" });
  fold(home, tools);
  send("s1", "Stop", AT + 5);
  fold(home, tools);
  expect(record("s1")).toMatchObject({ state: "done", title: "Fix it" });
});

test("an entry that was folded but not taken out, as a kill leaves it, is not folded twice, and others are told again", () => {
  const { home, tools, send, record, waiting, told } = scene();
  const bash = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "make", run_in_background: true } };
  send("s1", "UserPromptSubmit", AT, { prompt: "Build" });
  const path = send("s1", "PostToolUse", AT + 1, { ...bash, tool_response: { backgroundTaskId: "b1" } });
  const text = readFileSync(path);
  fold(home, tools);
  const before = record("s1");
  // The very entry is back: same name, same time.
  const { utimesSync } = jest.requireActual<typeof import("node:fs")>("node:fs");
  writeFileSync(path, text);
  utimesSync(path, AT + 1, AT + 1);
  expect(fold(home, tools)).toMatchObject({ folded: 0 });
  expect(record("s1")).toEqual(before);
  expect(waiting()).toEqual([]);
  expect(told).toHaveLength(2);
});

test("others are told of a hundred sessions at once, each with its latest state, while their entries are still there", () => {
  const { home, tools, send, waiting } = scene();
  for (let n = 0; n < 250; n += 1) {
    send(`s${n}`, "UserPromptSubmit", AT, { prompt: "Build" });
    send(`s${n}`, "Stop", AT + 1);
  }
  const calls: { ids: string[]; states: string[]; waits: number }[] = [];
  const project: FoldTools["project"] = (records) =>
    calls.push({
      ids: records.map(({ sessionId }) => sessionId),
      states: Array.from(new Set(records.map(({ state }) => state))),
      waits: waiting().length,
    });
  fold(home, { ...tools, project });
  expect(calls.map(({ ids, states, waits }) => [ids.length, states, waits])).toEqual([
    [100, ["done"], 500],
    [100, ["done"], 300],
    [50, ["done"], 100],
  ]);
  expect(new Set(calls.flatMap(({ ids }) => ids)).size).toBe(250);
  expect(waiting()).toEqual([]);
});

test("where no session could be kept, others are told of nothing", () => {
  const { home, tools, send, told } = scene();
  send("s1", "Stop", AT);
  writeFileSync(join(home, "sessions"), "");
  const calls: number[] = [];
  expect(() => fold(home, { ...tools, project: (records) => calls.push(records.length) })).toThrow();
  expect([calls, told]).toEqual([[], []]);
});

test("what others could not be told of stays, and is told again", () => {
  const { home, tools, send, waiting, told } = scene();
  send("s1", "Stop", AT);
  const failing: FoldTools["project"] = () => {
    throw new Error("cannot be told");
  };
  expect(() => fold(home, { ...tools, project: failing })).toThrow("cannot be told");
  expect(waiting()).toHaveLength(1);
  expect(fold(home, tools)).toMatchObject({ folded: 0 });
  expect(told).toHaveLength(1);
  expect(waiting()).toEqual([]);
});

test("a new entry of a name that was used before is a new entry", () => {
  const { home, tools, send, record } = scene();
  const path = send("s1", "UserPromptSubmit", AT, { prompt: "Build" });
  fold(home, tools);
  const later = send("s1", "Stop", AT + 9);
  const { renameSync } = jest.requireActual<typeof import("node:fs")>("node:fs");
  renameSync(later, path);
  expect(fold(home, tools)).toMatchObject({ folded: 1 });
  expect(record("s1")?.state).toBe("done");
});

test("what cannot be read is kept aside with the reason, and holds up nobody", () => {
  const { home, tools, send, record, waiting } = scene();
  deliver(home, { agent: "claude", at: AT, payload: "this is not JSON" });
  deliver(home, { agent: "claude", at: AT, payload: { hook_event_name: "Stop" } });
  writeFileSync(join(home, "inbox", "stray"), "something else");
  send("s1", "Stop", AT + 1);
  expect(fold(home, { ...tools, clock: () => Date.now() + 60_000 })).toMatchObject({ folded: 1, rejected: 3 });
  expect(record("s1")?.state).toBe("done");
  expect(waiting()).toEqual([]);
  const rejected = readdirSync(join(home, "inbox", "rejected"));
  expect(rejected).toHaveLength(3);
  const texts = rejected.map((name) => readFileSync(join(home, "inbox", "rejected", name), "utf8"));
  expect(texts.some((text) => /^The payload is not JSON/.test(text) && text.includes("this is not JSON"))).toBe(true);
  expect(texts.some((text) => text.startsWith("session_id"))).toBe(true);
});

test("one whose name is as long as a name may be is kept aside as well", () => {
  const { home, tools, send, record, waiting } = scene();
  send("s1", "Stop", AT + 1);
  for (const name of ["x".repeat(255), "é".repeat(127)]) writeFileSync(join(home, "inbox", name), "something else");
  expect(fold(home, { ...tools, clock: () => Date.now() + 60_000 })).toMatchObject({ folded: 1, rejected: 2 });
  expect(record("s1")?.state).toBe("done");
  expect(waiting()).toEqual([]);
  expect(readdirSync(join(home, "inbox", "rejected"))).toHaveLength(2);
});

test("rejected entries do not grow without bound", () => {
  const { home, tools } = scene();
  for (let index = 0; index < 130; index += 1)
    deliver(home, { agent: "claude", at: AT + index, payload: "x".repeat(9000) });
  fold(home, tools);
  const folder = join(home, "inbox", "rejected");
  expect(readdirSync(folder)).toHaveLength(100);
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).length).toBeLessThan(5000);
});

test("an entry that is still being written waits, the rest goes on", () => {
  const { home, tools, send, record } = scene(Date.now() / 1000);
  mkdirSync(join(home, "inbox"), { recursive: true });
  const half = join(home, "inbox", "claude-plugin-1");
  writeFileSync(half, "agent-sessions 1\nagent=cl");
  send("s1", "Stop", AT);
  expect(fold(home, tools)).toMatchObject({ folded: 1, unfinished: 1 });
  expect(existsSync(half)).toBe(true);
  const payload = JSON.stringify({ session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "Next" });
  writeFileSync(half, `agent-sessions 1\nagent=claude\n\n${payload}`);
  expect(fold(home, tools)).toMatchObject({ folded: 1, unfinished: 0 });
  expect(record("s1")?.state).toBe("working");
});

test("the leading keys of a payload that was cut still count", () => {
  const { home, tools, record } = scene();
  const cut = `{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"Fix it","attachment":"${"x".repeat(100)}`;
  deliver(home, { agent: "claude", at: AT, payload: cut });
  expect(fold(home, tools)).toMatchObject({ folded: 1 });
  expect(record("s1")).toMatchObject({ state: "working", title: "Fix it" });
});

test("a session file that is damaged is kept aside, and the session begins anew", () => {
  const { home, tools, send, record } = scene();
  send("s1", "Stop", AT);
  fold(home, tools);
  const path = join(home, "sessions", "claude", "s1.json");
  writeFileSync(path, "{");
  send("s1", "UserPromptSubmit", AT + 1, { prompt: "Again" });
  fold(home, tools);
  expect(readFileSync(`${path}.damaged`, "utf8")).toBe("{");
  expect(record("s1")).toMatchObject({ state: "working", title: "Again" });
});

test.each(["../../evil", ".hidden", "a/b", "ä ö", "%2e", "x".repeat(300)])("the id %j cannot leave the store", (id) => {
  const { home, tools, send, record } = scene();
  send(id, "Stop", AT);
  const { folded, rejected } = fold(home, tools);
  expect(folded + rejected).toBe(1);
  expect(readdirSync(home).sort()).toEqual(expect.arrayContaining(["inbox"]));
  expect(existsSync(join(home, "..", "evil.json"))).toBe(false);
  if (folded === 1) {
    expect(record(id)?.sessionId).toBe(id);
    expect(readdirSync(join(home, "sessions", "claude"))).toHaveLength(1);
  }
});

test("the mark that the inbox is full is taken away", () => {
  const { home, tools, send } = scene();
  send("s1", "Stop", AT);
  writeFileSync(join(home, "inbox", ".full"), "");
  fold(home, tools);
  expect(readdirSync(join(home, "inbox"))).toEqual([]);
});

test("the terminal a session runs in is kept, and told with its status; other variables are not", () => {
  const { home, tools, record, told } = scene();
  const env = { TMUX: "/run/tmux/default,1,0", TMUX_PANE: "%5", CLAUDE_PID: "77", TERM_PROGRAM: "tmux" };
  deliver(home, { agent: "claude", at: AT, env, payload: { session_id: "s1", hook_event_name: "Stop" } });
  fold(home, tools);
  const terminal = { TMUX: "/run/tmux/default,1,0", TMUX_PANE: "%5", TERM_PROGRAM: "tmux" };
  expect(record("s1")).toMatchObject({ pid: 77, terminal });
  expect(record("s1")?.terminal).toEqual(terminal);
  expect(JSON.parse(encodeStatusFile(reportOf(told[0] as SessionRecord)))).toMatchObject({ pid: 77, terminal });
  deliver(home, { agent: "claude", at: AT + 1, payload: { session_id: "s1", hook_event_name: "SessionEnd" } });
  fold(home, tools);
  expect(record("s1")?.terminal).toEqual(terminal);
});
