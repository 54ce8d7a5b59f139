import { spawnSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CROWDED_ENTRY_LIMIT, ENTRY_LIMIT, FULL_FLAG } from "../../src/files/inbox-entry";
import { leaveEntry } from "../../src/store/record";
import { scratchFolder } from "../scratch";
import { part } from "../thoroughness";
import { entries, install, names, run, SHELLS, SILENT, type Shell } from "./recorder";

/** What a recorder is told of an event. */
interface Told {
  event?: string;
  payload: string;
  agent?: string;
}

interface Recorder {
  name: string;
  leave(home: string, told: Told): void;
  /** Leaves events and takes them away again, until one of the recorders has marked how full it is, or so many have not. */
  untilMarked(home: string, tries: number): void;
}

function recorderOf(shell: Shell): Recorder {
  return {
    name: shell.name,
    leave: (home, { agent = "claude", event, payload }) => {
      const script = join(home, "bin", "record");
      const args = event === undefined ? [agent] : [agent, event];
      expect(run({ shell, script, args, input: payload })).toEqual(SILENT);
    },
    untilMarked: (home, tries) => {
      const loop = `i=0; while [ $i -lt ${tries} ] && [ ! -e "$0/inbox/.full" ]; do "$@" claude Stop ""; rm "$0"/inbox/claude-*; i=$((i+1)); done`;
      const { status } = spawnSync("sh", ["-c", loop, home, ...shell.argv, join(home, "bin", "record")]);
      expect(status).toBe(0);
    },
  };
}

let nextPid = 1000;

/** Node's, with a pid of its own each time, as processes have. */
const inNode: Recorder = {
  name: "Node",
  leave: (home, { agent = "claude", event, payload }) =>
    leaveEntry({ home }, { agent, event, parent: process.pid, env: {}, payload: Buffer.from(payload) }, nextPid++),
  untilMarked: (home, tries) => {
    for (let n = 0; n < tries && levelOf(home) === "none"; n++) {
      inNode.leave(home, { payload: "" });
      for (const name of names(home).visible) if (name.startsWith("claude-")) rmSync(join(home, "inbox", name));
    }
  },
};

// Every shell decides the same way; the slowest part is starting them.
const RECORDERS = [
  ...SHELLS.filter(({ name }) => ["dash", "busybox sh", "bash --posix"].includes(name)).map(recorderOf),
  inNode,
];

function newHome(): string {
  const home = scratchFolder();
  install(home);
  return home;
}

/** Fills an inbox up to so many entries that wait. Only their number counts, so they are one file with many names. */
function waitFor(home: string, count: number): void {
  const file = join(home, "waiting");
  writeFileSync(file, "");
  for (let n = names(home).visible.length; n < count; n++) {
    linkSync(file, join(home, "inbox", `old-${String(n).padStart(7, "0")}-0`));
  }
}

function fill(home: string, level: number): void {
  writeFileSync(join(home, "inbox", FULL_FLAG), `${level}\n`);
}

function levelOf(home: string): string {
  return names(home).hidden.includes(FULL_FLAG) ? readFileSync(join(home, "inbox", FULL_FLAG), "utf8").trim() : "none";
}

function eventsIn(home: string): string[] {
  return entries(home).map(({ entry }) => entry.payload);
}

const json = (session: string, event: string, more: object = {}) =>
  JSON.stringify({ session_id: session, hook_event_name: event, ...more });

describe.each(RECORDERS.map((recorder, index) => [recorder.name, recorder, index] as const))(
  "%s",
  (_, recorder, index) => {
    // The first one and Node are tried with every case, and each of the others with another part of them.
    const isWhole = index === 0 || recorder === inNode;
    const cases = <T>(all: readonly T[]) => (isWhole ? all : part(all, Math.min(4, all.length), index));

    test("never lowers the level: that is the fold's, which takes the mark away", () => {
      const home = newHome();
      fill(home, 3);
      for (let n = 0; n < (isWhole ? 40 : 5); n++)
        recorder.leave(home, { event: "Stop", payload: json(`s${n % 3}`, "Stop") });
      expect(levelOf(home)).toBe("3");
      rmSync(join(home, "inbox", FULL_FLAG));
      recorder.leave(home, { event: "PreToolUse", payload: json("s", "PreToolUse") });
      expect(eventsIn(home)).toContain(json("s", "PreToolUse"));
    });

    test.each(cases(["", "\n", "9", "x", "1 "]))("a mark that says nothing counts as the first level: %j", (text) => {
      const home = newHome();
      writeFileSync(join(home, "inbox", FULL_FLAG), text);
      recorder.leave(home, { event: "PreToolUse", payload: `{"a":"${"x".repeat(50_000)}"}` });
      const [only] = entries(home);
      expect(only?.bytes.length).toBe(CROWDED_ENTRY_LIMIT);
      expect(only?.entry.truncated).toBe(true);
    });

    test("level 1 keeps less of a payload, and every event", () => {
      const home = newHome();
      const large = json("s", "PostToolUse", { text: "x".repeat(ENTRY_LIMIT) });
      recorder.leave(home, { event: "PostToolUse", payload: large });
      fill(home, 1);
      recorder.leave(home, { event: "PostToolUse", payload: large });
      recorder.leave(home, { event: "PostToolUse", payload: large });
      expect(entries(home).map(({ bytes }) => bytes.length)).toEqual([
        ENTRY_LIMIT,
        CROWDED_ENTRY_LIMIT,
        CROWDED_ENTRY_LIMIT,
      ]);
    });

    describe("level 2 drops progress, and nothing else", () => {
      test.each(
        cases([
          ["claude", "PreToolUse"],
          ["claude", "PostToolUse"],
          ["claude", "PostToolUseFailure"],
          ["claude", "PostToolBatch"],
          ["gemini", "BeforeTool"],
          ["gemini", "AfterTool"],
          ["copilot", "preToolUse"],
          ["copilot", "postToolUse"],
          ["cursor", "beforeShellExecution"],
          ["cursor", "afterMCPExecution"],
          ["cursor", "afterFileEdit"],
          ["opencode", "tool.execute.before"],
          ["opencode", "message.updated"],
        ]),
      )("progress: %s %s", (agent, event) => {
        const home = newHome();
        fill(home, 2);
        recorder.leave(home, { agent, event, payload: json("s", event) });
        // Some hooks are registered without the event's name; then the payload has it.
        recorder.leave(home, { agent, payload: json("s", event) });
        recorder.leave(home, { agent, payload: JSON.stringify({ sessionId: "s", hookEventName: event }, null, 2) });
        expect(names(home)).toEqual({ visible: [], hidden: [FULL_FLAG] });
      });

      test.each<[string, string | undefined, string]>(
        cases([
          ["claude", "SessionStart", json("s", "SessionStart")],
          ["claude", "UserPromptSubmit", json("s", "UserPromptSubmit")],
          ["claude", "PermissionRequest", json("s", "PermissionRequest")],
          ["claude", "Notification", json("s", "Notification")],
          ["claude", "Stop", json("s", "Stop")],
          ["claude", "StopFailure", json("s", "StopFailure")],
          ["claude", "SubagentStop", json("s", "SubagentStop")],
          ["claude", "SessionEnd", json("s", "SessionEnd")],
          ["claude", "PreToolUse", json("s", "PreToolUse", { tool_name: "AskUserQuestion" })],
          ["codex", "PreToolUse", json("s", "PreToolUse", { tool_name: "request_user_input" })],
          ["gemini", "BeforeTool", json("s", "BeforeTool", { tool_name: "ask_user" })],
          ["codex", "Interrupt", json("s", "Interrupt")],
          ["codex", "notify", '{"type":"agent-turn-complete","thread-id":"t"}'],
          ["gemini", "AfterAgent", json("s", "AfterAgent")],
          ["cursor", "stop", json("s", "stop")],
          ["copilot", "agentStop", json("s", "agentStop")],
          ["copilot", "errorOccurred", json("s", "errorOccurred")],
          ["aider", "done", ""],
          ["generic", undefined, "not JSON"],
          ["generic", undefined, ""],
        ]),
      )("kept: %s %s", (agent, event, payload) => {
        const home = newHome();
        fill(home, 2);
        recorder.leave(home, { agent, event, payload });
        recorder.leave(home, { agent, event, payload });
        expect(eventsIn(home)).toEqual([payload, payload]);
      });

      test("what a tool is given is not what it asks", () => {
        const home = newHome();
        fill(home, 2);
        const quoting = { tool_name: "Write", tool_input: { content: 'the tool "AskUserQuestion"' } };
        recorder.leave(home, { event: "PreToolUse", payload: json("s", "PreToolUse", quoting) });
        expect(names(home).visible).toEqual([]);
      });
    });

    test("level 3 keeps the last of its kind in each session", () => {
      const home = newHome();
      fill(home, 3);
      const kept: string[] = [];
      for (const session of ["0193-a", "0193-b"]) {
        for (const event of ["UserPromptSubmit", "PermissionRequest", "Stop"]) {
          for (const n of [1, 2, 3]) recorder.leave(home, { event, payload: json(session, event, { n }) });
          kept.push(json(session, event, { n: 3 }));
        }
        recorder.leave(home, { event: "PreToolUse", payload: json(session, "PreToolUse") });
        const asks = json(session, "PreToolUse", { tool_name: "AskUserQuestion" });
        recorder.leave(home, { event: "PreToolUse", payload: asks });
        kept.push(asks);
      }
      expect(eventsIn(home)).toEqual(kept);
      expect(names(home).visible[0]).toMatch(/^claude-\d{7}-0-last-0193-[ab]-[A-Za-z]+$/);
    });

    test("level 3 knows a session by every agent's key, and leaves those it does not know few places", () => {
      const home = newHome();
      fill(home, 3);
      const payloads = [
        '{"session_id":"one"}',
        '{ "session_id" : "two" }',
        '{\n  "cwd": "/x",\n  "sessionId": "three"\n}',
        '{"conversation_id":"four"}',
        '{"type":"t","thread-id":"five"}',
      ];
      for (const payload of payloads) for (let n = 0; n < 3; n++) recorder.leave(home, { event: "stop", payload });
      // No id that could be part of a file's name: they share one place, that of this process.
      for (const id of ["../../../x", "a b", "é", "x".repeat(65), ""]) {
        recorder.leave(home, { event: "stop", payload: JSON.stringify({ session_id: id }) });
      }
      expect(eventsIn(home)).toEqual([...payloads, '{"session_id":""}']);
    });

    test("level 4 bounds the number of sessions too", () => {
      const home = newHome();
      fill(home, 4);
      const ids = Array.from({ length: 30 }, (_, n) => `0193-${n}-a${n % 4}`);
      for (const id of ids) recorder.leave(home, { event: "Stop", payload: json(id, "Stop") });
      expect(eventsIn(home)).toEqual(ids.slice(-4).map((id) => json(id, "Stop")));
    });

    test("what another reader takes away meanwhile is no trouble", () => {
      const home = newHome();
      fill(home, 3);
      recorder.leave(home, { event: "Stop", payload: json("s", "Stop", { n: 1 }) });
      // The fold holds its entry in hand while the next of its kind arrives: the name it removes is never the new one's.
      const [read] = names(home).visible;
      recorder.leave(home, { event: "Stop", payload: json("s", "Stop", { n: 2 }) });
      expect(names(home).visible).not.toContain(read);
      rmSync(join(home, "inbox", read ?? ""), { force: true });
      expect(eventsIn(home)).toEqual([json("s", "Stop", { n: 2 })]);
    });
  },
);

test("every recorder notices how full the inbox is, though it seldom looks", () => {
  const home = newHome();
  const levels = [
    [998, "none"],
    [1000, "1"],
    [11_998, "1"],
    [12_000, "2"],
    [16_000, "3"],
    [24_000, "4"],
  ] as const;
  for (const [index, [count, level]] of levels.entries()) {
    waitFor(home, count);
    for (const recorder of part(RECORDERS, 2, index)) {
      rmSync(join(home, "inbox", FULL_FLAG), { force: true });
      // One in twenty looks, and luck may have it that many do not.
      recorder.untilMarked(home, level === "none" ? 100 : 1000);
      expect([recorder.name, count, levelOf(home)]).toEqual([recorder.name, count, level]);
    }
  }
  expect(statSync(join(home, "inbox", FULL_FLAG)).mode & 0o777).toBe(0o600);
}, 120_000);

test("weeks without a reader: the inbox stays bounded, and the last of every session is there", () => {
  const SESSIONS = 145;
  const BEFORE = 11_500;
  const home = newHome();
  waitFor(home, BEFORE);
  const text = "x".repeat(300);
  const event = (session: string, name: string, more: object = {}) =>
    inNode.leave(home, { event: name, payload: json(session, name, { ...more, text }) });
  const idOf = (n: number) => `0193f0c2-0000-7000-8000-${String(n).padStart(12, "0")}`;
  let most = 0;
  for (let n = 0; n < SESSIONS; n++) {
    const session = idOf(n);
    event(session, "SessionStart");
    for (let turn = 0; turn < 3; turn++) {
      event(session, "UserPromptSubmit", { turn });
      for (let tool = 0; tool < 4; tool++) {
        event(session, "PreToolUse");
        event(session, "PermissionRequest", { turn, tool });
        event(session, "PostToolUse");
        event(session, "Notification", { turn, tool });
      }
      event(session, "Stop", { turn });
    }
    if (n % 3 === 0) event(session, "StopFailure");
    event(session, "SessionEnd");
    most = Math.max(most, readdirSync(join(home, "inbox")).length);
  }
  expect(levelOf(home)).toBe("3");
  // 16,000 and what came until somebody looked, then seven places a session.
  expect(most).toBeGreaterThan(16_000);
  expect(most).toBeLessThan(16_000 + 300 + SESSIONS * 7);

  const found = entries(home, (name) => name.startsWith("claude-"));
  const progress = found.filter(({ entry }) => entry.event?.endsWith("ToolUse") === true);
  expect(progress.length).toBeLessThan(1000);
  const last = new Set(
    found.map(({ entry }) => {
      const { session_id: session, turn = "", tool = "" } = JSON.parse(entry.payload);
      return [session, entry.event, turn, tool].join(" ");
    }),
  );
  for (let n = 0; n < SESSIONS; n++) {
    const kinds = ["SessionStart  ", "UserPromptSubmit 2 ", "PermissionRequest 2 3", "Notification 2 3", "Stop 2 "];
    if (n % 3 === 0) kinds.push("StopFailure  ");
    for (const kind of [...kinds, "SessionEnd  "]) expect(last).toContain(`${idOf(n)} ${kind}`);
  }
}, 120_000);
