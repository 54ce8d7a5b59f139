import { cacheOf } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import { LOOKS, wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { requestText } from "../session/request-text";
import { momentText } from "./moment-text";
import { toned } from "./table";

/** Everything that is known of a session, for a person: a heading and a line a fact. Times are local, ages relative. */
export function detailText(session: Session, now: Seconds, color: boolean): string {
  const look = LOOKS[session.state];
  const lines: [label: string, text: string | undefined][] = [
    ["Wants", session.message ?? wantOf(session)],
    [
      "Does",
      session.activity === undefined ? session.tool : [session.tool, session.activity].filter(Boolean).join(": "),
    ],
    ["Agent", session.surface ?? session.agent],
    ["ID", session.id],
    ["Folder", session.cwd],
    ["Mode", session.permissionMode],
    ["Since", timeText(session.since, now)],
    ["Turn began", timeText(session.turnStartedAt, now)],
    ["Answered", timeText(session.doneAt, now)],
    ["Wakes up", timeText(session.wakeupAt, now)],
    ["Name", session.live?.name],
    ["Version", session.live?.version],
    ["Config", session.configLabel],
    ["Process", session.process === undefined ? undefined : `${session.process.pid}, ${session.liveness ?? "unknown"}`],
    ["Context", contextText(session)],
    ["Cache", session.context === undefined ? undefined : cacheText(cacheOf(session, now), now)],
    ["Request", session.request === undefined ? undefined : requestText(session.request)],
    ["Same process", session.sameProcess?.join(", ")],
    ["Subagents", subagentsText(session)],
    ...Object.entries(session.background ?? {}).map(([id, command]): [string, string] => [
      "Background",
      [
        command.command ?? id,
        command.exitCode === undefined ? command.status : `exit code ${command.exitCode}`,
        timeText(command.failedAt ?? command.at, now),
      ]
        .filter(Boolean)
        .join(", "),
    ]),
    ...Object.values(session.monitors ?? {}).map(({ text, at }): [string, string] => [
      "Monitor",
      [text, timeText(at, now)].filter(Boolean).join(", "),
    ]),
    ...session.evidence.map((evidence): [string, string] => [
      "Source",
      [
        `${evidence.source}: ${LOOKS[evidence.state].word.toLowerCase()}`,
        evidence.event,
        timeText(evidence.at, now),
        evidence.unreadableSince === undefined
          ? undefined
          : `not readable since ${timeText(evidence.unreadableSince, now)}`,
        evidence.file,
      ]
        .filter(Boolean)
        .join(", "),
    ]),
  ];
  const label = lines.reduce((most, [name, text]) => (text ? Math.max(most, name.length) : most), 0);
  const heading = `${look.sign} ${printable(session.title)}: ${look.word}${session.unread ? ", unread" : ""}`;
  const facts = lines
    .filter(([, text]) => text)
    .map(([name, text]) => `  ${toned(name.padEnd(label), "calm", color)}  ${printable(text ?? "")}\n`);
  return `${toned(heading, look.tone, color)}\n${facts.join("")}`;
}

/** What its model last read. */
function contextText({ context }: Session): string | undefined {
  if (context?.tokens === undefined) return context?.model;
  const share = context.window === undefined ? "" : ` of ${tokensText(context.window)}`;
  return `${tokensText(context.tokens)}${share} tokens${context.model === undefined ? "" : `, ${context.model}`}`;
}

/** The subagents that run, by id where they are known. */
function subagentsText({ subagents, runningSubagents }: Session): string | undefined {
  if (subagents === 0) return undefined;
  const known = (runningSubagents ?? []).map(({ id, type }) => (type === undefined ? id : `${type} ${id}`));
  return known.length === 0 ? String(subagents) : known.join(", ");
}

function timeText(at: Seconds | undefined, now: Seconds): string | undefined {
  return at === undefined ? undefined : momentText(at, now);
}
