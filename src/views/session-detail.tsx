import { List } from "@raycast/api";
import { LOOKS, wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { colorOf } from "./state-icon";
import { exactTime, relativeTime } from "./time-text";

/** Everything known of a session: what it wants and does on top, the facts below. */
export function SessionDetail({ session, now }: { session: Session; now: Seconds }) {
  const { Label, Separator, TagList } = List.Item.Detail.Metadata;
  const look = LOOKS[session.state];
  const time = (at: Seconds) => `${relativeTime(at, now)} (${exactTime(at)})`;
  const background = Object.entries(session.background ?? {});
  const monitors = Object.entries(session.monitors ?? {});
  return (
    <List.Item.Detail
      markdown={markdownOf(session)}
      metadata={
        <List.Item.Detail.Metadata>
          <TagList title="State">
            <TagList.Item text={look.word} color={colorOf(look.tone)} />
            {session.unread && <TagList.Item text="Unread" color={colorOf("answer")} />}
          </TagList>
          <Label title="Since" text={time(session.since)} />
          {session.turnStartedAt !== undefined && <Label title="Turn Began" text={time(session.turnStartedAt)} />}
          {session.doneAt !== undefined && <Label title="Answered" text={time(session.doneAt)} />}
          {session.wakeupAt !== undefined && <Label title="Wakes Up" text={time(session.wakeupAt)} />}
          <Separator />
          <Label title="Agent" text={printable(session.surface ?? session.agent)} />
          {session.cwd !== undefined && <Label title="Folder" text={printable(session.cwd)} />}
          {session.permissionMode !== undefined && (
            <Label title="Permission Mode" text={printable(session.permissionMode)} />
          )}
          <Label title="ID" text={printable(session.sessionId)} />
          {(session.subagents > 0 || background.length > 0 || monitors.length > 0) && <Separator />}
          {session.subagents > 0 && <Label title="Subagents" text={String(session.subagents)} />}
          {background.map(([id, command]) => (
            <Label
              key={id}
              title={command.failedAt === undefined ? "Background Command" : "Failed Command"}
              text={[
                printable(command.command ?? id),
                command.exitCode === undefined ? undefined : `exit code ${command.exitCode}`,
                command.at === undefined ? undefined : relativeTime(command.failedAt ?? command.at, now),
              ]
                .filter((part) => part !== undefined)
                .join(", ")}
            />
          ))}
          {monitors.map(([id, { text, at }]) => (
            <Label
              key={id}
              title="Monitor"
              text={[printable(text), at === undefined ? undefined : relativeTime(at, now)]
                .filter((part) => part !== undefined)
                .join(", ")}
            />
          ))}
          <Separator />
          {session.evidence.map((evidence) => (
            <Label
              key={evidence.source + evidence.file}
              title={evidence.source === "status" ? "Status File" : "Agent Signal"}
              text={[
                evidence.unreadableSince === undefined
                  ? LOOKS[evidence.state].word
                  : `${LOOKS[evidence.state].word}, not readable for ${relativeTime(evidence.unreadableSince, now)}`,
                evidence.event === undefined ? undefined : printable(evidence.event),
                relativeTime(evidence.at, now),
              ]
                .filter((part) => part !== undefined)
                .join(", ")}
            />
          ))}
        </List.Item.Detail.Metadata>
      }
    />
  );
}

function markdownOf(session: Session): string {
  const want = session.message ?? wantOf(session);
  const doing = session.activity ?? session.tool;
  const parts = [
    fenced(session.title),
    want === undefined ? undefined : `**What It Wants**\n\n${fenced(want)}`,
    doing === undefined
      ? undefined
      : `**What It Does**\n\n${fenced(session.activity === undefined ? doing : [session.tool, doing].filter(Boolean).join(": "))}`,
  ];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

/**
 * A text as it is: in a code block whose fence is longer than any in the text, so that nothing in it is a link or a
 * picture, which the launcher would fetch.
 */
export function fenced(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${printable(text)}\n${fence}`;
}
