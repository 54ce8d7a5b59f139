import { ageOf, shortAge } from "../session/age";
import { LOOKS, wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { printable } from "../session/text";
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
    ["Subagents", session.subagents > 0 ? String(session.subagents) : undefined],
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
  const label = Math.max(...lines.filter(([, text]) => text).map(([name]) => name.length));
  const heading = `${look.sign} ${printable(session.title)}: ${look.word}${session.unread ? ", unread" : ""}`;
  const facts = lines
    .filter(([, text]) => text)
    .map(([name, text]) => `  ${toned(name.padEnd(label), "calm", color)}  ${printable(text ?? "")}\n`);
  return `${toned(heading, look.tone, color)}\n${facts.join("")}`;
}

function timeText(at: Seconds | undefined, now: Seconds): string | undefined {
  if (at === undefined) return undefined;
  const local = new Date(at * 1000).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "medium" });
  return at > now ? `${local} (in ${shortAge(at - now)})` : `${local} (${shortAge(ageOf(at, now))} ago)`;
}
