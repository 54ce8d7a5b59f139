import type { Seconds } from "../session/report";
import type { TranscriptFacts, TurnEnd, TurnFacts } from "../session/transcript-facts";
import type { TranscriptFormat, TranscriptLine, TranscriptReading, Values } from "./transcript-format";
import { Prompts } from "./transcript-prompts";
import {
  asCount,
  asMoment,
  asObject,
  asPath,
  asSeconds,
  asShown,
  asText,
  objectIn,
  textsIn,
  withoutAbsent,
} from "./transcript-values";

/** What of `response_item` comes from the model; the rest are results and what was said to it. */
const BY_MODEL = new Set(["reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call"]);

/** Events with which a turn begins or goes on. */
const TURN_EVENTS = new Set(["task_started", "user_message", "agent_message", "agent_reasoning", "task_complete"]);

/** With these a turn begins or is over. */
const TURN_BOUNDARY = /"(?:task_started|task_complete|turn_aborted)"/;

/**
 * Reads a rollout of Codex (`sessions/…/rollout-….jsonl`), of versions that write `user_message` and `agent_message`
 * and of those that write `item_completed` instead. A denial cannot be told from an interruption there (0.171 writes
 * `turn_aborted` for both), so none is.
 */
export const codexTranscript: TranscriptFormat = () => new CodexReading();

class CodexReading implements TranscriptReading {
  private readonly prompts = new Prompts();
  private meta?: { cwd?: string; gitBranch?: string; version?: string; parentSession?: string };
  private lastAnswerAt?: Seconds;
  private contextTokens?: number;
  private contextWindow?: number;
  private model?: string;
  private interruptedAt?: Seconds;
  private turn?: TurnFacts;
  /** Something went on that an earlier interruption is older than. */
  private wentOn = false;

  get wantsBeginning(): boolean {
    return !this.prompts.isFull || this.meta === undefined;
  }

  get wantsEnd(): boolean {
    const { lastAnswerAt, contextTokens, model, turn } = this;
    return lastAnswerAt === undefined || contextTokens === undefined || model === undefined || turn === undefined;
  }

  takeFirst(line: TranscriptLine): void {
    if (this.meta === undefined && line.mentions(/"session_meta"/)) {
      const values = line.parsed();
      const payload = asObject(values?.payload);
      if (values?.type === "session_meta" && payload !== undefined) this.takeMeta(payload);
    } else if (line.mentions(/"(?:user_message|UserMessage)"/)) {
      const prompt = promptIn(line.parsed());
      if (prompt !== undefined) this.prompts.add(prompt);
    }
  }

  takeLast(line: TranscriptLine): void {
    if (line.mentions(/"event_msg"/)) {
      if (!this.knowsEvents || (this.turn === undefined && line.mentions(TURN_BOUNDARY))) this.takeEvent(line);
    } else if (this.lastAnswerAt === undefined && line.mentions(/"response_item"/)) {
      this.takeItem(line);
    } else if (this.model === undefined && line.mentions(/"turn_context"/)) {
      this.takeContext(line);
    } else if (this.contextTokens === undefined && line.mentions(/"token_usage_record"/)) {
      this.takeUsage(line);
    } else if (!this.wentOn && this.turn === undefined && line.mentions(/"session_meta"/)) {
      this.takeBeginning(line);
    }
  }

  facts(): TranscriptFacts {
    const { lastAnswerAt, contextTokens, contextWindow, model, interruptedAt, turn } = this;
    const known = { model, lastAnswerAt, contextTokens, contextWindow, interruptedAt, turn };
    return withoutAbsent({ ...this.prompts.facts(), ...this.meta, ...known });
  }

  /** Whether events before the ones taken have nothing to tell. */
  private get knowsEvents(): boolean {
    const { lastAnswerAt, contextTokens, contextWindow, wentOn } = this;
    return wentOn && lastAnswerAt !== undefined && contextTokens !== undefined && contextWindow !== undefined;
  }

  private takeMeta({ cwd, git, cli_version: version, thread_source, parent_thread_id, session_id }: Values): void {
    this.meta = {
      cwd: asPath(cwd),
      gitBranch: asShown(asObject(git)?.branch),
      version: asShown(version),
      parentSession: thread_source === "subagent" ? (asText(parent_thread_id) ?? asText(session_id)) : undefined,
    };
  }

  private takeEvent(line: TranscriptLine): void {
    const values = line.parsed();
    const payload = asObject(values?.payload);
    if (values?.type !== "event_msg" || payload === undefined) return;
    const at = asMoment(values.timestamp);
    const type = asText(payload.type) ?? "";
    if (type === "token_count") this.takeTokens(asObject(payload.info));
    if (at !== undefined) this.turn ??= turnIn(type, payload, at);
    if (type === "turn_aborted") this.takeEndOfTurn(payload.reason, at);
    if (TURN_EVENTS.has(type) || (type === "item_completed" && isMessage(payload))) this.wentOn = true;
    if (isAnswer(type, payload)) this.lastAnswerAt ??= at;
  }

  /** Nothing was asked in a thread of which only the beginning is there: one that was forked and not used yet. */
  private takeBeginning(line: TranscriptLine): void {
    const values = line.parsed();
    const at = asMoment(values?.timestamp);
    const isAnswered = this.lastAnswerAt !== undefined;
    if (values?.type === "session_meta" && at !== undefined && !isAnswered) this.turn = { end: { how: "over", at } };
  }

  private takeEndOfTurn(reason: unknown, at: Seconds | undefined): void {
    // Any other reason (a turn replaced, a review over) is not the user's interruption.
    if (!this.wentOn && (reason === undefined || reason === "interrupted")) this.interruptedAt ??= at;
    this.wentOn = true;
  }

  private takeTokens(info: Values | undefined): void {
    if (info === undefined) return;
    const usage = asObject(info.last_token_usage);
    const input = asCount(usage?.input_tokens);
    // After a compaction no input is counted yet; the total is what is left.
    this.contextTokens ??= input === 0 ? asCount(usage?.total_tokens) : input;
    this.contextWindow ??= asCount(info.model_context_window);
  }

  /** Newer versions count a response here at once, and in `token_count` only when its tools are over. */
  private takeUsage(line: TranscriptLine): void {
    const values = line.parsed();
    if (values?.type !== "token_usage_record") return;
    this.contextTokens ??= asCount(asObject(asObject(values.payload)?.usage)?.input_tokens);
  }

  private takeItem(line: TranscriptLine): void {
    if (line.mentions(/"(?:custom_tool|function)_call_output"/)) return;
    const values = line.parsed();
    const payload = asObject(values?.payload);
    const type = asText(payload?.type) ?? "";
    const isByModel = BY_MODEL.has(type) || (type === "message" && payload?.role === "assistant");
    if (values?.type === "response_item" && isByModel) this.lastAnswerAt ??= asMoment(values.timestamp);
  }

  private takeContext(line: TranscriptLine): void {
    const values = line.parsed();
    if (values?.type === "turn_context") this.model ??= asShown(asObject(values.payload)?.model);
  }
}

/** What an event tells of the turn it begins or ends. */
function turnIn(type: string, payload: Values, at: Seconds): TurnFacts | undefined {
  switch (type) {
    case "task_started": {
      const isByUser = asObject(payload.turn_attribution)?.turn_trigger === "user";
      return { startedAt: at, ...(isByUser ? { byUser: true } : {}) };
    }
    case "task_complete":
      return { ...startIn(payload), end: endIn(payload, at) };
    case "turn_aborted":
      return { ...startIn(payload), end: { how: "over", at } };
    default:
      return undefined;
  }
}

/** When a turn that is over began, in whole seconds. */
function startIn({ started_at }: Values): { startedAt?: Seconds } {
  const startedAt = asSeconds(started_at);
  return startedAt === undefined ? {} : { startedAt };
}

function endIn({ error, last_agent_message: answer }: Values, at: Seconds): TurnEnd {
  if (typeof answer === "string") return { how: "answered", at };
  if (error === undefined || error === null) return { how: "over", at };
  const reason = asShown(reasonIn(asObject(error)?.message));
  return { how: "failed", at, ...(reason === undefined ? {} : { reason }) };
}

/** The words of an error; those of the model's provider may come as the JSON it sent. */
function reasonIn(message: unknown): unknown {
  const values = typeof message === "string" && message.startsWith("{") ? objectIn(message) : undefined;
  return asText(asObject(values?.error)?.message) ?? asText(values?.message) ?? message;
}

/** What the user wrote, in an event that tells it. */
function promptIn(values: Values | undefined): string | undefined {
  const payload = asObject(values?.payload);
  if (values?.type !== "event_msg" || payload === undefined) return undefined;
  if (payload.type === "user_message") return asText(payload.message);
  const item = payload.type === "item_completed" ? asObject(payload.item) : undefined;
  return item?.type === "UserMessage" ? textsIn(item.content).join("\n") : undefined;
}

function isMessage(payload: Values): boolean {
  const type = asObject(payload.item)?.type;
  return type === "UserMessage" || type === "AgentMessage";
}

function isAnswer(type: string, payload: Values): boolean {
  if (type === "agent_message" || type === "agent_reasoning") return true;
  return type === "item_completed" && asObject(payload.item)?.type === "AgentMessage";
}
