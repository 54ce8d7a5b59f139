import { List } from "@raycast/api";
import { cacheOf } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import { LOOKS, wantOf } from "../session/looks";
import type { ContextFacts, Seconds } from "../session/report";
import { requestText } from "../session/request-text";
import type { Evidence, Session, Source } from "../session/session";
import { printable } from "../session/text";
import { agentWithSurface } from "./agent-title";
import { fenced } from "./plain-text";
import { colorOf } from "./state-icon";
import { exactTime, relativeTime } from "./time-text";

const { Label, Separator, TagList } = List.Item.Detail.Metadata;

const SOURCE_TITLES: Readonly<Record<Source, string>> = {
  events: "Reported Events",
  status: "Status File",
  signal: "Agent Signal",
  registry: "Registry",
  transcript: "Transcript",
};

/** Everything known of a session: what it wants and does on top, the facts below. */
export function SessionDetail({ session, now }: { session: Session; now: Seconds }) {
  const look = LOOKS[session.state];
  return (
    <List.Item.Detail
      markdown={markdownOf(session)}
      metadata={
        <List.Item.Detail.Metadata>
          <TagList title="State">
            <TagList.Item text={look.word} color={colorOf(look.tone)} />
            {session.unread && <TagList.Item text="Unread" color={colorOf("answer")} />}
          </TagList>
          <Moment title="Since" at={session.since} now={now} />
          <Moment title="Turn Began" at={session.turnStartedAt} now={now} />
          <Moment title="Answered" at={session.doneAt} now={now} />
          <Moment title="Wake-Up" at={session.wakeupAt} now={now} />
          <Fact title="Request" text={session.request === undefined ? undefined : requestText(session.request)} />
          <Separator />
          <Fact title="Agent" text={listed(agentWithSurface(session), session.live?.version)} />
          <Fact title="Name" text={session.live?.name} />
          <Fact title="Folder" text={session.cwd} />
          <Fact title="Configuration" text={session.configLabel} />
          <Fact title="Permission Mode" text={session.permissionMode} />
          <Fact title="ID" text={session.sessionId} />
          <Fact title="Process" text={processText(session)} />
          <Fact title="Also in This Process" text={session.sameProcess?.join(", ")} />
          <Waking session={session} now={now} />
          <Beside session={session} now={now} />
          <Separator />
          {session.evidence.map((evidence) => (
            <Fact
              key={evidence.source + evidence.file}
              title={SOURCE_TITLES[evidence.source]}
              text={evidenceText(evidence, now)}
            />
          ))}
        </List.Item.Detail.Metadata>
      }
    />
  );
}

/** What its model has to read to go on, and whether the provider still keeps that. */
function Waking({ session, now }: { session: Session; now: Seconds }) {
  const { context } = session;
  if (context === undefined) return null;
  const cache = cacheOf(session, now);
  return (
    <>
      <Separator />
      <Fact title="Model" text={context.model} />
      <Fact title="Context" text={contextText(context)} />
      <Fact title="Cache" text={capitalized(cacheText(cache, now))} />
      <Moment title="Model Last Answered" at={context.lastAnswerAt} now={now} />
    </>
  );
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
function Beside({ session, now }: { session: Session; now: Seconds }) {
  const background = Object.entries(session.background ?? {});
  const monitors = Object.entries(session.monitors ?? {});
  if (session.subagents === 0 && background.length === 0 && monitors.length === 0) return null;
  return (
    <>
      <Separator />
      {session.subagents > 0 && <Fact title="Subagents" text={subagentsText(session)} />}
      {background.map(([id, { command, at, failedAt, exitCode }]) => (
        <Fact
          key={`background ${id}`}
          title={failedAt === undefined && (exitCode ?? 0) === 0 ? "Background Command" : "Failed Command"}
          text={listed(
            command ?? id,
            exitCode === undefined ? undefined : `exit code ${exitCode}`,
            distance(failedAt ?? at, now),
          )}
        />
      ))}
      {monitors.map(([id, { text, at }]) => (
        <Fact key={`monitor ${id}`} title="Monitor" text={listed(text, distance(at, now))} />
      ))}
    </>
  );
}

function subagentsText({ subagents, runningSubagents = [] }: Session): string {
  const known = runningSubagents.map(({ id, type }) => (type === undefined ? id : `${type} ${id}`));
  return known.length === 0 ? String(subagents) : `${subagents}: ${known.join(", ")}`;
}

function Fact({ title, text }: { title: string; text: string | undefined }) {
  return text === undefined ? null : <Label title={title} text={printable(text)} />;
}

function Moment({ title, at, now }: { title: string; at: Seconds | undefined; now: Seconds }) {
  return at === undefined ? null : <Label title={title} text={`${relativeTime(at, now)} (${exactTime(at)})`} />;
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

function distance(at: Seconds | undefined, now: Seconds): string | undefined {
  return at === undefined ? undefined : relativeTime(at, now);
}

function listed(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(", ");
}

function markdownOf(session: Session): string {
  const want = session.message ?? wantOf(session);
  const doing = [session.tool, session.activity].filter((part) => part !== undefined).join(": ");
  return [
    fenced(session.title),
    ...(want === undefined ? [] : ["**What It Wants**", fenced(want)]),
    ...(doing === "" ? [] : ["**What It Does**", fenced(doing)]),
  ].join("\n\n");
}
