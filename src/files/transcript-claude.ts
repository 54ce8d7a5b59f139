import type { Seconds } from "../session/report";
import type { TranscriptFacts } from "../session/transcript-facts";
import type { TranscriptFormat, TranscriptLine, TranscriptReading, Values } from "./transcript-format";
import { Prompts } from "./transcript-prompts";
import {
  asCount,
  asList,
  asMoment,
  asObject,
  asPath,
  asShown,
  asText,
  textsIn,
  withoutAbsent,
} from "./transcript-values";

/** How a prompt begins that Claude Code or a program wrote: no words of the user. */
const NOT_TYPED = [
  "<command-",
  "<local-command-",
  "<system-reminder>",
  "<task-notification>",
  "<bash-",
  "<cross-session-message",
  "[Request interrupted",
];

/** Those of them with which a turn begins all the same. */
const BEGINS_TURN = ["<task-notification>", "<cross-session-message"];

const INTERRUPTION = "[Request interrupted";

/** The model that answers which Claude Code makes up itself (API errors) carry. */
const NO_MODEL = "<synthetic>";

const HOUR: Seconds = 3600;
const FIVE_MINUTES: Seconds = 300;

type Title = "customTitle" | "aiTitle" | "summary";

/** The types of lines that give a title; its text stands in a field of the title's name. */
const TITLES: Readonly<Record<string, Title>> = {
  "custom-title": "customTitle",
  "ai-title": "aiTitle",
  summary: "summary",
};

/** What lines mention that are looked at, the less of them the more is known. */
const TOOL_RESULT = /"tool_result"/;
const PROMPT_OR_TITLE = /"(?:user|custom-title|ai-title|summary)"/;
const ANY_OF_THE_END = /"(?:assistant|user|compact_boundary|custom-title|ai-title|summary)"/;
const ANSWER_OR_TITLE = /"(?:assistant|custom-title|ai-title|summary)"/;
const ONLY_TITLE = /"(?:custom-title|ai-title|summary)"/;

interface Answer {
  at: Seconds;
  model?: string;
  contextTokens?: number;
}

/**
 * Reads a transcript of Claude Code (`projects/…/<session>.jsonl`). The format is Claude Code's own and not documented:
 * what is not understood is passed over.
 */
export const claudeTranscript: TranscriptFormat = () => new ClaudeReading();

class ClaudeReading implements TranscriptReading {
  private readonly prompts = new Prompts();
  private readonly firstTitles: { [T in Title]?: string } = {};
  private readonly lastTitles: { [T in Title]?: string } = {};
  private cwd?: string;
  private first: Origin = {};
  private readonly last: Origin = {};
  private answer?: Answer;
  private cacheTtl?: Seconds;
  /** What the context was cut down to, when that came after the last answer; null: nobody said. */
  private compacted?: number | null;
  private interruptedAt?: Seconds;
  private deniedAt?: Seconds;
  /** Something went on that an earlier interruption or denial is older than. */
  private wentOn = false;

  get wantsBeginning(): boolean {
    return !this.prompts.isFull || this.cwd === undefined;
  }

  get wantsEnd(): boolean {
    return this.answer === undefined;
  }

  takeFirst(line: TranscriptLine): void {
    // A tool's result can be large, and is no prompt.
    if (line.mentions(TOOL_RESULT) || !line.mentions(PROMPT_OR_TITLE)) return;
    const values = line.parsed();
    if (values === undefined) return;
    if (values.type === "user") this.takeFirstUser(values);
    else takeTitle(values, (title, text) => (this.firstTitles[title] = text));
  }

  takeLast(line: TranscriptLine): void {
    if (!line.mentions(this.wantedOfEnd) || isMereResult(line)) return;
    const values = line.parsed();
    if (values === undefined) return;
    switch (values.type) {
      case "assistant":
        this.takeAssistant(values);
        return;
      case "user":
        this.takeUser(values);
        return;
      case "system":
        this.takeBoundary(values);
        return;
      default:
        takeTitle(values, (title, text) => (this.lastTitles[title] ??= text));
    }
  }

  facts(): TranscriptFacts {
    const { answer, cacheTtl, interruptedAt, deniedAt, compacted } = this;
    const contextTokens = compacted === undefined ? answer?.contextTokens : (compacted ?? undefined);
    return withoutAbsent({
      ...this.firstTitles,
      ...this.lastTitles,
      ...this.prompts.facts(),
      cwd: this.cwd,
      gitBranch: this.last.gitBranch ?? this.first.gitBranch,
      version: this.last.version ?? this.first.version,
      model: answer?.model,
      lastAnswerAt: answer?.at,
      contextTokens,
      cacheTtl,
      interruptedAt,
      deniedAt,
    });
  }

  private takeFirstUser(values: Values): void {
    if (values.isSidechain === true) return;
    this.cwd ??= asPath(values.cwd);
    fillIn(this.first, values);
    const prompt = values.isMeta === true || values.isCompactSummary === true ? undefined : promptIn(values);
    if (prompt !== undefined) this.prompts.add(prompt, isByPerson(values));
  }

  /** What of the lines before the ones taken can still tell something. */
  private get wantedOfEnd(): RegExp {
    if (this.answer === undefined) return ANY_OF_THE_END;
    return this.cacheTtl === undefined ? ANSWER_OR_TITLE : ONLY_TITLE;
  }

  private takeAssistant(values: Values): void {
    const message = asObject(values.message);
    const at = asMoment(values.timestamp);
    if (values.isSidechain === true || message === undefined) return;
    if (message.model === NO_MODEL || at === undefined) return;
    const usage = asObject(message.usage);
    this.cacheTtl ??= cacheTtlIn(usage);
    if (this.answer !== undefined) return;
    this.wentOn = true;
    fillIn(this.last, values);
    this.answer = { at, model: asShown(message.model), contextTokens: contextTokensIn(usage) };
  }

  private takeUser(values: Values): void {
    if (this.wentOn || values.isSidechain === true) return;
    fillIn(this.last, values);
    const at = asMoment(values.timestamp);
    if (values.toolDenialKind === "user-rejected") {
      this.deniedAt ??= at;
    } else if (isInterruption(values)) {
      this.interruptedAt ??= at;
    } else if (beginsTurn(values)) {
      this.wentOn = true;
    }
  }

  private takeBoundary(values: Values): void {
    if (this.answer !== undefined || this.compacted !== undefined) return;
    if (values.subtype !== "compact_boundary" || values.isSidechain === true) return;
    this.compacted = asCount(asObject(values.compactMetadata)?.postTokens) ?? null;
  }
}

/** Where a line was written, as far as later lines may tell otherwise. */
interface Origin {
  gitBranch?: string;
  version?: string;
}

function fillIn(origin: Origin, { gitBranch, version }: Values): void {
  // HEAD is no branch: there is none, or no repository.
  if (gitBranch !== "HEAD") origin.gitBranch ??= asShown(gitBranch);
  origin.version ??= asShown(version);
}

function takeTitle(values: Values, keep: (title: Title, text: string) => void): void {
  const type = asText(values.type) ?? "";
  const title = Object.hasOwn(TITLES, type) ? TITLES[type] : undefined;
  const text = title === undefined ? undefined : asShown(values[title]);
  if (title !== undefined && text !== undefined) keep(title, text);
}

/** Whether a line is the result of a tool that was not denied: it can be large, and says nothing here. */
function isMereResult(line: TranscriptLine): boolean {
  return line.mentions(TOOL_RESULT) && !line.mentions(/"(?:toolDenialKind|assistant)"/);
}

/** The text of a user's message, unless it is none that a user would write. */
function promptIn(values: Values): string | undefined {
  const text = textIn(values);
  return text === "" || NOT_TYPED.some((beginning) => text.startsWith(beginning)) ? undefined : text;
}

function textIn(values: Values): string {
  return textsIn(asObject(values.message)?.content).join("\n").trimStart();
}

function isInterruption(values: Values): boolean {
  return asText(values.interruptedMessageId) !== undefined || textIn(values).startsWith(INTERRUPTION);
}

function beginsTurn(values: Values): boolean {
  if (values.isMeta === true || values.isCompactSummary === true) return false;
  const isResult = asList(asObject(values.message)?.content).some((block) => asObject(block)?.type === "tool_result");
  if (isResult) return false;
  const text = textIn(values);
  return promptIn(values) !== undefined || BEGINS_TURN.some((beginning) => text.startsWith(beginning));
}

/** Whether a person wrote the prompt: a plugin's or a peer's says so in `origin`; headless runs have none. */
function isByPerson(values: Values): boolean {
  const kind = asText(asObject(values.origin)?.kind);
  return kind === undefined || kind === "human";
}

function contextTokensIn(usage: Values | undefined): number | undefined {
  const input = asCount(usage?.input_tokens);
  if (usage === undefined || input === undefined) return undefined;
  return input + (asCount(usage.cache_read_input_tokens) ?? 0) + (asCount(usage.cache_creation_input_tokens) ?? 0);
}

function cacheTtlIn(usage: Values | undefined): Seconds | undefined {
  const written = asObject(usage?.cache_creation);
  if ((asCount(written?.ephemeral_1h_input_tokens) ?? 0) > 0) return HOUR;
  if ((asCount(written?.ephemeral_5m_input_tokens) ?? 0) > 0) return FIVE_MINUTES;
  return undefined;
}
