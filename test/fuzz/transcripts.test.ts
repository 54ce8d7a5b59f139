import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transcriptKinds } from "../../src/agents/transcript-kinds";
import { isTranscriptFacts } from "../../src/files/transcript-cached";
import { secondsOfIso } from "../../src/files/timestamp";
import { oneLine, printable, textLength } from "../../src/session/text";
import { titleIn, type TranscriptFacts } from "../../src/session/transcript-facts";
import { Transcripts } from "../../src/store/transcripts";
import { scratchFolder } from "../scratch";
import { part } from "../thoroughness";
import { fuzz } from "./fuzz";
import { brokenTextsIn, jsonIn, literalsIn } from "./literal";
import { mutatedFiles } from "./mutation";
import { transcriptSamples } from "./samples";

const home = scratchFolder();
mkdirSync(join(home, "transcripts"));
const kinds = transcriptKinds({ environment: { HOME: home }, user: home, platform: "linux" });

/** Letters alone: how a text is brought onto one line is not what is at stake here. */
function letters(text: string): string {
  return printable(text.slice(0, 200_000)).replace(/[\s�]+/g, "");
}

/** What the lines of a transcript say, one blob a line, and every moment and number in them. */
function saidIn(text: string) {
  const values = text.split("\n").flatMap((line) => {
    const value = jsonIn(line);
    return typeof value === "object" && value !== null ? [value] : [];
  });
  const literal = values.map((value) => literalsIn(value));
  const nested = literal
    .flatMap(({ texts }) => Array.from(texts))
    .flatMap((each) => (each.startsWith("{") ? [jsonIn(each)] : []));
  const blobs = [...literal, literalsIn(nested)].map(({ texts }) => Array.from(texts).map(letters));
  const moments = new Set(
    literal.flatMap(({ texts }) => Array.from(texts, secondsOfIso)).filter((each) => each !== undefined),
  );
  const numbers = new Set(literal.flatMap(({ numbers: found }) => Array.from(found)));
  return { blobs, moments, numbers };
}

function expectSaid(facts: TranscriptFacts, text: string): void {
  const { blobs, moments, numbers } = saidIn(text);
  const isSaid = (words: string) => {
    const whole = letters(words.replace(/…$/, ""));
    return blobs.some((line) => line.some((each) => each.includes(whole)) || joined(line).includes(whole));
  };
  const {
    prompts = [],
    turn,
    lastAnswerAt,
    interruptedAt,
    deniedAt,
    contextTokens,
    contextWindow,
    cacheTtl,
    ...texts
  } = facts;
  for (const words of [...prompts, ...Object.values(texts)]) expect([words, isSaid(words)]).toEqual([words, true]);
  for (const shown of [...prompts, titleIn(facts) ?? ""]) {
    expect(shown).toBe(oneLine(printable(shown)));
    expect(textLength(shown)).toBeLessThanOrEqual(200);
  }
  for (const moment of [lastAnswerAt, interruptedAt, deniedAt, turn?.end?.at]) {
    if (moment !== undefined) expect([moment, moments.has(moment)]).toEqual([moment, true]);
  }
  if (turn?.startedAt !== undefined) {
    const { startedAt } = turn;
    expect([startedAt, moments.has(startedAt) || numbers.has(startedAt)]).toEqual([startedAt, true]);
    // It is shown as a date.
    expect(new Date(startedAt * 1000).getTime()).not.toBeNaN();
  }
  for (const count of [contextTokens, contextWindow]) {
    if (count !== undefined) expect([count, Number.isFinite(count) && count >= 0]).toEqual([count, true]);
  }
  expect([undefined, 300, 3600]).toContain(cacheTtl);
}

const pools = new Map<string[], string>();

/** All texts of a line, one after another: some facts are made of several. */
function joined(line: string[]): string {
  const known = pools.get(line) ?? line.join("");
  pools.set(line, known);
  return known;
}

for (const agent of ["claude", "codex", "gemini", "copilot"] as const) {
  const path = join(home, "transcripts", `${agent}.jsonl`);

  fuzz(`transcript (${agent})`, 12, mutatedFiles(transcriptSamples(agent)), (bytes, tally) => {
    pools.clear();
    writeFileSync(path, bytes);
    const facts = new Transcripts(kinds).factsOf({ agent, sessionId: "s", transcript: path });
    if (facts === undefined || Object.keys(facts).length === 0) return tally.refused();
    expect(brokenTextsIn(facts)).toEqual([]);
    // What is kept of it for the next run is read again as the same.
    expect(isTranscriptFacts(JSON.parse(JSON.stringify(facts)))).toBe(true);
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    expectSaid(facts, bytes.toString("utf8"));
  });
}

test("a line of ten megabytes, before, between and after the others, costs no more than its blocks", () => {
  for (const agent of ["claude", "codex", "gemini", "copilot"] as const) {
    const [sample = ""] = transcriptSamples(agent);
    const huge = `{"type":"user","message":{"content":"${"x".repeat(10_000_000)}"}}`;
    const lines = sample.trimEnd().split("\n");
    const path = join(home, "transcripts", `${agent}-huge.jsonl`);
    for (const at of part([0, 1, lines.length], 3)) {
      writeFileSync(path, `${[...lines.slice(0, at), huge, ...lines.slice(at)].join("\n")}\n`);
      const began = process.cpuUsage();
      const facts = new Transcripts(kinds).factsOf({ agent, sessionId: "s", transcript: path });
      const { user, system } = process.cpuUsage(began);
      expect((user + system) / 1000).toBeLessThan(1_000);
      expect(facts).toBeDefined();
    }
  }
});
