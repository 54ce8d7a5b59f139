import type { Seconds } from "./report";

/** How a turn was over: with an answer, with an error, or without either (the user stopped it, nothing was asked yet). */
export type TurnEnd =
  { how: "answered" | "over"; at: Seconds } | { how: "failed"; at: Seconds; /** What went wrong. */ reason?: string };

/** The last turn of the conversation: it goes on since its start, or it is over. */
export type TurnFacts =
  | { startedAt: Seconds; /** The user's own prompt began it. */ byUser?: true; end?: undefined }
  | { startedAt?: Seconds; end: TurnEnd };

/**
 * What the transcript of a session tells, as far as its beginning and end do. Nothing in it is made up: a fact that was
 * not found is absent.
 */
export interface TranscriptFacts {
  /** The user's own title of the session. */
  customTitle?: string;
  /** The title a model gave it. */
  aiTitle?: string;
  /** What a summary calls it. */
  summary?: string;
  /** The first words of the user. */
  firstPrompt?: string;
  /** The user's prompts at the beginning, each one line of at most 200 characters, at most 15: a pickup phrase is among them. */
  prompts?: readonly string[];
  cwd?: string;
  /** The session whose subagent it is. */
  parentSession?: string;
  gitBranch?: string;
  /** The version of the agent that wrote it. */
  version?: string;
  model?: string;
  /** When the main conversation's last answer of the model came: the clock of the prompt cache. */
  lastAnswerAt?: Seconds;
  /** Tokens the model read for that answer: what waking the session would send again. */
  contextTokens?: number;
  /** How many tokens fit. */
  contextWindow?: number;
  /** How long the model's provider keeps the context, as the figures of its last cache write tell. */
  cacheTtl?: Seconds;
  /** When the user interrupted the turn; set only when nothing went on after it. */
  interruptedAt?: Seconds;
  /** When the user refused a tool; set only when nothing went on after it. */
  deniedAt?: Seconds;
  /** Where the agent writes down when a turn begins and ends. */
  turn?: TurnFacts;
}

/** The title a transcript gives: the user's own, else the model's, else a summary, else the first prompt. */
export function titleIn({ customTitle, aiTitle, summary, firstPrompt }: TranscriptFacts): string | undefined {
  return customTitle ?? aiTitle ?? summary ?? firstPrompt;
}
