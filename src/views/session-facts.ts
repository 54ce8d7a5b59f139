import type { Color } from "@raycast/api";
import { cacheOf } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import { LOOKS } from "../session/looks";
import type { ContextFacts, Seconds } from "../session/report";
import { requestText } from "../session/request-text";
import type { Evidence, Session, Source } from "../session/session";
import { printable } from "../session/text";
import { agentWithSurface } from "./agent-title";
import { colorOf } from "./state-icon";
import { exactTime, relativeTime } from "./time-text";

/** What stands beside a session's texts: a fact, tags, or a line between groups. */
export type Fact =
  | { kind: "text"; title: string; text: string }
  | { kind: "tags"; title: string; tags: readonly { text: string; color: Color }[] }
  | { kind: "line" };

const SOURCE_TITLES: Readonly<Record<Source, string>> = {
  events: "Reported Events",
  status: "Status File",
  signal: "Agent Signal",
  registry: "Registry",
  transcript: "Transcript",
};

/**
 * Everything known of a session but its texts, in groups.
 *
 * @param asOf when that was so, where it is of the last opening
 */
export function factsOf(session: Session, now: Seconds, asOf?: Seconds): Fact[] {
  const groups = [
    stateFacts(session, now, asOf),
    identityFacts(session),
    wakingFacts(session, now),
    besideFacts(session, now),
    session.evidence.flatMap((evidence) => fact(SOURCE_TITLES[evidence.source], evidenceText(evidence, now))),
  ].filter((group) => group.length > 0);
  return groups.flatMap((group, index): Fact[] => (index === 0 ? group : [{ kind: "line" }, ...group]));
}

function stateFacts(session: Session, now: Seconds, asOf: Seconds | undefined): Fact[] {
  const { state, unread, since, turnStartedAt, doneAt, wakeupAt, request } = session;
  const { word, tone } = LOOKS[state];
  const tags = [
    { text: word, color: colorOf(tone) },
    ...(unread ? [{ text: "Unread", color: colorOf("answer") }] : []),
  ];
  return [
    { kind: "tags", title: "State", tags },
    ...moment("Last Known", asOf, now),
    ...moment("Since", since, now),
    ...moment("Turn Began", turnStartedAt, now),
    ...moment("Answered", doneAt, now),
    ...moment("Wake-Up", wakeupAt, now),
    ...fact("Request", request === undefined ? undefined : requestText(request)),
  ];
}

function identityFacts(session: Session): Fact[] {
  return [
    ...fact("Agent", listed(agentWithSurface(session), session.live?.version)),
    ...fact("Name", session.live?.name),
    ...fact("Folder", session.cwd),
    ...fact("Configuration", session.configLabel),
    ...fact("Permission Mode", session.permissionMode),
    ...fact("ID", session.sessionId),
    ...fact("Process", processText(session)),
    ...fact("Also in This Process", session.sameProcess?.join(", ")),
  ];
}

/** What its model has to read to go on, and whether the provider still keeps that. */
function wakingFacts(session: Session, now: Seconds): Fact[] {
  const { context } = session;
  if (context === undefined) return [];
  return [
    ...fact("Model", context.model),
    ...fact("Context", contextText(context)),
    ...fact("Cache", capitalized(cacheText(cacheOf(session, now), now))),
    ...moment("Model Last Answered", context.lastAnswerAt, now),
  ];
}

/** Ten squares for the whole window, where it is known. */
function contextText({ tokens, window }: ContextFacts): string | undefined {
  if (tokens === undefined) return undefined;
  if (window === undefined) return `${tokensText(tokens)} tokens`;
  const full = Math.min(10, Math.max(0, Math.round((tokens / window) * 10)));
  return `${"▰".repeat(full)}${"▱".repeat(10 - full)} ${tokensText(tokens)} of ${tokensText(window)}`;
}

function processText({ process, liveness }: Session): string | undefined {
  if (process === undefined) return undefined;
  const word = liveness === "running" ? "runs" : liveness === "gone" ? "is gone" : "not known to run";
  return `${process.pid}, ${word}`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What runs beside the session's own turn. */
function besideFacts(session: Session, now: Seconds): Fact[] {
  const commands = Object.entries(session.background ?? {});
  const monitors = Object.values(session.monitors ?? {});
  return [
    ...(session.subagents > 0 ? fact("Subagents", subagentsText(session)) : []),
    ...commands.flatMap(([id, { command, at, failedAt, exitCode }]) =>
      fact(
        failedAt === undefined && (exitCode ?? 0) === 0 ? "Background Command" : "Failed Command",
        listed(
          command ?? id,
          exitCode === undefined ? undefined : `exit code ${exitCode}`,
          distance(failedAt ?? at, now),
        ),
      ),
    ),
    ...monitors.flatMap(({ text, at }) => fact("Monitor", listed(text, distance(at, now)))),
  ];
}

function subagentsText({ subagents, runningSubagents = [] }: Session): string {
  const known = runningSubagents.map(({ id, type }) => (type === undefined ? id : `${type} ${id}`));
  return known.length === 0 ? String(subagents) : `${subagents}: ${known.join(", ")}`;
}

function evidenceText({ state, verdict, why, unreadableSince, event, at }: Evidence, now: Seconds): string {
  return listed(
    verdict === "adds" ? undefined : LOOKS[state].word,
    verdict === "overruled" ? "overruled" : undefined,
    event,
    distance(at, now),
    unreadableSince === undefined ? undefined : `cannot be read since ${exactTime(unreadableSince)}`,
    verdict === "overrules" || verdict === "overruled" ? why : undefined,
  );
}

function fact(title: string, text: string | undefined): Fact[] {
  return text === undefined ? [] : [{ kind: "text", title, text: printable(text) }];
}

function moment(title: string, at: Seconds | undefined, now: Seconds): Fact[] {
  return fact(title, at === undefined ? undefined : `${relativeTime(at, now)} (${exactTime(at)})`);
}

function distance(at: Seconds | undefined, now: Seconds): string | undefined {
  return at === undefined ? undefined : relativeTime(at, now);
}

function listed(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(", ");
}
