import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import stringWidth from "string-width";
import { eventsText } from "../../src/cli/events-text";
import { EXIT } from "../../src/cli/io";
import { events, type EventsRequest } from "../../src/cli/verbs/events";
import type { TimelineEntry } from "../../src/session/event-line";
import { STATES } from "../../src/session/state";
import { cliIo } from "../cli-io";
import { deliver } from "../inbox-file";
import { scratchPlaces } from "../scratch";

const NOW = 1_700_000_000;

const BASH = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } };

function scene() {
  const places = scratchPlaces();
  const send = (id: string, event: string, ago: number, rest: Record<string, unknown> = {}) =>
    deliver(places.home, {
      agent: "claude",
      event,
      at: NOW - ago,
      payload: { session_id: id, hook_event_name: event, ...rest },
    });
  const clock = () => NOW * 1000;
  const ask = async (request: Partial<EventsRequest> = {}, columns?: number) => {
    const io = cliIo(places, { clock, ...(columns === undefined ? {} : { columns }) });
    const code = await events({ json: false, ...request }, io);
    return { code, out: io.out(), err: io.err(), lines: io.out().split("\n").slice(0, -1) };
  };
  return { places, send, ask, clock };
}

/** The columns of a line; two spaces or more are between them. */
function columns(line: string): string[] {
  return line.split(/ {2,}/);
}

test("the timeline of all, newest last: age, title, agent, event, sender, change, and what else", async () => {
  const { send, ask } = scene();
  send("s1", "UserPromptSubmit", 7200, { prompt: "Fix the build" });
  send("s1", "PermissionRequest", 300, BASH);
  send("s2", "SessionStart", 60, { source: "startup", cwd: "/w/api", session_title: "Index" });
  send("s2", "InstructionsLoaded", 10);
  const { code, lines, err } = await ask();
  expect([code, err]).toEqual([EXIT.ok, ""]);
  expect(lines.map(columns)).toEqual([
    ["2h", "Fix the build", "claude", "UserPromptSubmit", "hook", "▶", "New: Working"],
    [
      "5m",
      "Fix the build",
      "claude",
      "PermissionRequest (Bash)",
      "hook",
      "!",
      "Working → Waiting",
      expect.stringMatching(/^Began waiting: .*npm test$/),
    ],
    ["1m", "Index", "claude", "SessionStart", "hook", "·", "New: Idle"],
    ["10s", "claude", "InstructionsLoaded", "hook", "Ignored", "Says nothing that is kept"],
  ]);
});

test("of a session, by a beginning of its id, only its own, without title and agent", async () => {
  const { send, ask } = scene();
  send("4f2e-1", "UserPromptSubmit", 60, { prompt: "One" });
  send("77aa-1", "UserPromptSubmit", 50, { prompt: "Two" });
  send("4f2e-1", "Stop", 40);
  const { lines } = await ask({ wanted: "4f" });
  expect(lines.map(columns)).toEqual([
    ["1m", "UserPromptSubmit", "hook", "▶", "New: Working"],
    ["40s", "Stop", "hook", "✓", "Working → Done", "Answer unread"],
  ]);
});

test("the limit counts from the newest; 50 by itself", async () => {
  const { send, ask } = scene();
  for (let index = 0; index < 60; index += 1) send("s1", index % 2 === 0 ? "UserPromptSubmit" : "Stop", 100 - index);
  expect((await ask()).lines).toHaveLength(50);
  expect((await ask({ limit: "2" })).lines.map((line) => columns(line)[0])).toEqual(["42s", "41s"]);
  expect((await ask({ limit: "1000" })).lines).toHaveLength(60);
});

test.each(["0", "-1", "many", "1.5", "", "1e3"])("%j is no limit", async (limit) => {
  await expect(scene().ask({ limit })).rejects.toMatchObject({ code: "usage" });
});

test("as JSON a line an entry, with the exact time", async () => {
  const { send, ask, places } = scene();
  send("s1", "UserPromptSubmit", 60.5, { prompt: "Fix" });
  send("s1", "PermissionRequest", 60, { ...BASH, agent_id: "a1" });
  deliver(places.home, { agent: "codex", event: "Stop", at: NOW - 50, payload: "nonsense" });
  const { lines } = await ask({ json: true });
  const parsed = lines.map((line): unknown => JSON.parse(line));
  expect(parsed[1]).toEqual({
    at: "2023-11-14T22:12:20.000Z",
    outcome: "event",
    agent: "claude",
    session_id: "s1",
    event: "PermissionRequest",
    from: "hook",
    subagent: "a1",
    tool: "Bash",
    state_before: "working",
    state_after: "waiting",
    unread: null,
    waits_began: [{ kind: "permission", message: expect.stringContaining("npm test"), subagent: "a1" }],
    waits_ended: [],
    failure: null,
    reason: null,
  });
  expect(parsed[0]).toMatchObject({ at: "2023-11-14T22:12:19.500Z", state_before: null, state_after: "working" });
  expect(parsed[2]).toMatchObject({ outcome: "rejected", agent: "codex", reason: expect.stringMatching(/not JSON/) });
});

test("nothing yet: what to do; a session we were told nothing of: that it is so", async () => {
  const { ask, places } = scene();
  expect(await ask()).toMatchObject({ code: EXIT.ok, out: expect.stringMatching(/^No events are kept\. .*doctor/) });
  expect(await ask({ json: true })).toMatchObject({ code: EXIT.ok, out: "" });
  const status = { session_id: "s9", state: "idle", ts: NOW - 5 };
  writeFileSync(join(places.statusDirectory, "s9.json"), JSON.stringify(status));
  expect(await ask({ wanted: "s9" })).toMatchObject({
    code: EXIT.nothing,
    out: expect.stringMatching(/^No events of this session/),
  });
  await expect(ask({ wanted: "nobody" })).rejects.toMatchObject({ code: "not-found" });
});

test("a log that may not be read is named, and the rest is printed", async () => {
  const { send, ask, places } = scene();
  send("s1", "Stop", 60);
  await ask();
  const link = join(places.home, "events", "claude", "s2.jsonl");
  symlinkSync("/etc/passwd", link);
  const { lines, err } = await ask();
  expect(lines).toHaveLength(1);
  expect(err).toBe(`agent-sessions: ${link}: is no plain file of your own\n`);
});

test("nothing in a log steers the terminal", async () => {
  const { send, ask, places } = scene();
  send("s1", "Stop", 60);
  await ask();
  const evil = "\u001b]0;x\u0007\u202e\n\ud800";
  const line = { at: NOW - 5, event: evil, from: "hook", subagent: evil, tool: evil, after: "failed", failure: evil };
  const waits = [{ kind: "input", message: evil, subagent: evil }];
  const log = join(places.home, "events", "claude", "s1.jsonl");
  writeFileSync(log, `${readFileSync(log, "utf8")}${JSON.stringify({ ...line, began: waits, ended: waits })}\n`);
  mkdirSync(join(places.home, "inbox", "rejected"), { recursive: true });
  writeFileSync(
    join(places.home, "inbox", "rejected", `${(NOW - 4) * 1000}-x.txt`),
    `${evil}\n\nagent-sessions 1\nagent=${evil}`,
  );
  writeFileSync(
    join(places.home, "events", "@ignored.jsonl"),
    `${JSON.stringify({ at: NOW - 3, agent: evil, event: evil, from: "hook" })}\n`,
  );
  const { out, lines } = await ask();
  expect(lines).toHaveLength(4);
  // eslint-disable-next-line no-control-regex
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(out.isWellFormed()).toBe(true);
});

describe("on a terminal", () => {
  const wide = "宽".repeat(60);
  const entries: TimelineEntry[] = [
    ...STATES.map((after, index): TimelineEntry => ({
      outcome: "event",
      agent: "claude",
      sessionId: "s1",
      at: NOW - 100 + index,
      event: `Event${wide}`,
      from: "hook",
      tool: "Bash",
      before: "idle",
      after,
      ended: [{ kind: "permission", message: wide }],
    })),
    { outcome: "rejected", at: NOW, reason: wide },
    { outcome: "ignored", at: NOW, agent: "a".repeat(32), event: wide, from: "notify" },
  ];
  const titles = new Map([["claude:s1", wide]]);

  test.each([20, 40, 60, 80, 120, 200])("%d columns are enough for every line", (width) => {
    for (const style of [{ titles }, {}]) {
      const lines = eventsText(entries, NOW, { color: false, width, ...style })
        .split("\n")
        .slice(0, -1);
      expect(lines).toHaveLength(entries.length);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      if (width >= 60) for (const line of lines.slice(1, 11)) expect(line).toContain("Idle → ");
    }
  });

  test("a change has its state's color, and NO_COLOR none", async () => {
    const { send, ask } = scene();
    send("s1", "UserPromptSubmit", 60, { prompt: "Fix" });
    send("s1", "StopFailure", 50, { error: "rate_limit" });
    const { out } = await ask({}, 120);
    expect(out).toContain("\u001b[34mNew: Working");
    expect(out).toContain("\u001b[31m\u001b[1mWorking → Failed");
    expect((await ask()).out).not.toContain("\u001b");
  });
});

test("--follow goes on with what comes in, each entry once, until it is interrupted", async () => {
  const { places, send, clock } = scene();
  send("s1", "UserPromptSubmit", 60, { prompt: "Fix" });
  const interrupt = new AbortController();
  const io = cliIo(places, { clock, interrupt: interrupt.signal });
  const written: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const stdout = {
    ...io.stdout,
    write: (text: string) => {
      written.push(...text.split("\n").slice(0, -1));
      for (const { count, resolve } of waiting) if (written.length >= count) resolve();
    },
  };
  const reached = (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve }));
  const first = reached(1);
  const running = events({ json: false, follow: true }, { ...io, stdout });
  await first;
  const second = reached(2);
  send("s1", "Stop", 5);
  await second;
  interrupt.abort();
  expect(await running).toBe(EXIT.ok);
  expect(written.map((line) => columns(line).at(-1))).toEqual(["New: Working", "Answer unread"]);
});
