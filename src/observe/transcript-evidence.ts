import type { ContextFacts, Seconds, SessionReport } from "../session/report";
import type { Verdict } from "../session/session";
import type { State } from "../session/state";
import { titleIn, type TranscriptFacts } from "../session/transcript-facts";

/**
 * What a transcript does to a report: it knows the title, what the model last read, and whether the user interrupted the
 * turn or refused what it asked for, of which no hook tells.
 *
 * @param told when the other sources last heard of the main agent
 */
export function weighTranscript(
  report: SessionReport,
  told: Seconds,
  facts: TranscriptFacts,
): { report: SessionReport; verdict: Verdict; why: string; at?: Seconds } {
  const known: SessionReport = { ...report, ...titleOf(report, facts), ...contextOf(report, facts) };
  const stoppedAt = facts.interruptedAt ?? facts.deniedAt;
  if (stoppedAt === undefined || stoppedAt < told || !TURNS.has(report.state)) {
    return { report: known, verdict: "adds", why: "It gives title and context.", ...at(facts.lastAnswerAt) };
  }
  delete known.tool;
  delete known.activity;
  delete known.message;
  delete known.waitingFor;
  delete known.turnStartedAt;
  const why = facts.interruptedAt === undefined ? "The user refused what it asked for." : "The user interrupted it.";
  return { report: { ...known, state: "idle", since: stoppedAt }, verdict: "overrules", why, at: stoppedAt };
}

/** What an interruption ends. */
const TURNS: ReadonlySet<State> = new Set<State>(["working", "compacting", "waiting", "decision"]);

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
