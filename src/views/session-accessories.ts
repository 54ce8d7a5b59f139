import { Icon, type List } from "@raycast/api";
import { cacheOf } from "../session/cache";
import { tokensText } from "../session/cache-text";
import { LOOKS, wantOf } from "../session/looks";
import type { BackgroundCommand, Seconds } from "../session/report";
import type { Session } from "../session/session";
import { cutText, printable } from "../session/text";
import { agentTitle, agentWithSurface } from "./agent-title";
import { colorOf, toneOf } from "./state-icon";
import { ageText, asOfText, exactTime, relativeTime } from "./time-text";

/** A tooltip names this many things; the detail pane names all. */
const NAMED = 3;

/**
 * What stands at the right of a row: what runs beside it, whose it is, its state, and since when.
 *
 * @param asOf when that was so, where it is of the last opening
 */
export function sessionAccessories(session: Session, now: Seconds, asOf?: Seconds): List.Item.Accessory[] {
  const { state, since, subagents, unread, unreadableSince, wakeupAt } = session;
  const background = Object.values(session.background ?? {});
  const failed = background.filter(hasFailed);
  const running = background.filter((command) => !hasFailed(command));
  const monitors = Object.values(session.monitors ?? {});
  const accessories: List.Item.Accessory[] = [];
  if (unreadableSince !== undefined) {
    accessories.push({
      icon: { source: Icon.ExclamationMark, tintColor: colorOf("doubt") },
      tooltip: `Its file cannot be read since ${exactTime(unreadableSince)}: this is the last good state`,
    });
  }
  if (subagents > 0) {
    accessories.push({
      icon: Icon.TwoPeople,
      text: String(subagents),
      tooltip: subagents === 1 ? "1 subagent" : `${subagents} subagents`,
    });
  }
  if (running.length > 0) {
    accessories.push({
      icon: Icon.Terminal,
      text: String(running.length),
      tooltip: `In the background: ${named(running.map(commandLine))}`,
    });
  }
  if (failed.length > 0) {
    accessories.push({
      icon: { source: Icon.XMarkCircle, tintColor: colorOf("urgent") },
      text: String(failed.length),
      tooltip: `Failed in the background: ${named(failed.map(commandLine))}`,
    });
  }
  if (monitors.length > 0) {
    accessories.push({
      icon: Icon.Eye,
      text: String(monitors.length),
      tooltip: `Monitors: ${named(monitors.map(({ text }) => text))}`,
    });
  }
  if (state === "scheduled" && wakeupAt !== undefined) {
    accessories.push({ text: relativeTime(wakeupAt, now), tooltip: `Wakes up ${exactTime(wakeupAt)}` });
  }
  const waking = wakingAccessory(session, now);
  if (waking !== undefined) accessories.push(waking);
  accessories.push({
    text: printable(agentTitle(session.agent)),
    tooltip: `Agent: ${printable(agentWithSurface(session))}`,
  });
  if (unread && state !== "done") {
    accessories.push({ tag: { value: "Unread", color: colorOf("answer") }, tooltip: "Its last answer is unread" });
  }
  const look = LOOKS[state];
  accessories.push({
    tag: { value: look.word, color: colorOf(state === "done" ? toneOf(session) : look.tone) },
    tooltip: asOfText(wantOf(session) ?? (state === "done" ? "Its answer is unread" : look.word), asOf, now),
  });
  accessories.push({ text: ageText(since, now), tooltip: `Since ${exactTime(since)}` });
  return accessories;
}

/** What a session at rest would have to read again, and whether that is still kept. */
function wakingAccessory(session: Session, now: Seconds): List.Item.Accessory | undefined {
  const tokens = session.context?.tokens;
  const cache = cacheOf(session, now);
  if (tokens === undefined || session.state === "dormant") return undefined;
  switch (cache.temperature) {
    case "warm":
      return {
        icon: Icon.Temperature,
        text: tokensText(tokens),
        tooltip: `Its ${tokensText(tokens)} tokens stay warm until ${exactTime(cache.until)}`,
      };
    case "cold":
      return {
        icon: Icon.Snowflake,
        text: tokensText(tokens),
        tooltip: `Cold: waking it sends ${tokensText(tokens)} tokens anew`,
      };
    case "active":
    case "none":
    case "unknown":
      return undefined;
    default:
      return cache satisfies never;
  }
}

/** What a row says of the time. */
export function timesOf(session: Session, now: Seconds): string {
  const { since, wakeupAt } = session;
  const wakesUp = wakeupAt === undefined ? "" : relativeTime(wakeupAt, now);
  return `${ageText(since, now)} ${wakesUp} ${cacheOf(session, now).temperature}`;
}

function hasFailed({ failedAt, exitCode }: BackgroundCommand): boolean {
  return failedAt !== undefined || (exitCode ?? 0) !== 0;
}

function commandLine({ command }: BackgroundCommand): string {
  return command ?? "a command";
}

function named(things: readonly string[]): string {
  const first = things.slice(0, NAMED).map((thing) => cutText(printable(thing), 80));
  const more = things.length - first.length;
  return more > 0 ? `${first.join("; ")}; ${more} more` : first.join("; ");
}
