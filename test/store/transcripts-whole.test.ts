import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { claudeTranscript } from "../../src/files/transcript-claude";
import { codexTranscript } from "../../src/files/transcript-codex";
import { copilotTranscript } from "../../src/files/transcript-copilot";
import type { TranscriptFormat } from "../../src/files/transcript-format";
import { geminiTranscript } from "../../src/files/transcript-gemini";
import type { TranscriptFacts } from "../../src/session/transcript-facts";
import { Transcripts } from "../../src/store/transcripts";
import { propertyRuns } from "../property-runs";
import { scratchFolder } from "../scratch";

/**
 * Beginning and end beside everything: what is read of a big transcript is what a plain reader finds who parses every
 * line from the first to the last.
 */

type Line = Record<string, unknown>;

/** A plain reader of all lines, in their order. */
function readAll(text: string): TranscriptFacts {
  const facts: TranscriptFacts = {};
  const prompts: string[] = [];
  for (const line of text.split("\n").flatMap(parse)) {
    if (line.isSidechain === true) continue;
    const message = line.message as { model?: string; content?: unknown; usage?: Record<string, never> } | undefined;
    switch (line.type) {
      case "custom-title":
        facts.customTitle = String(line.customTitle);
        break;
      case "ai-title":
        facts.aiTitle = String(line.aiTitle);
        break;
      case "assistant":
        if (message === undefined || message.model === "<synthetic>") break;
        facts.model = message.model;
        facts.lastAnswerAt = Date.parse(String(line.timestamp)) / 1000;
        facts.contextTokens = message.usage?.input_tokens;
        facts.cacheTtl = { one: 3600, five: 300 }[String(line.ttl)] ?? facts.cacheTtl;
        delete facts.interruptedAt;
        delete facts.deniedAt;
        break;
      case "user":
        facts.cwd ??= String(line.cwd);
        if (line.toolDenialKind !== undefined) facts.deniedAt = Date.parse(String(line.timestamp)) / 1000;
        else if (line.interruptedMessageId !== undefined) {
          facts.interruptedAt = Date.parse(String(line.timestamp)) / 1000;
        } else if (typeof message?.content === "string") {
          prompts.push(message.content);
          delete facts.interruptedAt;
          delete facts.deniedAt;
        }
    }
  }
  if (prompts.length > 0) Object.assign(facts, { firstPrompt: prompts[0], prompts: prompts.slice(0, 15) });
  return facts;
}

function parse(line: string): Line[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [{ ...value }] : [];
  } catch {
    return [];
  }
}

/** Texts as they are shown anyway: one line, visible, no white space at an end. */
const words = fc.stringMatching(/^[a-zA-ZäöüÄ€😀 .,]{0,60}[a-z😀]$/u).map((text) => text.replace(/\s+/g, " ").trim());

const moment = fc.integer({ min: 1_790_000_000, max: 1_799_000_000 }).map((at) => new Date(at * 1000).toISOString());

const prompt = fc
  .record({ type: fc.constant("user"), cwd: fc.constant("/home/dev"), timestamp: moment, text: words })
  .map(({ text, ...line }): Line => ({ ...line, message: { role: "user", content: text } }));

const interruption = fc
  .record({ type: fc.constant("user"), cwd: fc.constant("/home/dev"), timestamp: moment })
  .map((line): Line => ({
    ...line,
    interruptedMessageId: "msg",
    message: { content: [{ type: "text", text: "[Request interrupted by user]" }] },
  }));

const denial = moment.map((timestamp): Line => ({
  type: "user",
  cwd: "/home/dev",
  timestamp,
  toolDenialKind: "user-rejected",
  message: { content: [{ type: "tool_result", content: "no" }] },
}));

const answerOf = (ttl: fc.Arbitrary<string>, rest: Line = {}) =>
  fc
    .record({ timestamp: moment, ttl, model: words, tokens: fc.nat() })
    .map(({ timestamp, ttl: kind, model, tokens }): Line => ({
      type: "assistant",
      timestamp,
      ttl: kind,
      ...rest,
      message: {
        model,
        content: [],
        usage: {
          input_tokens: tokens,
          cache_creation: {
            ephemeral_1h_input_tokens: kind === "one" ? 5 : 0,
            ephemeral_5m_input_tokens: kind === "five" ? 5 : 0,
          },
        },
      },
    }));
const answer = answerOf(fc.constantFrom("one", "five", "none"));
const fullAnswer = answerOf(fc.constantFrom("one", "five"));
const ofSubagent = answerOf(fc.constantFrom("one", "five"), { isSidechain: true });

const title = fc.oneof(
  words.map((customTitle): Line => ({ type: "custom-title", customTitle })),
  words.map((aiTitle): Line => ({ type: "ai-title", aiTitle })),
);

const result = (length: fc.Arbitrary<number>) =>
  length.map((size): Line => {
    const content = 'out: "user" "assistant"😀\n'.repeat(Math.ceil(size / 28));
    return { type: "user", cwd: "/home/dev", message: { content: [{ type: "tool_result", content }] } };
  });

/** What no reader can do anything with, in one line. */
const garbage = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.constantFrom('{"__proto__":{"type":"user"}}', '{"type":"user"', "[]"),
  )
  .map((text) => text.replace(/[\r\n]/g, " "))
  // Not by chance something that counts.
  .filter((text) => parse(text).every((line) => line.type === undefined));

const text = (line: Line) => JSON.stringify(line);
const event = fc.oneof(prompt, answer, interruption, denial, title, ofSubagent, result(fc.nat({ max: 400 })));

const beginning = fc
  .tuple(
    fc.array(prompt, { minLength: 15, maxLength: 20 }),
    fc.array(fc.oneof(event.map(text), garbage), { maxLength: 30 }),
  )
  .map(([prompts, others]) => [...prompts.map(text), ...others]);
const middle = fc.array(fc.oneof(ofSubagent, answer, result(fc.integer({ min: 30_000, max: 120_000 }))).map(text), {
  minLength: 6,
  maxLength: 14,
});
const end = fc.array(fc.oneof(event.map(text), garbage), { maxLength: 30 });
/** After these everything that only the last block tells is told. */
const landmarks = fc
  .tuple(fullAnswer, words, words)
  .map(([line, customTitle, aiTitle]) =>
    [line, { type: "custom-title", customTitle }, { type: "ai-title", aiTitle }].map(text),
  );

/** A plain reader of all lines of a rollout, for what its end tells. */
function readRollout(text: string): TranscriptFacts {
  const facts: TranscriptFacts = {};
  for (const line of text.split("\n").flatMap(parse)) {
    const payload = line.payload as Line | undefined;
    const at = Date.parse(String(line.timestamp)) / 1000;
    switch (`${String(line.type)} ${String(payload?.type)}`) {
      case "event_msg task_started":
        facts.turn = { startedAt: at, ...(payload?.by === "user" ? { byUser: true } : {}) };
        break;
      case "event_msg task_complete": {
        const { last_agent_message: answer, error, started_at } = payload as Line & { error?: { message: string } };
        const startedAt = typeof started_at === "number" ? { startedAt: started_at } : {};
        if (typeof answer === "string") facts.turn = { ...startedAt, end: { how: "answered", at } };
        else if (error) facts.turn = { ...startedAt, end: { how: "failed", at, reason: error.message } };
        else facts.turn = { ...startedAt, end: { how: "over", at } };
        break;
      }
      case "event_msg turn_aborted":
        facts.turn = { end: { how: "over", at } };
        break;
      case "event_msg agent_message":
        facts.lastAnswerAt = at;
        break;
      case "turn_context undefined":
        facts.model = String(payload?.model);
        break;
      case "token_usage_record undefined":
        facts.contextTokens = (payload as { usage: { input_tokens: number } }).usage.input_tokens;
        break;
    }
  }
  return facts;
}

const rolloutLine = (type: string, payload: fc.Arbitrary<Line>) =>
  fc.record({ timestamp: moment, type: fc.constant(type), payload });
const eventOf = (type: string, fields: Record<string, fc.Arbitrary<unknown>> = {}) =>
  rolloutLine("event_msg", fc.record({ type: fc.constant(type), ...fields }));

const started = fc.tuple(eventOf("task_started"), fc.constantFrom("user", "queue")).map(([line, by]): Line => ({
  ...line,
  payload: { ...(line.payload as Line), by, turn_attribution: { turn_trigger: by } },
}));
const complete = eventOf("task_complete", {
  last_agent_message: fc.oneof(words, fc.constant(null)),
  error: fc.oneof(
    fc.constant(null),
    words.map((message) => ({ message })),
  ),
  started_at: fc.oneof(fc.nat({ max: 1_799_000_000 }), fc.constant(undefined)),
});
const aborted = eventOf("turn_aborted", { reason: fc.constantFrom("interrupted", "replaced") });
const said = eventOf("agent_message", { message: words });
const context = rolloutLine("turn_context", fc.record({ model: words }));
const usage = rolloutLine("token_usage_record", fc.record({ usage: fc.record({ input_tokens: fc.nat() }) }));
/** What a tool printed: it may be much, and speak of turns. */
const output = fc.integer({ min: 10, max: 60_000 }).map((size): Line => ({
  timestamp: "2026-11-30T12:00:00Z",
  type: "event_msg",
  payload: { type: "item_completed", item: { type: "X", text: '"task_complete" "turn_aborted"\n'.repeat(size / 30) } },
}));
const rolloutEnd = fc.array(fc.oneof(started, complete, aborted, said, context, usage, output), { maxLength: 30 });

test("the end of a big rollout tells what all of it does of the last turn, cut anywhere", () => {
  const rest = fc.array(fc.oneof(output.map(text), garbage), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      rolloutEnd,
      rest,
      fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
      (lines, more, share) => {
        const content = Buffer.from([...more, ...lines.map(text), ...more].join("\n"));
        const cut = Math.floor(content.length * share);
        const { turn, lastAnswerAt, model, contextTokens } = factsOf(codexTranscript, content, cut) ?? {};
        const known = readRollout(content.subarray(0, cut).toString());
        expect({ turn, lastAnswerAt, model, contextTokens }).toEqual({
          turn: known.turn,
          lastAnswerAt: known.lastAnswerAt,
          model: known.model,
          contextTokens: known.contextTokens,
        });
      },
    ),
    propertyRuns(100),
  );
});

test("a turn that goes on is found behind all it has done so far", () => {
  const done = fc.array(output.map(text), { minLength: 6, maxLength: 20 });
  fc.assert(
    fc.property(started, done, fc.tuple(said, context, usage), (line, between, known) => {
      const content = [line, ...between.map((each) => each.padEnd(30_000)), ...known].map((each) =>
        typeof each === "string" ? each : text(each),
      );
      expect(factsOf(codexTranscript, content.join("\n"))?.turn).toEqual(readRollout(text(line)).turn);
    }),
    propertyRuns(20),
  );
});

let count = 0;
const folder = scratchFolder();

function factsOf(format: TranscriptFormat, content: string | Buffer, cut?: number): TranscriptFacts | undefined {
  const transcript = join(folder, `${(count += 1)}.jsonl`);
  writeFileSync(transcript, content);
  if (cut !== undefined) truncateSync(transcript, cut);
  const kind = { agent: "claude", format, likely: () => [] };
  const facts = new Transcripts([kind]).factsOf({ agent: "claude", sessionId: "s", transcript });
  truncateSync(transcript, 0);
  return facts;
}

test("the beginning and the end of a big transcript tell what all of it does", () => {
  fc.assert(
    fc.property(beginning, middle, landmarks, end, (first, between, marks, last) => {
      const content = [...first, ...between, ...marks, ...last].join("\n");
      expect(factsOf(claudeTranscript, `${content}\n`)).toEqual(readAll(content));
    }),
    propertyRuns(60),
  );
});

test("the last answer is found behind lines that are larger than a block", () => {
  const large = fc.array(result(fc.integer({ min: 60_000, max: 900_000 })).map(text), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(beginning, middle, fullAnswer, fc.option(interruption), large, (first, between, line, stop, last) => {
      const content = [...first, ...between, text(line), ...(stop === null ? [] : [text(stop)]), ...last].join("\n");
      const { lastAnswerAt, contextTokens, model, interruptedAt } = readAll(content);
      const known = { lastAnswerAt, contextTokens, model, ...(interruptedAt === undefined ? {} : { interruptedAt }) };
      const told = factsOf(claudeTranscript, content);
      expect(told).toMatchObject(known);
      expect(told?.interruptedAt).toBe(interruptedAt);
    }),
    propertyRuns(25),
  );
});

test("cut anywhere, it tells what its whole lines tell", () => {
  fc.assert(
    fc.property(beginning, landmarks, end, fc.nat(), (first, marks, last, where) => {
      const content = Buffer.from([...first, ...marks, ...last].join("\n"));
      const cut = where % (content.length + 1);
      // A plain reader passes over the half line too, half characters in it or not.
      expect(factsOf(claudeTranscript, content, cut)).toEqual(readAll(content.subarray(0, cut).toString()));
    }),
    propertyRuns(150),
  );
});

test.each<[string, TranscriptFormat]>([
  ["claude", claudeTranscript],
  ["codex", codexTranscript],
  ["gemini", geminiTranscript],
  ["copilot", copilotTranscript],
])("%s: no line of any shape is an error", (_agent, format) => {
  const key = fc.constantFrom(
    ..."type timestamp message payload content usage model cwd data $set messages summary info item git reason".split(
      " ",
    ),
    ..."cache_creation last_token_usage tokens isSidechain isMeta toolDenialKind compactMetadata context origin error last_agent_message started_at".split(
      " ",
    ),
  );
  const value = fc.oneof(
    fc.constantFrom(
      ..."user assistant system gemini session_meta event_msg response_item turn_context token_count abort".split(" "),
      ..."turn_aborted item_completed task_started task_complete custom-title summary session.start user.message assistant.message".split(
        " ",
      ),
      "2026-11-30T12:00:00Z",
    ),
    fc.anything({ maxDepth: 1, maxKeys: 2 }),
  );
  const treeOf = (leaf: fc.Arbitrary<unknown>) => fc.dictionary(key, leaf, { maxKeys: 5 });
  const lowest = treeOf(value);
  const lower = treeOf(fc.oneof(value, lowest, fc.array(lowest, { maxLength: 2 })));
  const shaped = treeOf(fc.oneof(value, lower)).map((values) =>
    JSON.stringify(values, (_name, each: unknown) => (typeof each === "bigint" ? 0 : each)),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(shaped, garbage), { maxLength: 8 }), (lines) => {
      expect(factsOf(format, lines.join("\n"))).toBeDefined();
    }),
    propertyRuns(200),
  );
});
