import type { TranscriptFacts } from "../session/transcript-facts";
import type { Values } from "./transcript-format";
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
  turn: isTurn,
};

/** Whether what was kept of an earlier run are facts of a transcript, of this version of ours. */
export function isTranscriptFacts(value: unknown): value is TranscriptFacts {
  const values = asObject(value);
  if (values === undefined) return false;
  return Object.entries(FIELDS).every(([name, isRight]) => values[name] === undefined || isRight(values[name]));
}

function isTurn(value: unknown): boolean {
  const turn = asObject(value);
  if (turn === undefined) return false;
  const { startedAt, byUser, end } = turn;
  if (byUser !== undefined && byUser !== true) return false;
  if (end === undefined) return isNumber(startedAt);
  return (startedAt === undefined || isNumber(startedAt)) && isTurnEnd(asObject(end));
}

function isTurnEnd(end: Values | undefined): boolean {
  if (end === undefined || !isNumber(end.at)) return false;
  if (end.how === "failed") return end.reason === undefined || isText(end.reason);
  return end.how === "answered" || end.how === "over";
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
