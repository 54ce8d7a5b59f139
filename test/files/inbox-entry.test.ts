import * as fc from "fast-check";
import {
  CROWDED_ENTRY_LIMIT,
  decodeInboxEntry,
  encodeInboxEntry,
  ENTRY_LIMIT,
  ENVIRONMENT_FACTS,
  factsOf,
  isFact,
  type InboxEntry,
} from "../../src/files/inbox-entry";
import { propertyRuns } from "../property-runs";

const HEAD = "agent-sessions 1\nagent=claude\n";

function entryOf(text: string, size?: number): InboxEntry {
  const decoded = decodeInboxEntry(text, size);
  if (decoded.outcome === "refused") throw new Error(decoded.reason);
  return decoded.entry;
}

test("an entry as the recorder writes it", () => {
  const text = [
    "agent-sessions 1",
    "agent=claude",
    "event=Stop",
    "ppid=4711",
    "PWD=/home/dev/a = b",
    "TMUX=/tmp/tmux,1,2",
    "CLAUDE_PID=4711",
    "",
    "",
    '{"session_id":"s"}',
    "",
  ].join("\n");
  expect(entryOf(text)).toEqual({
    agent: "claude",
    event: "Stop",
    parent: 4711,
    env: { PWD: "/home/dev/a = b", TMUX: "/tmp/tmux,1,2", CLAUDE_PID: "4711" },
    payload: '\n{"session_id":"s"}\n',
    truncated: false,
  });
});

test("the least there is", () => {
  expect(entryOf(`${HEAD}\n`)).toEqual({ agent: "claude", env: {}, payload: "", truncated: false });
});

test.each<[string, string, Partial<InboxEntry>]>([
  ["the first of two values counts", `${HEAD}agent=other\nTMUX=1\nTMUX=2\n\n`, { agent: "claude", env: { TMUX: "1" } }],
  ["keys of a newer recorder are left out", `${HEAD}newer=1\nmixedCase=1\n\n{}`, { payload: "{}", env: {} }],
  ["variables of a newer recorder are kept", `${HEAD}NEW_TERM=1\n\n`, { env: { NEW_TERM: "1" } }],
  ["an empty event is none", `${HEAD}event=\n\n`, { event: undefined }],
  ["a parent that is no process id is none", `${HEAD}ppid=0\n\n`, { parent: undefined }],
  ["a parent that is no number is none", `${HEAD}ppid=1e3\n\n`, { parent: undefined }],
  ["a parent that is too large is none", `${HEAD}ppid=99999999999\n\n`, { parent: undefined }],
  ["a value may be anything on one line", `${HEAD}TMUX= = \r\t"\\\n\n`, { env: { TMUX: ' = \r\t"\\' } }],
  ["names of objects are names", `${HEAD}CONSTRUCTOR=1\nconstructor=2\n\n`, { env: { CONSTRUCTOR: "1" } }],
  ["the payload begins after the first empty line", `${HEAD}\n\n\n{}`, { payload: "\n\n{}" }],
  ["an agent is told as it stands", "agent-sessions 1\nagent=$(id) é\n\n", { agent: "$(id) é" }],
])("%s", (_, text, expected) => {
  const least = { agent: "claude", env: {}, payload: "", truncated: false };
  expect(entryOf(text)).toEqual({ ...least, ...expected });
});

test.each([
  ["", "is empty"],
  ["\n", "is not an entry"],
  ["{}", "is not an entry"],
  ["agent-sessions", "is not an entry"],
  ["agent-sessions 1\r\nagent=claude\r\n\r\n", "is not an entry"],
  ["agent-sessions 01\n\n", "has format 01, which is newer than this version reads"],
  ["agent-sessions 2\nagent=claude\n\n{}", "has format 2, which is newer than this version reads"],
  [`agent-sessions ${"9".repeat(400)}\n\n`, "is not an entry"],
  ["agent-sessions 1", "has no end of its head"],
  [HEAD, "has no end of its head"],
  [`${HEAD}TMUX=1`, "has no end of its head"],
  ["agent-sessions 1\n\n{}", "names no agent"],
  ["agent-sessions 1\nagent=\n\n{}", "names no agent"],
  ["agent-sessions 1\nagent= \n\n{}", "names no agent"],
  [`${HEAD}no fact\n\n{}`, 'has a line that is no fact: "no fact"'],
  [`${HEAD}=1\n\n{}`, 'has a line that is no fact: "=1"'],
  [`${HEAD}a b=1\n\n{}`, 'has a line that is no fact: "a b=1"'],
  [`${HEAD}__proto__=1\n\n{}`, 'has a line that is no fact: "__proto__=1"'],
])("refused: %j", (text, reason) => {
  expect(decodeInboxEntry(text)).toEqual({ outcome: "refused", reason });
});

test.each<[string, string, number, boolean]>([
  ["as long as it may be", "x", ENTRY_LIMIT, true],
  ["a byte less", "x", ENTRY_LIMIT - 1, false],
  ["as long as it may be while the inbox is full", "x", CROWDED_ENTRY_LIMIT, true],
  ["between the two", "x", CROWDED_ENTRY_LIMIT + 512, false],
  ["cut by a shell that counts in larger blocks", "x", 2 * ENTRY_LIMIT, true],
  ["an object without its end", '{"a":{"b":1', 50, true],
  ["a list without its end", " [1, 2", 50, true],
  ["a whole object", ' {"a":1}\r\n', 50, false],
  ["no JSON", "text", 50, false],
  ["nothing", "", 50, false],
])("truncated: %s", (_, payload, size, expected) => {
  expect(entryOf(`${HEAD}\n${payload}`, size).truncated).toBe(expected);
});

test("without a size it is that of the text", () => {
  expect(entryOf(`${HEAD}\n`.padEnd(ENTRY_LIMIT, "x")).truncated).toBe(true);
  expect(entryOf(`${HEAD}\n`.padEnd(ENTRY_LIMIT - 1, "x")).truncated).toBe(false);
});

test("an encoded entry is cut at the limit, head and all", () => {
  const entry = { agent: "claude", env: {}, payload: Buffer.alloc(ENTRY_LIMIT) };
  expect(encodeInboxEntry(entry)).toHaveLength(ENTRY_LIMIT);
  expect(encodeInboxEntry(entry, CROWDED_ENTRY_LIMIT)).toHaveLength(CROWDED_ENTRY_LIMIT);
});

test("facts are what is on the list, set, on one line and not too long", () => {
  const environment = {
    TMUX: "t",
    TMUX_PANE: "",
    WT_SESSION: "two\nlines",
    CODEX_HOME: "é".repeat(513),
    COPILOT_HOME: "é".repeat(512),
    SSH_CONNECTION: "10.0.0.1 50000 10.0.0.2 22",
    ANTHROPIC_API_KEY: "secret",
    CLAUDE_CODE_MESSAGING_TOKEN: "secret",
    PWD: "/not/this",
  };
  expect(factsOf(environment, "/here")).toEqual({
    PWD: "/here",
    TMUX: "t",
    COPILOT_HOME: "é".repeat(512),
    SSH_CONNECTION: "1",
  });
  expect(factsOf(environment)).not.toHaveProperty("PWD");
  for (const name of ENVIRONMENT_FACTS) expect(name).not.toMatch(/KEY|TOKEN|SECRET|PASS/);
});

const value = fc.string({ unit: "binary", maxLength: 1100 });

test("any bytes can be decoded, and no text throws", () => {
  const line = fc.oneof(value, fc.constantFrom("agent=x", "event=y", "ppid=1", "TMUX=1", "", "=", "agent-sessions 1"));
  const likely = fc.array(line, { maxLength: 8 }).map((lines) => ["agent-sessions 1", ...lines].join("\n"));
  const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each).toString("utf8"));
  fc.assert(
    fc.property(fc.oneof(likely, bytes, fc.string()), fc.nat(), (text, size) => {
      const decoded = decodeInboxEntry(text, size);
      if (decoded.outcome === "refused") expect(decoded.reason).not.toBe("");
      else expect(decoded.entry.agent.trim()).not.toBe("");
    }),
    propertyRuns(1000),
  );
});

test("what is encoded comes back", () => {
  const entry = fc.record({
    agent: value.filter((text) => isFact(text) && text.trim() !== ""),
    event: fc.option(value.filter(isFact), { nil: undefined }),
    parent: fc.option(fc.integer({ min: 1, max: 4_194_304 }), { nil: undefined }),
    env: fc.dictionary(fc.constantFrom(...ENVIRONMENT_FACTS, "PWD"), value.filter(isFact), { noNullPrototype: true }),
    text: fc.string({ unit: "binary", maxLength: 2000 }),
  });
  fc.assert(
    fc.property(entry, ({ text, ...rest }) => {
      const bytes = encodeInboxEntry({ ...rest, payload: Buffer.from(text) });
      const { truncated, ...decoded } = entryOf(bytes.toString("utf8"), bytes.length);
      expect(decoded).toEqual({ ...rest, payload: text });
      if (/^[^{[]*$/.test(text)) expect(truncated).toBe(false);
    }),
    propertyRuns(500),
  );
});
