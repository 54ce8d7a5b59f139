import { appendFileSync, closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transcriptKinds } from "../../src/agents/transcript-kinds";
import { Transcripts } from "../../src/store/transcripts";
import { median, type Row } from "./measure";

const MB = 1_000_000;

/** How many sessions a busy machine shows. */
const SESSIONS = 200;

/**
 * Reading transcripts: one of each size by its beginning and end, beside parsing all of it in the same run, with the
 * memory either takes; then many sessions at once, changed and unchanged.
 *
 * @param sizes in MB
 */
export function benchTranscript(sizes: readonly number[], rounds: number): Row[] {
  const folder = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  try {
    const files = sizes.map((size) => ({ size, file: transcriptOf(folder, `${size}-mb`, size * MB) }));
    // Ours first: the greatest memory a process ever had never sinks.
    const ours = files.map(({ size, file }) => ({ size, file, ...measured(() => readEnds(file), rounds) }));
    const rows = ours.flatMap(({ size, file, milliseconds, megabytes }): Row[] => {
      const whole = measured(() => parseAll(file), 1);
      return [
        {
          name: `transcript of ${size} MB, beginning and end`,
          value: milliseconds,
          unit: "ms",
          note: grown(megabytes),
        },
        {
          name: `transcript of ${size} MB, all of it`,
          value: whole.milliseconds,
          unit: "ms",
          note: grown(whole.megabytes),
        },
        { name: `all of it / beginning and end, ${size} MB`, value: whole.milliseconds / milliseconds, unit: "×" },
      ];
    });
    const [first, last] = [ours.at(0), ours.at(-1)];
    const bySize = first === undefined || last === undefined ? Number.NaN : last.milliseconds / first.milliseconds;
    rows.push({ name: `beginning and end, ${last?.size} MB / ${first?.size} MB`, value: bySize, unit: "×" });
    return [...rows, ...manySessions(folder, rounds)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function manySessions(folder: string, rounds: number): Row[] {
  const sessions = Array.from({ length: SESSIONS }, (_, index) => {
    const sessionId = `session-${index}`;
    return { agent: "claude", sessionId, transcript: transcriptOf(folder, sessionId, MB / 2) };
  });
  const transcripts = reader();
  const lookAtAll = () => sessions.forEach((session) => transcripts.factsOf(session));
  const cold = timed(lookAtAll);
  const unchanged = median(rounds, () => timed(lookAtAll));
  const changed = median(Math.min(rounds, 5), (round) => {
    for (const { transcript } of sessions) appendFileSync(transcript, answer(round));
    return timed(lookAtAll);
  });
  return [
    { name: `${SESSIONS} transcripts for the first time`, value: cold, unit: "ms" },
    { name: `${SESSIONS} transcripts, all changed`, value: changed, unit: "ms" },
    { name: `${SESSIONS} transcripts, none changed`, value: unchanged, unit: "ms" },
    { name: "all changed / none changed", value: changed / unchanged, unit: "×" },
  ];
}

function reader(): Transcripts {
  return new Transcripts(transcriptKinds({ environment: {}, user: "/nowhere", platform: process.platform }));
}

function readEnds(transcript: string): void {
  const facts = reader().factsOf({ agent: "claude", sessionId: "one", transcript });
  if (facts?.lastAnswerAt === undefined || facts.firstPrompt === undefined) throw new Error("the transcript says less");
}

/** What one would do who parses every line, and keeps no more than one. */
function parseAll(file: string): void {
  const descriptor = openSync(file, "r");
  try {
    const block = Buffer.allocUnsafe(1024 * 1024);
    let rest = "";
    let answers = 0;
    for (let read = readSync(descriptor, block); read > 0; read = readSync(descriptor, block)) {
      const lines = (rest + block.toString("utf8", 0, read)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (JSON.parse(line).type === "assistant") answers += 1;
    }
    if (answers === 0) throw new Error("no answers");
  } finally {
    closeSync(descriptor);
  }
}

function measured(work: () => void, rounds: number): { milliseconds: number; megabytes: number } {
  const before = process.resourceUsage().maxRSS;
  const milliseconds = median(rounds, () => timed(work));
  return { milliseconds, megabytes: (process.resourceUsage().maxRSS - before) / 1024 };
}

function grown(megabytes: number): string {
  return `${megabytes.toFixed(0)} MB more memory than before`;
}

function timed(work: () => void): number {
  const begun = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begun) / 1e6;
}

/** A transcript of at least so many bytes: turns of a prompt, two calls of tools with results, an answer. */
function transcriptOf(folder: string, name: string, bytes: number): string {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, "");
  const descriptor = openSync(file, "a");
  try {
    for (let written = 0, turn = 0; written < bytes; turn += 1) written += writeSync(descriptor, turnText(turn));
  } finally {
    closeSync(descriptor);
  }
  return file;
}

function turnText(turn: number): string {
  return [
    line(turn, "user", { message: { role: "user", content: `Prompt ${turn}: find why the checkout test is flaky` } }),
    line(turn, "attachment", { attachment: { type: "skill_listing", content: "a skill ".repeat(300) } }),
    answer(turn),
    result(turn, 1500),
    answer(turn),
    result(turn, 6000),
    answer(turn),
    line(turn, "system", { subtype: "turn_duration", durationMs: 1200 }),
    `${JSON.stringify({ type: "last-prompt", lastPrompt: `Prompt ${turn}`, sessionId: "one" })}\n`,
  ].join("");
}

function answer(turn: number): string {
  return line(turn, "assistant", {
    message: {
      role: "assistant",
      model: "claude-opus-5-5",
      content: [{ type: "text", text: "It waits for a timer that the test does not own. ".repeat(12) }],
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 800,
        cache_read_input_tokens: 90_000,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 800 },
      },
    },
  });
}

function result(turn: number, length: number): string {
  const output = 'src/checkout.ts: "waits"\n'.repeat(length / 25);
  return line(turn, "user", {
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "one", content: output }] },
    toolUseResult: { stdout: output },
  });
}

function line(turn: number, type: string, rest: object): string {
  const values = {
    parentUuid: null,
    isSidechain: false,
    type,
    ...rest,
    uuid: `00000000-0000-4000-8000-${String(turn).padStart(12, "0")}`,
    timestamp: new Date(1_796_000_000_000 + turn * 60_000).toISOString(),
    cwd: "/home/dev/work/shop",
    sessionId: "one",
    version: "2.1.332",
    gitBranch: "main",
  };
  return `${JSON.stringify(values)}\n`;
}
