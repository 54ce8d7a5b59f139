import type { ContextFacts, Seconds, SessionReport } from "../session/report";
import type { Verdict } from "../session/session";
import type { State } from "../session/state";
import { titleIn, type TranscriptFacts, type TurnEnd, type TurnFacts } from "../session/transcript-facts";

/** What a transcript does to a report. */
export interface TranscriptWeighed {
  report: SessionReport;
  verdict: Verdict;
  why: string;
  /** What it says by itself, where it tells of a turn. */
  state?: State;
  /** When that came to be; else when the model last answered. */
  at?: Seconds;
}

/**
 * What a transcript does to a report: it knows the title, what the model last read, and whether the user interrupted the
 * turn or refused what it asked for, of which no hook tells. Codex's also knows when a turn begins and ends, and how.
 *
 * @param told when the other sources last heard of the main agent
 */
export function weighTranscript(report: SessionReport, told: Seconds, facts: TranscriptFacts): TranscriptWeighed {
  const known: SessionReport = { ...report, ...titleOf(report, facts), ...contextOf(report, facts) };
  const adds = {
    report: known,
    verdict: "adds",
    why: "It gives title and context.",
    ...at(facts.lastAnswerAt),
  } as const;
  if (facts.turn !== undefined) return weighTurn(known, told, facts.turn, facts.interruptedAt) ?? adds;
  const stoppedAt = facts.interruptedAt ?? facts.deniedAt;
  if (stoppedAt === undefined || stoppedAt < told || !TURNS.has(report.state)) return adds;
  const why = facts.interruptedAt === undefined ? "The user refused what it asked for." : "The user interrupted it.";
  const stopped: SessionReport = { ...withoutTurn(known), state: "idle", since: stoppedAt };
  return { report: stopped, verdict: "overrules", why, state: "idle", at: stoppedAt };
}

/** What an interruption ends. */
const TURNS: ReadonlySet<State> = new Set<State>(["working", "compacting", "waiting", "decision"]);

/** What each stage of a turn agrees with: hooks tell of the same moment, in more words. */
const AGREES: Readonly<Record<TurnEnd["how"] | "goes on", ReadonlySet<State>>> = {
  "goes on": new Set<State>(["working", "compacting", "waitingForSubagents"]),
  answered: new Set<State>(["done", "scheduled", "waitingForSubagents"]),
  failed: new Set<State>(["failed"]),
  // A session that ended stopped its turn on the way.
  over: new Set<State>(["idle", "done", "failed", "scheduled", "waitingForSubagents", "dormant"]),
};

/**
 * The state a turn gives where it is newer than what was told, or nothing was; undefined where it only agrees or is
 * older. Of a session that only its lock tells of, what was told is that it was opened then. A turn that goes on may wait meanwhile, of which the transcript does not tell: it ends no newer wait.
 */
function weighTurn(
  report: SessionReport,
  told: Seconds,
  turn: TurnFacts,
  interruptedAt: Seconds | undefined,
): TranscriptWeighed | undefined {
  const { end } = turn;
  const moment = turn.end === undefined ? turn.startedAt : turn.end.at;
  if (report.state !== "unknown" && (moment <= told || !isNews(report, told, turn, interruptedAt))) return undefined;
  const given = { ...withoutTurn(report), since: moment };
  const wasOpenedSince = report.state === "unknown" && report.live !== undefined && moment < told;
  const overrules = (state: State, why: string, more: Partial<SessionReport> = {}): TranscriptWeighed => ({
    report: { ...given, state, ...more },
    verdict: "overrules",
    why,
    state,
    at: moment,
  });
  switch (end?.how) {
    case undefined:
      // Its process has ended in the middle of it, without a word.
      if (wasOpenedSince) return overrules("idle", OPENED_AGAIN, { since: told });
      return overrules("working", "A turn began, and goes on.", {
        turnStartedAt: moment,
        ...(turn.end === undefined && turn.byUser === true ? { userPromptAt: moment } : {}),
      });
    case "answered":
      if (wasOpenedSince && isInTerminal(report)) return overrules("idle", OPENED_AGAIN);
      return overrules("done", "A turn ended with an answer.", { doneAt: moment });
    case "failed":
      return overrules(
        "failed",
        "A turn ended with an error.",
        end.reason === undefined ? {} : { message: end.reason },
      );
    case "over":
      return overrules("idle", interruptedAt === moment ? "The user interrupted it." : "No turn goes on.");
    default:
      return end satisfies never;
  }
}

/** Whether a turn that is newer than what was told says something else. */
function isNews(
  { state, subagents }: SessionReport,
  told: Seconds,
  { startedAt, end }: TurnFacts,
  interruptedAt: Seconds | undefined,
): boolean {
  if (end === undefined) return !AGREES["goes on"].has(state);
  // A subagent may ask while the main turn ends: that wait is not over with it, unless the user stopped everything.
  const isWait = state === "waiting" || state === "decision";
  if (isWait && (subagents ?? 0) > 0 && interruptedAt !== end.at) return false;
  if (!AGREES[end.how].has(state)) return true;
  // The end of a turn that was not told of only agrees by chance.
  return end.how !== "over" && startedAt !== undefined && startedAt > told;
}

const OPENED_AGAIN = "It was opened again after its last turn.";

/** Whether a session has a terminal of its own: whoever opens one there sees what was answered last. */
function isInTerminal({ live, process }: SessionReport): boolean {
  return live?.kind === "interactive" && process !== undefined;
}

/** The report without what belonged to a turn. */
function withoutTurn(report: SessionReport): SessionReport {
  const kept = { ...report };
  delete kept.tool;
  delete kept.activity;
  delete kept.message;
  delete kept.waitingFor;
  delete kept.turnStartedAt;
  return kept;
}

function at(moment: Seconds | undefined): { at?: Seconds } {
  return moment === undefined ? {} : { at: moment };
}

/** The user's own title, a model's, a summary; the first prompt only where nothing better is known. */
function titleOf(report: SessionReport, facts: TranscriptFacts): Pick<SessionReport, "title"> {
  const title = titleIn({ ...facts, firstPrompt: undefined }) ?? report.title ?? facts.firstPrompt;
  return title === undefined ? {} : { title };
}

/** The figures of the transcript are the agent's own; only what an event told since the last answer is newer. */
function contextOf({ context }: SessionReport, facts: TranscriptFacts): Pick<SessionReport, "context"> {
  const found: ContextFacts = {
    ...(facts.contextTokens === undefined ? {} : { tokens: facts.contextTokens }),
    ...(facts.contextWindow === undefined ? {} : { window: facts.contextWindow }),
    ...(facts.model === undefined ? {} : { model: facts.model }),
    ...(facts.lastAnswerAt === undefined ? {} : { lastAnswerAt: facts.lastAnswerAt }),
    ...(facts.cacheTtl === undefined ? {} : { ttl: facts.cacheTtl }),
  };
  if (context === undefined) return Object.keys(found).length === 0 ? {} : { context: found };
  const isNewer = (found.lastAnswerAt ?? 0) > (context.toldAt ?? 0);
  const merged: ContextFacts = isNewer ? { ...context, ...found } : { ...found, ...context };
  if (isNewer) delete merged.isGone;
  // A hook runs after the answer: the transcript's time of it is the exact one.
  if (found.lastAnswerAt !== undefined) merged.lastAnswerAt = found.lastAnswerAt;
  return { context: merged };
}
