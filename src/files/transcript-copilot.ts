import type { Seconds } from "../session/report";
import type { TranscriptFacts } from "../session/transcript-facts";
import type { TranscriptFormat, TranscriptLine, TranscriptReading, Values } from "./transcript-format";
import { Prompts } from "./transcript-prompts";
import { asMoment, asObject, asPath, asShown, asText, withoutAbsent } from "./transcript-values";

/** The events of which the last one counts. */
const TOLD_LAST = /"(?:assistant\.message|session\.model_change|abort|user\.message)"/;

/**
 * Reads the events of GitHub Copilot CLI (`session-state/…/events.jsonl`): `{type, data, timestamp}` a line. Known
 * from what others observed only, so whatever looks different is passed over. It tells no sizes of contexts.
 */
export const copilotTranscript: TranscriptFormat = () => new CopilotReading();

class CopilotReading implements TranscriptReading {
  private readonly prompts = new Prompts();
  private start?: { cwd?: string; gitBranch?: string; version?: string };
  private firstModel?: string;
  private lastModel?: string;
  private lastAnswerAt?: Seconds;
  private interruptedAt?: Seconds;
  /** Something went on that an earlier interruption is older than. */
  private wentOn = false;

  get wantsBeginning(): boolean {
    return !this.prompts.isFull || this.start === undefined;
  }

  get wantsEnd(): boolean {
    return this.lastAnswerAt === undefined;
  }

  takeFirst(line: TranscriptLine): void {
    if (line.mentions(/"session\.start"/)) this.takeStart(eventIn(line));
    else if (line.mentions(/"user\.message"/)) this.takePrompt(eventIn(line));
  }

  takeLast(line: TranscriptLine): void {
    const event = line.mentions(TOLD_LAST) ? eventIn(line) : undefined;
    if (event === undefined || isOfSubagent(event.data)) return;
    switch (event.type) {
      case "assistant.message":
        this.lastAnswerAt ??= event.at;
        this.lastModel ??= asShown(event.data.model);
        this.wentOn = true;
        return;
      case "session.model_change":
        this.lastModel ??= asShown(event.data.newModel);
        return;
      case "abort":
        if (!this.wentOn) this.interruptedAt ??= event.at;
        return;
      case "user.message":
        this.wentOn = true;
        return;
    }
  }

  facts(): TranscriptFacts {
    const { lastModel, firstModel, lastAnswerAt, interruptedAt } = this;
    const model = lastModel ?? firstModel;
    return withoutAbsent({ ...this.prompts.facts(), ...this.start, model, lastAnswerAt, interruptedAt });
  }

  private takeStart(event: CopilotEvent | undefined): void {
    if (event?.type !== "session.start" || this.start !== undefined) return;
    const context = asObject(event.data.context);
    const version = asShown(event.data.copilotVersion);
    this.start = { cwd: asPath(context?.cwd), gitBranch: asShown(context?.branch), version };
    this.firstModel = asShown(event.data.selectedModel);
  }

  private takePrompt(event: CopilotEvent | undefined): void {
    if (event?.type !== "user.message" || isOfSubagent(event.data)) return;
    const text = asText(event.data.content);
    if (text !== undefined) this.prompts.add(text);
  }
}

interface CopilotEvent {
  type: string;
  data: Values;
  at?: Seconds;
}

function eventIn(line: TranscriptLine): CopilotEvent | undefined {
  const values = line.parsed();
  const type = asText(values?.type);
  const data = asObject(values?.data);
  return type === undefined || data === undefined ? undefined : { type, data, at: asMoment(values?.timestamp) };
}

function isOfSubagent(data: Values): boolean {
  return asText(data.parentToolCallId) !== undefined;
}
