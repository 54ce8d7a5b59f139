import { recordOf } from "./request";
import { shortLine } from "./text-lines";

/** What the end of a transcript tells of its session. Times are milliseconds; what was not found is absent. */
export interface TranscriptEnd {
  /** When the main conversation was last answered. */
  answeredAt?: number;
  /** Tokens the model read for that answer. */
  contextTokens?: number;
  /** How long the cache holds, as the last figures tell. */
  ttlMs?: number;
  /** The title: the user's own, else the model's. */
  title?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** The model of answers that Claude Code makes up itself. */
const NO_MODEL = "<synthetic>";

const TITLE_LIMIT = 80;

/**
 * Reads the end of a transcript of Claude Code.
 *
 * @param text the file's end; its first line may be cut
 */
export function transcriptEnd(text: string): TranscriptEnd {
  const end: TranscriptEnd = {};
  let aiTitle: string | undefined;
  const lines = text.split("\n");
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    if (/"(?:custom|ai)-title"/.test(line)) {
      const values = valuesOf(line);
      if (values?.type === "custom-title") end.title ??= titleOf(values.customTitle);
      if (values?.type === "ai-title") aiTitle ??= titleOf(values.aiTitle);
    }
    if (line.includes('"assistant"') && (end.answeredAt === undefined || end.ttlMs === undefined)) {
      takeAnswer(line, end);
    }
  }
  const title = end.title ?? aiTitle;
  return { ...end, ...(title === undefined ? {} : { title }) };
}

/**
 * The first prompt of the user in a transcript.
 *
 * @param text the file's beginning; its last line may be cut
 */
export function firstPromptIn(text: string): string | undefined {
  for (const line of text.split("\n")) {
    if (!line.includes('"user"') || line.includes('"tool_result"')) continue;
    const values = valuesOf(line);
    if (values?.type !== "user" || values.isSidechain === true || values.isMeta === true) continue;
    if (values.isCompactSummary === true) continue;
    const prompt = textIn(recordOf(values.message)?.content);
    if (prompt !== "" && !prompt.startsWith("<") && !prompt.startsWith("[Request interrupted")) {
      return shortLine(prompt, TITLE_LIMIT);
    }
  }
  return undefined;
}

function takeAnswer(line: string, end: TranscriptEnd): void {
  const values = valuesOf(line);
  const message = recordOf(values?.message);
  const at = typeof values?.timestamp === "string" ? Date.parse(values.timestamp) : NaN;
  if (values?.type !== "assistant" || values.isSidechain === true || message === undefined) return;
  if (message.model === NO_MODEL || !Number.isFinite(at)) return;
  const usage = recordOf(message.usage);
  const written = recordOf(usage?.cache_creation);
  if (end.ttlMs === undefined) {
    if (count(written?.ephemeral_1h_input_tokens) > 0) end.ttlMs = 60 * 60_000;
    else if (count(written?.ephemeral_5m_input_tokens) > 0) end.ttlMs = 5 * 60_000;
  }
  if (end.answeredAt !== undefined) return;
  end.answeredAt = at;
  if (usage !== undefined && typeof usage.input_tokens === "number") {
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
    end.contextTokens = count(input_tokens) + count(cache_read_input_tokens) + count(cache_creation_input_tokens);
  }
}

function valuesOf(line: string): Values | undefined {
  try {
    return recordOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content)) return "";
  const blocks: unknown[] = content;
  return blocks
    .map((block) => recordOf(block))
    .map((block) => (block?.type === "text" && typeof block.text === "string" ? block.text : ""))
    .join("\n")
    .trim();
}

function titleOf(value: unknown): string | undefined {
  const title = typeof value === "string" ? shortLine(value, TITLE_LIMIT) : "";
  return title === "" ? undefined : title;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
