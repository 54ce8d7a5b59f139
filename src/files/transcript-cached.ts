import type { TranscriptFacts } from "../session/transcript-facts";
import { asObject } from "./transcript-values";

const FIELDS: Readonly<Record<keyof TranscriptFacts, (value: unknown) => boolean>> = {
  customTitle: isText,
  aiTitle: isText,
  summary: isText,
  firstPrompt: isText,
  prompts: (value) => Array.isArray(value) && value.every(isText),
  cwd: isText,
  parentSession: isText,
  gitBranch: isText,
  version: isText,
  model: isText,
  lastAnswerAt: isNumber,
  contextTokens: isNumber,
  contextWindow: isNumber,
  cacheTtl: isNumber,
  interruptedAt: isNumber,
  deniedAt: isNumber,
};

/** Whether what was kept of an earlier run are facts of a transcript, of this version of ours. */
export function isTranscriptFacts(value: unknown): value is TranscriptFacts {
  const values = asObject(value);
  if (values === undefined) return false;
  return Object.entries(FIELDS).every(([name, isRight]) => values[name] === undefined || isRight(values[name]));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
