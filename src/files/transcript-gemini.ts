import type { Seconds } from "../session/report";
import type { TranscriptFacts } from "../session/transcript-facts";
import type { TranscriptFormat, TranscriptLine, TranscriptReading, Values } from "./transcript-format";
import { Prompts } from "./transcript-prompts";
import { asCount, asList, asMoment, asObject, asShown, asText, textsIn, withoutAbsent } from "./transcript-values";

/** How a user's message begins that Gemini CLI wrote, or that never reached the model. */
const NOT_TYPED = ["/", "?", "<session_context>", "<hook_context>", "<state_snapshot>"];

/**
 * Reads a chat of Gemini CLI (`chats/session-….jsonl`): a message a line, `$set` lines that replace fields of the
 * whole, the messages among them. It tells neither folder nor version, and an interruption looks like an answer.
 */
export const geminiTranscript: TranscriptFormat = () => new GeminiReading();

class GeminiReading implements TranscriptReading {
  private readonly prompts = new Prompts();
  /** Ids of the prompts taken: after a resume they come once more. */
  private readonly taken = new Set<string>();
  private firstSummary?: string;
  private lastSummary?: string;
  private answer?: { at: Seconds; model?: string; contextTokens?: number };

  get wantsBeginning(): boolean {
    return !this.prompts.isFull;
  }

  get wantsEnd(): boolean {
    return this.answer === undefined;
  }

  takeFirst(line: TranscriptLine): void {
    if (line.mentions(/"user"/)) {
      const values = line.parsed();
      const replaced = asObject(values?.$set)?.messages;
      for (const message of replaced === undefined ? [values] : asList(replaced)) this.takePrompt(asObject(message));
    }
    this.firstSummary = summaryIn(line) ?? this.firstSummary;
  }

  takeLast(line: TranscriptLine): void {
    if (this.answer === undefined && line.mentions(/"gemini"/)) this.takeAnswer(line);
    this.lastSummary ??= summaryIn(line);
  }

  facts(): TranscriptFacts {
    const { answer, firstSummary, lastSummary } = this;
    return withoutAbsent({
      summary: lastSummary ?? firstSummary,
      ...this.prompts.facts(),
      model: answer?.model,
      lastAnswerAt: answer?.at,
      contextTokens: answer?.contextTokens,
    });
  }

  private takePrompt(message: Values | undefined): void {
    if (message?.type !== "user") return;
    const id = asText(message.id);
    const text = textsIn(message.content).join("").trim();
    if (id !== undefined && this.taken.has(id)) return;
    if (NOT_TYPED.some((beginning) => text.startsWith(beginning))) return;
    if (id !== undefined) this.taken.add(id);
    this.prompts.add(text);
  }

  private takeAnswer(line: TranscriptLine): void {
    const values = line.parsed();
    const at = asMoment(values?.timestamp);
    if (values?.type !== "gemini" || at === undefined) return;
    this.answer = { at, model: asShown(values.model), contextTokens: asCount(asObject(values.tokens)?.input) };
  }
}

function summaryIn(line: TranscriptLine): string | undefined {
  if (!line.mentions(/"summary"/)) return undefined;
  const values = line.parsed();
  return asShown((asObject(values?.$set) ?? values)?.summary);
}
