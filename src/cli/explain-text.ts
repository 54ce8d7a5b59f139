import { shortAge } from "../session/age";
import { cacheOf } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import { LOOKS } from "../session/looks";
import type { ContextFacts, Seconds } from "../session/report";
import type { Evidence, Session, Source, Verdict } from "../session/session";
import { printable } from "../session/text";
import { momentText } from "./moment-text";
import { toned } from "./table";

const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  events: "Its reported events",
  status: "The status file",
  signal: "Agent Signal's document",
  registry: "The agent's registry",
  transcript: "The transcript",
};

const VERDICTS: Readonly<Record<Verdict, string>> = {
  stands: "counts",
  agrees: "agrees",
  overrules: "counts instead",
  overruled: "does not count",
  adds: "adds to it",
};

/** Why a session's row shows what it shows, in plain words: what each source said and when, and what came of it. */
export function explainText(session: Session, now: Seconds, color: boolean): string {
  const look = LOOKS[session.state];
  const heading = `${look.sign} ${printable(session.title)}: ${look.word}${session.unread ? ", unread" : ""} since ${momentText(session.since, now)}`;
  const sections: [title: string, lines: string[]][] = [
    ["What each source says", session.evidence.flatMap((evidence) => evidenceLines(evidence, now))],
    ["What comes of it", conclusions(session, now)],
    ["What waking it costs", costs(session, now)],
  ];
  const parts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) => `\n${toned(title, "calm", color)}\n${lines.map((line) => `  ${printable(line)}\n`).join("")}`,
    );
  return `${toned(heading, look.tone, color)}\n${parts.join("")}`;
}

function evidenceLines(evidence: Evidence, now: Seconds): string[] {
  const { source, state, event, at, verdict, why, unreadableSince, file } = evidence;
  const says = verdict === "adds" ? "" : ` ${source === "events" ? "say" : "says"} ${LOOKS[state].word.toLowerCase()}`;
  const heard = event === undefined ? momentText(at, now) : `${event}, ${momentText(at, now)}`;
  return [
    `${SOURCE_NAMES[source]}${says} (${heard}); it ${VERDICTS[verdict]}.${why === undefined || verdict === "agrees" ? "" : ` ${why}`}`,
    ...(unreadableSince === undefined
      ? []
      : [`  It cannot be read since ${momentText(unreadableSince, now)}: this is its last good word.`]),
    `  ${file}`,
  ];
}

function conclusions(session: Session, now: Seconds): string[] {
  const lines: string[] = [];
  const { process, liveness } = session;
  if (process !== undefined) {
    lines.push(
      liveness === "gone" && (session.sameProcess ?? []).length > 0
        ? `Its process ${process.pid} went on with another session: whatever the sources say, this one is over.`
        : liveness === "gone"
          ? `Its process ${process.pid} is gone: whatever the sources say, the session is over.`
          : liveness === "running"
            ? `Its process ${process.pid} runs.`
            : `Whether process ${process.pid} is still its own is not known.`,
    );
  } else if (liveness === "gone") {
    lines.push("No process holds it any more: whatever the sources say, the session is over.");
  } else lines.push("No process is known for certain, so only what was told counts.");
  if (session.doneAt !== undefined) {
    const read = session.unread ? "and was not seen since" : "and was seen, or is older than the first use";
    lines.push(`An answer finished ${momentText(session.doneAt, now)} ${read}.`);
  }
  if (session.state === "waitingForSubagents") lines.push(`It waits for ${session.subagents} of its subagents.`);
  if (session.state === "scheduled" && session.wakeupAt !== undefined) {
    lines.push(`It sleeps until ${momentText(session.wakeupAt, now)}.`);
  }
  for (const other of session.sameProcess ?? []) lines.push(`The same process also ran ${other}.`);
  return lines;
}

function costs(session: Session, now: Seconds): string[] {
  const cache = cacheOf(session, now);
  const { context, cacheTtl } = session;
  if (cache.temperature === "unknown" && context === undefined) return [];
  const kept =
    cacheTtl === undefined
      ? "How long its context is kept is not known."
      : `Its context is kept ${shortAge(cacheTtl.ttl)} after an answer (${TTL_SOURCES[cacheTtl.ttlFrom]}).`;
  const last = context?.lastAnswerAt;
  return [
    `${contextText(context)}: ${cacheText(cache, now)}.`,
    kept,
    ...(last === undefined ? [] : [`Its model last answered ${momentText(last, now)}.`]),
  ];
}

function contextText(context: ContextFacts | undefined): string {
  if (context?.tokens === undefined) return "Its context";
  return `${tokensText(context.tokens)} tokens${context.model === undefined ? "" : ` of ${context.model}`}`;
}

const TTL_SOURCES = {
  preference: "your preference",
  session: "as the session's own figures tell",
  assumed: "as is usual for the agent",
} as const;
