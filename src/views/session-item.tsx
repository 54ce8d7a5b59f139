import { Icon, List } from "@raycast/api";
import { ageOf, shortAge } from "../session/age";
import { LOOKS, wantOf } from "../session/looks";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { SessionActions, type ActionSurroundings } from "./session-actions";
import { SessionDetail } from "./session-detail";
import { colorOf, sessionIcon, toneOf } from "./state-icon";
import { exactTime, relativeTime } from "./time-text";

/** A row of the list. */
export function SessionItem({
  session,
  now,
  ...surroundings
}: { session: Session; now: Seconds } & ActionSurroundings) {
  const look = LOOKS[session.state];
  const { isShowingDetail } = surroundings;
  return (
    <List.Item
      id={session.id}
      icon={{ value: sessionIcon(session), tooltip: look.word }}
      title={printable(session.title)}
      subtitle={isShowingDetail ? undefined : subtitleOf(session)}
      keywords={keywordsOf(session)}
      accessories={isShowingDetail ? undefined : accessoriesOf(session, now)}
      detail={isShowingDetail ? <SessionDetail session={session} now={now} /> : undefined}
      actions={<SessionActions session={session} {...surroundings} />}
    />
  );
}

/** Where it works; for one that needs the user, also what it wants. */
function subtitleOf(session: Session): string | undefined {
  const want = session.needsYou ? (session.message ?? wantOf(session)) : undefined;
  const project = session.project === session.title ? undefined : session.project;
  const parts = [project, want].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : printable(parts.join(" – "));
}

function keywordsOf(session: Session): string[] {
  const words = [
    session.agent,
    session.surface,
    session.sessionId,
    session.project,
    LOOKS[session.state].word,
    session.unread ? "unread" : undefined,
    ...(session.cwd?.split(/[\\/]/) ?? []),
  ].filter((word) => word !== undefined && word !== "");
  return Array.from(new Set(words.map((word) => printable(word ?? ""))));
}

function accessoriesOf(session: Session, now: Seconds): List.Item.Accessory[] {
  const look = LOOKS[session.state];
  const background = Object.values(session.background ?? {});
  const failed = background.filter(({ failedAt, exitCode }) => failedAt !== undefined || (exitCode ?? 0) !== 0);
  const running = background.length - failed.length;
  const monitors = Object.values(session.monitors ?? {});
  const accessories: List.Item.Accessory[] = [];
  if (session.unreadableSince !== undefined) {
    accessories.push({
      icon: { source: Icon.ExclamationMark, tintColor: colorOf("doubt") },
      tooltip: `Its file could not be read since ${exactTime(session.unreadableSince)}: this is the last good state`,
    });
  }
  if (session.subagents > 0) {
    accessories.push({
      icon: Icon.TwoPeople,
      text: String(session.subagents),
      tooltip: counted(session.subagents, "subagent"),
    });
  }
  if (running > 0) {
    const commands = background
      .filter((each) => !failed.includes(each))
      .map(({ command }) => printable(command ?? "command"));
    accessories.push({
      icon: Icon.Terminal,
      text: String(running),
      tooltip: `In the background: ${commands.join("; ")}`,
    });
  }
  if (failed.length > 0) {
    accessories.push({
      icon: { source: Icon.XMarkCircle, tintColor: colorOf("urgent") },
      text: String(failed.length),
      tooltip: `Failed in the background: ${failed.map(({ command }) => printable(command ?? "command")).join("; ")}`,
    });
  }
  if (monitors.length > 0) {
    accessories.push({
      icon: Icon.Eye,
      text: String(monitors.length),
      tooltip: `Monitors: ${monitors.map(({ text }) => printable(text)).join("; ")}`,
    });
  }
  if (session.state === "scheduled" && session.wakeupAt !== undefined) {
    accessories.push({ text: relativeTime(session.wakeupAt, now), tooltip: `Wakes up ${exactTime(session.wakeupAt)}` });
  }
  accessories.push({
    text: printable(session.surface ?? session.agent),
    tooltip: `Agent: ${printable(session.surface ?? session.agent)}`,
  });
  if (session.unread && session.state !== "done") {
    accessories.push({ tag: { value: "Unread", color: colorOf("answer") }, tooltip: "Its last answer is unread" });
  }
  accessories.push({
    tag: { value: look.word, color: colorOf(session.state === "done" ? toneOf(session) : look.tone) },
    tooltip: wantOf(session) ?? look.word,
  });
  accessories.push({ text: shortAge(ageOf(session.since, now)), tooltip: `Since ${exactTime(session.since)}` });
  return accessories;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
