import { claudeTranscript } from "../../src/files/transcript-claude";
import type { TranscriptFacts } from "../../src/session/transcript-facts";
import { at, capturedLines, factsIn } from "./transcript-reading";

const NOON = "2026-11-30T12:00:00.000Z";
const LATER = "2026-11-30T12:05:00.250Z";
const LATEST = "2026-11-30T12:09:00.000Z";

const facts = (...lines: (object | string)[]): TranscriptFacts => factsIn(claudeTranscript, lines);

const user = (content: unknown, rest: object = {}) => ({
  type: "user",
  timestamp: NOON,
  cwd: "/home/dev/shop",
  message: { role: "user", content },
  ...rest,
});

const answer = ({
  usage = {},
  model = "claude-opus-5-5",
  ...rest
}: { usage?: object; model?: string; [key: string]: unknown } = {}) => ({
  type: "assistant",
  timestamp: LATER,
  message: { role: "assistant", model, content: [{ type: "text", text: "Done." }], usage },
  ...rest,
});

const interruption = (timestamp = LATEST) =>
  user([{ type: "text", text: "[Request interrupted by user]" }], { timestamp, interruptedMessageId: "msg_1" });

const denial = (timestamp = LATEST) =>
  user([{ type: "tool_result", content: "The user doesn't want to proceed", is_error: true }], {
    timestamp,
    toolDenialKind: "user-rejected",
  });

const result = (content: unknown, timestamp = LATEST) =>
  user([{ type: "tool_result", tool_use_id: "toolu_1", content }], { timestamp });

describe("what Claude Code 2.1.332 wrote", () => {
  test("a denial and interruptions, with the last turn gone on after them", () => {
    const lines = capturedLines("claude/denied-and-interrupted.jsonl");
    expect(facts(...lines)).toEqual({
      firstPrompt: "MOCK:bash please",
      prompts: [
        expect.stringMatching(/^The status-probe plugin sent a message: MOCK:simple from the mod This is how/),
        "MOCK:bash please",
        "MOCK:slow please",
        "MOCK:slow again",
        "MOCK:e400",
      ],
      cwd: "/home/dev/work/m1",
      version: "2.1.332",
      model: "claude-opus-5-5",
      lastAnswerAt: at("2026-11-30T03:50:14.781Z"),
      contextTokens: 14101,
    });
  });

  test("up to the denial: denied, and with it the turn interrupted", () => {
    const lines = capturedLines("claude/denied-and-interrupted.jsonl");
    const end = lines.findIndex((line) => line.includes("[Request interrupted by user for tool use]"));
    expect(facts(...lines.slice(0, end + 1))).toMatchObject({
      deniedAt: at("2026-11-30T03:50:02.946Z"),
      interruptedAt: at("2026-11-30T03:50:02.964Z"),
      lastAnswerAt: at("2026-11-30T03:50:00.942Z"),
    });
  });

  test("up to the first interruption of an answer: interrupted, and the denial before it over", () => {
    const lines = capturedLines("claude/denied-and-interrupted.jsonl");
    const end = lines.findIndex((line) => line.includes("interruptedMessageId"));
    const told = facts(...lines.slice(0, end + 1));
    expect(told).toMatchObject({ interruptedAt: at("2026-11-30T03:50:09.420Z") });
    expect(told).not.toHaveProperty("deniedAt");
  });

  test("a compaction: neither its summary nor the command is a prompt", () => {
    const lines = capturedLines("claude/compacted.jsonl");
    const told = facts(...lines);
    expect(told.prompts).toEqual(["MOCK:simple one", "MOCK:simple two"]);
    expect(told.lastAnswerAt).toBe(at("2026-11-30T03:50:54.611Z"));
    const before = lines.findIndex((line) => line.includes("MOCK:simple two"));
    // Between the compaction and the next answer, waking the session sends what is left.
    expect(facts(...lines.slice(0, before))).toMatchObject({
      contextTokens: 2826,
      lastAnswerAt: at("2026-11-30T03:50:46.283Z"),
    });
  });
});

describe("titles", () => {
  test("each kind is told by itself, and the last of a kind wins", () => {
    expect(
      facts(
        { type: "custom-title", customTitle: "Mine" },
        { type: "ai-title", aiTitle: "Its" },
        { type: "summary", summary: "Said" },
        user("Hello"),
        { type: "custom-title", customTitle: "Mine now" },
        { type: "ai-title", aiTitle: "Its now" },
        { type: "summary", summary: "Said now" },
      ),
    ).toMatchObject({ customTitle: "Mine now", aiTitle: "Its now", summary: "Said now", firstPrompt: "Hello" });
  });

  test("a blank title, or one that is no text, does not win", () => {
    const titles = ["Mine", "  ", 7, null].map((customTitle) => ({ type: "custom-title", customTitle }));
    expect(facts(...titles)).toEqual({ customTitle: "Mine" });
  });

  test("they are one line of at most 200 characters, steering nothing, with no half characters", () => {
    const long = `a\n\tb\u001b[31m \ud83d ${"😀".repeat(300)}`;
    const { customTitle = "" } = facts({ type: "custom-title", customTitle: long });
    expect(Array.from(customTitle)).toHaveLength(200);
    expect(customTitle).toMatch(/^a b\ufffd\[31m \ufffd 😀/u);
    expect(customTitle.isWellFormed()).toBe(true);
  });
});

describe("prompts", () => {
  test.each([
    ["meta", user("Caveat", { isMeta: true })],
    ["of a subagent", user("Look for it", { isSidechain: true })],
    ["a compaction's summary", user("This session is being continued", { isCompactSummary: true })],
    ["<command-", user("<command-name>/clear</command-name>")],
    ["<local-command-", user("<local-command-stdout>ok</local-command-stdout>")],
    ["<system-reminder>", user("<system-reminder>Mind the gap</system-reminder>")],
    ["<task-notification>", user("<task-notification><task-id>1</task-id></task-notification>")],
    ["<bash-", user("<bash-input>ls</bash-input>")],
    ["<cross-session-message", user('<cross-session-message from="x">Hi</cross-session-message>')],
    ["[Request interrupted", interruption()],
    ["a tool's result", result("output")],
    ["blank", user("  \n ")],
    ["an image alone", user([{ type: "image", source: {} }])],
    ["without a message", { type: "user", timestamp: NOON }],
  ])("none is what is %s", (_what, line) => {
    expect(facts(line)).not.toHaveProperty("prompts");
    expect(facts(line, user("Real"))).toMatchObject({ firstPrompt: "Real", prompts: ["Real"] });
  });

  test("texts of blocks belong together", () => {
    const blocks = [
      { type: "text", text: "Look at" },
      { type: "image", source: {} },
      { type: "text", text: "this" },
    ];
    expect(facts(user(blocks))).toMatchObject({ firstPrompt: "Look at this" });
  });

  test("the first 15 are kept", () => {
    const prompts = Array.from({ length: 20 }, (_, index) => `Prompt ${index + 1}`);
    expect(facts(...prompts.map((text) => user(text))).prompts).toEqual(prompts.slice(0, 15));
  });

  test("what a plugin wrote in the user's place can hold a pickup phrase, but is no title", () => {
    const byPlugin = user("The plugin sent: pick up", { origin: { kind: "plugin", name: "p" } });
    const told = facts(byPlugin, user("Mine", { origin: { kind: "human" } }));
    expect(told).toMatchObject({ firstPrompt: "Mine", prompts: ["The plugin sent: pick up", "Mine"] });
  });
});

describe("where it was written", () => {
  test("the folder is the first, branch and version are the last", () => {
    const told = facts(
      user("One", { cwd: "/a", gitBranch: "main", version: "2.1.1" }),
      answer({ cwd: "/b", gitBranch: "fix", version: "2.1.2" }),
    );
    expect(told).toMatchObject({ cwd: "/a", gitBranch: "fix", version: "2.1.2" });
  });

  test("HEAD is no branch, and no relative path a folder", () => {
    const told = facts(user("One", { cwd: "a/b", gitBranch: "HEAD" }));
    expect(told).not.toHaveProperty("cwd");
    expect(told).not.toHaveProperty("gitBranch");
  });
});

describe("the last answer", () => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 9000, cache_creation_input_tokens: 500, output_tokens: 77 };

  test("its time, its model, and what it read", () => {
    const told = facts(user("One"), answer({ timestamp: NOON }), answer({ usage }), user("Two", { timestamp: LATEST }));
    expect(told).toMatchObject({ lastAnswerAt: at(LATER), model: "claude-opus-5-5", contextTokens: 9503 });
  });

  test.each([
    ["of a subagent", answer({ isSidechain: true, timestamp: LATEST, usage: { input_tokens: 1 } })],
    ["made up by Claude Code", answer({ model: "<synthetic>", timestamp: LATEST, usage: { input_tokens: 1 } })],
    ["without a time", answer({ timestamp: "yesterday", usage: { input_tokens: 1 } })],
    ["without a message", { type: "assistant", timestamp: LATEST }],
    ["of another type", { type: "note", message: { role: "assistant" }, timestamp: LATEST }],
  ])("none is what is %s", (_what, line) => {
    expect(facts(answer({ usage }), line)).toMatchObject({ lastAnswerAt: at(LATER), contextTokens: 9503 });
  });

  test("sizes that are no counts are left out", () => {
    expect(facts(answer({ usage: { input_tokens: "3" } }))).not.toHaveProperty("contextTokens");
    expect(facts(answer({ usage: { input_tokens: -3 } }))).not.toHaveProperty("contextTokens");
    expect(facts(answer({ usage: { input_tokens: 3, cache_read_input_tokens: null } })).contextTokens).toBe(3);
  });

  test("a compaction after it that does not tell what is left leaves nothing to tell", () => {
    const boundary = { type: "system", subtype: "compact_boundary", timestamp: LATEST };
    expect(facts(answer({ usage }), boundary)).not.toHaveProperty("contextTokens");
    expect(facts(boundary, answer({ usage })).contextTokens).toBe(9503);
  });
});

test("of two compactions the last one counts, and none that is older than the answer", () => {
  const boundary = (postTokens: number) => ({
    type: "system",
    subtype: "compact_boundary",
    compactMetadata: { summary: "kept", postTokens },
  });
  expect(facts(boundary(10), boundary(20)).contextTokens).toBe(20);
  expect(facts(boundary(10), answer({ usage: { input_tokens: 30 } })).contextTokens).toBe(30);
});

describe("how long the provider keeps the context", () => {
  const written = (hour: number, minutes: number) =>
    answer({ usage: { cache_creation: { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: minutes } } });

  test.each([
    ["an hour", [written(100, 0)], 3600],
    ["five minutes", [written(0, 100)], 300],
    ["as the last write tells", [written(100, 0), written(0, 100)], 300],
    ["as the last that wrote anything tells", [written(100, 0), written(0, 0), answer()], 3600],
    [
      "as the last write tells, whatever an answer before it has",
      [{ ...written(0, 100), summary: 1 }, written(100, 0)],
      3600,
    ],
    ["not known", [written(0, 0)], undefined],
    ["not as a subagent's is", [written(100, 0), { ...written(0, 100), isSidechain: true }], 3600],
  ])("%s", (_what, lines, seconds) => {
    expect(facts(...lines).cacheTtl).toBe(seconds);
  });
});

describe("interrupted and denied", () => {
  test.each<[string, (object | string)[], Partial<TranscriptFacts>]>([
    ["an interrupted answer", [user("One"), answer(), interruption()], { interruptedAt: at(LATEST) }],
    ["an interruption before any answer", [user("One"), interruption()], { interruptedAt: at(LATEST) }],
    [
      "one of a tool, told by its text alone",
      [answer(), user("[Request interrupted by user for tool use]", { timestamp: LATEST })],
      { interruptedAt: at(LATEST) },
    ],
    ["a denial", [answer(), denial()], { deniedAt: at(LATEST) }],
    [
      "a denial and its interruption",
      [answer(), denial(LATER), interruption()],
      { deniedAt: at(LATER), interruptedAt: at(LATEST) },
    ],
    ["the result of another tool after it", [answer(), denial(), result("ok")], { deniedAt: at(LATEST) }],
    [
      "a result with a text beside it after it",
      [
        answer(),
        interruption(),
        user([{ type: "tool_result" }, { type: "text", text: "Blocked" }], { toolDenialKind: "hook" }),
      ],
      { interruptedAt: at(LATEST) },
    ],
    [
      "a local command after it",
      [answer(), interruption(), user("<command-name>/model</command-name>")],
      { interruptedAt: at(LATEST) },
    ],
    [
      "an error that Claude Code made up after it",
      [answer(), interruption(), answer({ model: "<synthetic>" })],
      { interruptedAt: at(LATEST) },
    ],
    [
      "a subagent going on after it",
      [answer(), interruption(), answer({ isSidechain: true })],
      { interruptedAt: at(LATEST) },
    ],
    ["a prompt after it", [answer(), interruption(), user("Two")], {}],
    ["an answer after it", [answer(), interruption(), answer()], {}],
    ["a notice that begins a turn after it", [answer(), denial(), user("<task-notification>1")], {}],
    ["the refusal of a rule, not of the user", [answer(), { ...denial(), toolDenialKind: "hook" }], {}],
    ["a subagent's", [answer(), { ...interruption(), isSidechain: true }], {}],
  ])("%s", (_what, lines, expected) => {
    const { interruptedAt, deniedAt } = facts(...lines);
    expect({ interruptedAt, deniedAt }).toEqual({ interruptedAt: undefined, deniedAt: undefined, ...expected });
  });
});

describe("lines that are none", () => {
  test.each([
    ["no JSON", '{"type":"user","message":{"content":"half'],
    ["a list", '["user","assistant"]'],
    ["a text", '"assistant"'],
    ["null", "null"],
    ["a prototype", '{"__proto__":{"type":"user"},"message":{"content":"assistant"}}'],
    ["fields of other types", '{"type":"assistant","message":"x","timestamp":5}'],
    ["fields of other types in a prompt", '{"type":"user","message":[],"timestamp":{},"cwd":[],"origin":"x"}'],
    ["nested deeply", `{"type":"user","message":{"content":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`],
  ])("%s is passed over", (_what, line) => {
    const told = facts(line, user("One"), answer(), line);
    expect(told).toEqual(facts(user("One"), answer()));
  });

  test("spaces and a carriage return make no difference", () => {
    const spaced = JSON.stringify(user("One"), undefined, 1).replace(/\n/g, " ");
    expect(facts(`${spaced}\r`)).toEqual(facts(user("One")));
  });
});
