import * as fc from "fast-check";
import { decodeLastList, encodeLastList, ROWS_KEPT } from "../../src/files/last-list";
import { sectionOf } from "../../src/session/section";
import type { Session } from "../../src/session/session";
import { needsYou, STATES, WAIT_KINDS } from "../../src/session/state";
import { propertyRuns } from "../property-runs";

const NOW = 1_800_000_000;
const SUBJECT = '["these places"]';

function session(index: number, more: Partial<Session> = {}): Session {
  const state = more.state ?? "idle";
  return {
    id: `claude:s${index}`,
    agent: "claude",
    sessionId: `s${index}`,
    state,
    since: NOW - index,
    unread: false,
    needsYou: needsYou(state),
    title: `Session ${index}`,
    subagents: 0,
    sources: ["status"],
    evidence: [{ source: "status", file: "/s/s1.json", state, verdict: "stands", at: NOW }],
    ...more,
  };
}

function kept(sessions: readonly Session[], agents: readonly string[] = []) {
  return decodeLastList(encodeLastList({ at: NOW, sessions }, SUBJECT, agents), SUBJECT);
}

describe("what is kept", () => {
  test("is all that a row and its details show, but what is known of its process and where it is known from", () => {
    const whole = session(1, {
      surface: "codex-vscode",
      state: "waiting",
      needsYou: true,
      unread: true,
      project: "api",
      cwd: "/w/api",
      message: "May I?",
      waitingFor: "permission",
      tool: "Bash",
      activity: "npm test",
      permissionMode: "plan",
      turnStartedAt: NOW - 9,
      doneAt: NOW - 8,
      wakeupAt: NOW + 9,
      subagents: 2,
      background: { b1: { at: NOW - 7, command: "npm run dev", status: "x", exitCode: 1, failedAt: NOW - 6 } },
      monitors: { m1: { text: "the deploy", at: NOW - 5 } },
      headless: true,
      live: { status: "busy", name: "api-1", kind: "interactive", version: "2.1.0" },
      context: { tokens: 5, window: 10, model: "opus", lastAnswerAt: NOW - 4, isGone: false },
      cacheTtl: { ttl: 300, ttlFrom: "session" },
      configLabel: "Work",
      configDirectory: "/home/x/.claude-work",
      plugin: { pickup: "go on", file: "/m/MEMORY.md" },
      request: {
        id: "id-1",
        kind: "save",
        by: "plugin",
        steps: [{ outcome: "saved", at: NOW, proof: { file: "/m/MEMORY.md", lines: 2 } }],
      },
      sameProcess: ["claude:other"],
      unreadableSince: NOW - 3,
    });
    const acting = { process: { pid: 7, knownAt: NOW }, liveness: "running", transcript: "/t.jsonl" } as const;
    expect(kept([{ ...whole, ...acting }])).toEqual({
      at: NOW,
      sessions: [{ ...whole, sources: [], evidence: [] }],
      counts: { needsYou: 1 },
      agents: ["claude"],
    });
  });

  test("is the first rows, and how many there were of each section", () => {
    const sessions = Array.from({ length: 1000 }, (_, index) =>
      session(index, { state: index < 50 ? "working" : "dormant" }),
    );
    const list = kept(sessions);
    expect(list?.sessions.map(({ id }) => id)).toEqual(sessions.slice(0, 100).map(({ id }) => id));
    expect(list?.counts).toEqual({ working: 50, ended: 950 });
  });

  test("is bounded, however much the rows hold: it ends before the first for which there is no room", () => {
    const message = "x".repeat(60_000);
    const sessions = [1, 2, 3, 4, 5, 6].map((index) => session(index, { message }));
    const text = encodeLastList({ at: NOW, sessions: [...sessions, session(7)] }, SUBJECT);
    expect(text.length).toBeLessThan(256 * 1024 + 1000);
    expect(decodeLastList(text, SUBJECT)?.sessions.map(({ sessionId }) => sessionId)).toEqual(["s1", "s2", "s3", "s4"]);
  });

  test("has no half characters, as it is read whole or not at all; of an id, there is no other spelling", () => {
    const half = { title: "cut \ud83d", message: "\udc00", background: { "\ud83d": { command: "\ud83d" } } };
    const sessions = [session(1, half), session(2, { id: "claude:half \ud83d", sessionId: "half \ud83d" }), session(3)];
    expect(kept(sessions, ["\ud83d"])?.sessions).toMatchObject([
      { id: "claude:s1", title: "cut \ufffd", message: "\ufffd", background: { "\ufffd": { command: "\ufffd" } } },
      { id: "claude:s3" },
    ]);
  });

  test("has the agents of all sessions, and those that were named beside them", () => {
    const sessions = [session(1), session(2, { agent: "codex", id: "codex:s2" })];
    expect(kept(sessions, ["gemini", "claude"])?.agents).toEqual(["claude", "codex", "gemini"]);
    const more = Array.from({ length: 100 }, (_, index) => `agent-${index}`);
    const known = kept(sessions, ["gemini", ...more])?.agents;
    expect(known).toHaveLength(64);
    expect(known).toEqual(expect.arrayContaining(["claude", "codex", "gemini", "agent-0"]));
  });

  test("whatever a session holds, it is read back, and stands in the section where it stood", () => {
    const text = fc.string({ unit: "binary", maxLength: 12 });
    const moment = fc.double({ min: 0, max: 4e9, noNaN: true });
    const some = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
    const given = fc.record({
      agent: text.filter((each) => each !== ""),
      sessionId: text.filter((each) => each !== ""),
      state: fc.constantFrom(...STATES),
      unread: fc.boolean(),
      since: moment,
      title: text.filter((each) => each !== ""),
      message: some(text),
      cwd: some(text),
      waitingFor: some(fc.constantFrom(...WAIT_KINDS)),
      background: some(
        fc.dictionary(text, fc.record({ at: some(moment), command: some(text), exitCode: some(fc.integer()) })),
      ),
      monitors: some(fc.dictionary(text, fc.record({ text, at: some(moment) }))),
      subagents: fc.nat(),
    });
    fc.assert(
      fc.property(given, (fields) => {
        const one = session(1, { ...fields, id: `${fields.agent}:${fields.sessionId}` });
        const read = kept([one])?.sessions[0];
        expect(read).toMatchObject({
          id: one.id,
          state: one.state,
          needsYou: needsYou(one.state),
          title: one.title,
        });
        expect(read === undefined ? undefined : sectionOf(read)).toBe(sectionOf(one));
      }),
      propertyRuns(300),
    );
  });
});

describe("what is not read", () => {
  const good = encodeLastList({ at: NOW, sessions: [session(1)] }, SUBJECT);
  const changed = (change: (value: Record<string, unknown>) => void) => {
    const value = JSON.parse(good) as Record<string, unknown>;
    change(value);
    return JSON.stringify(value);
  };
  const row = (more: Record<string, unknown>) =>
    changed((value) => {
      value.rows = [{ ...(value.rows as object[])[0], ...more }];
    });

  test("the good one is read", () => {
    expect(decodeLastList(good, SUBJECT)?.sessions).toHaveLength(1);
  });

  test.each([
    ["nothing", ""],
    ["a half", good.slice(0, good.length / 2)],
    ["another value", "null"],
    ["an older version", changed((value) => (value.version = 0))],
    ["a newer version", changed((value) => (value.version = 2))],
    ["no rows", changed((value) => delete value.rows)],
    ["a time that is none", changed((value) => (value.at = 1e15))],
    ["an unknown state", row({ state: "napping" })],
    ["an unknown section", changed((value) => (value.counts = { napping: 1 }))],
    ["a negative count", changed((value) => (value.counts = { idle: -1 }))],
    ["a row without a title", row({ title: "" })],
    ["a time as a text", row({ since: "yesterday" })],
    ["a request without a step", row({ request: { id: "x", kind: "save", steps: [] } })],
    ["a row twice", changed((value) => (value.rows = [...(value.rows as object[]), ...(value.rows as object[])]))],
    [
      "more rows than are ever kept",
      changed((value) => {
        const [first] = value.rows as object[];
        value.rows = Array.from({ length: ROWS_KEPT + 1 }, (_, index) => ({ ...first, sessionId: `s${index}` }));
      }),
    ],
  ])("%s", (_name, text) => {
    expect(decodeLastList(text, SUBJECT)).toBeUndefined();
  });

  test("a list of other sources, or by other rules", () => {
    expect(decodeLastList(good, '["other places"]')).toBeUndefined();
  });

  test("what a row does not have is not taken from it: a process that would be ended, an id of another session", () => {
    const text = row({
      process: { pid: 1 },
      id: "claude:another",
      needsYou: true,
      evidence: [{}],
      __proto__: { x: 1 },
    });
    expect(decodeLastList(text, SUBJECT)?.sessions).toEqual([
      { ...session(1), sources: [], evidence: [] } satisfies Session,
    ]);
  });

  test("no text makes it throw", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.nat(good.length).map((at) => good.slice(0, at)),
        ),
        (text) => {
          decodeLastList(text, SUBJECT);
        },
      ),
      propertyRuns(300),
    );
  });
});
