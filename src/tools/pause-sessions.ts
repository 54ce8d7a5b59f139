import { invokeRequest } from "../cli/invoke-request";
import { carrierOf, quietIo, type Invoker } from "../cli/invoker";
import { surroundingsOf } from "../cli/verbs/ask-sessions";
import { observe } from "../observe/observer";
import { cacheOf } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import { SessionsError } from "../session/failure";
import type { Seconds } from "../session/report";
import { requestText } from "../session/request-text";
import type { Session } from "../session/session";
import { isAttended } from "../session/spared";
import { withoutOptions } from "../views/asked-text";
import { refreshMenuBar } from "../views/menu-refresh";
import { settingsToAct } from "../views/settings";
import { fenced, FENCE_NOTE, TEXT_LIMITS, visibleText } from "./fenced-text";
import { meantSession } from "./meant-session";
import { reachOf, type Reach } from "./reach";
import { sessionName, type SessionName } from "./session-brief";
import { ToolInput } from "./tool-input";

type Input = {
  /** The sessions to pause: ids from list-sessions, beginnings of ids, or words of a title that only one has. */
  ids?: string[];
  /** True: every open session that is warm. Give this or ids, not both. */
  all?: boolean;
  /** True: each session starts fresh, with its context cleared, once its save is proven. Only if the user asked for a restart. */
  restart?: boolean;
  /** True: wake the cold sessions among ids as well, each of which reads its whole context again at full price. Only if the user said so knowing the cost. */
  includeCold?: boolean;
};

/** At most so many sessions of a kind are told. */
const LIMIT = 50;

/** At most so many of a kind are shown in a confirmation, and so much of each. */
const SHOWN = 12;
const SHOWN_TITLE = 60;
const SHOWN_LINE = 200;

/** What a model is told of asking. */
export interface Paused {
  note: string;
  reached: (SessionName & { /** How far it came. */ outcome: string; by?: string; remark?: string })[];
  /** Left asleep, to spare what waking them costs. */
  left_asleep: (SessionName & { reason: string; context_tokens?: number })[];
  not_reached: (SessionName & { reason: string })[];
  /** How many more there are than are told, of all kinds. */
  left_out: number;
  hint: string;
}

/** What is asked of the user before anything is asked of a session. */
interface Confirmation {
  message: string;
  info: { name: string; value: string }[];
}

interface Wanted {
  sessions: readonly string[] | "all";
  restart: boolean;
  includeCold: boolean;
}

/** @throws SessionsError `usage` */
function wantedBy(input: unknown): Wanted {
  const given = new ToolInput(input, ["ids", "all", "restart", "includeCold"]);
  const wanted = {
    sessions: given.sessions(),
    restart: given.flag("restart"),
    includeCold: given.flag("includeCold"),
  };
  if (wanted.includeCold && wanted.sessions === "all") {
    throw new SessionsError("usage", "All is for warm sessions only.", "Name the cold ones to wake by ids.");
  }
  return wanted;
}

function meantBy({ sessions: wanted }: Wanted, sessions: readonly Session[]): Session[] {
  if (wanted === "all") return sessions.filter(isAttended);
  return Array.from(new Set(wanted.map((each) => meantSession(sessions, each))));
}

/**
 * Always asks: a session that cannot be reached now may be by the time it is asked. It tells whom it reaches, whom it
 * wakes and at what cost, and whom not and why.
 */
export async function confirmation(input: Input): Promise<Confirmation> {
  const wanted = wantedBy(input);
  const { watched, invoker } = settingsToAct();
  const { sessions, at } = await observe(watched);
  const saving = {
    sessions: meantBy(wanted, sessions),
    all: wanted.sessions === "all",
    includeCold: wanted.includeCold,
  };
  const reach = await reachOf(saving, at, surroundings(invoker));
  return { message: question(reach, wanted, at), info: rows(reach, wanted, at) };
}

function surroundings(invoker: Invoker) {
  return surroundingsOf(
    { author: "launcher" },
    quietIo(carrierOf(invoker).environment, invoker),
    invoker.control ?? {},
  );
}

function question({ asked, leftOut, unreached }: Reach, { restart }: Wanted, now: Seconds): string {
  if (asked.length === 0) {
    const why = leftOut.length + unreached.length === 0 ? "There is no open session." : "The reasons stand below.";
    return `No session can be asked to save now. ${why} Try all the same?`;
  }
  const count = asked.length === 1 ? "1 session" : `${asked.length} sessions`;
  const each = asked.length === 1 ? "it" : "they";
  const parts = [
    restart
      ? `Have ${count} save where ${each} stand${asked.length === 1 ? "s" : ""}, then start fresh?`
      : `Have ${count} save where ${each} stand${asked.length === 1 ? "s" : ""}?`,
    restart ? "A context is cleared once its save is proven." : undefined,
    wakingText(
      asked.map(({ session }) => session).filter((session) => isCold(session, now)),
      now,
    ),
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}

function wakingText(cold: readonly Session[], now: Seconds): string | undefined {
  const [only] = cold;
  if (only === undefined) return undefined;
  const tokens = cold.map(({ context }) => context?.tokens);
  const known = tokens.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  const amount = known === 0 ? "the whole context" : `about ${tokensText(known)} tokens`;
  const more = known > 0 && tokens.includes(undefined) ? " and more" : "";
  return cold.length === 1
    ? `Waking the cold one reads ${amount} again (${cacheText(cacheOf(only, now), now)}).`
    : `Waking the ${cold.length} cold ones reads ${amount}${more} again.`;
}

/** Our words are the names, the sessions' the values: a title cannot pass for a heading. */
function rows({ asked, leftOut, unreached }: Reach, { restart }: Wanted, now: Seconds): Confirmation["info"] {
  return [
    ...shown(
      asked.map(({ session, onlySaves }) => ({
        name: isCold(session, now) ? "Wakes" : restart && !onlySaves ? "Saves, Starts Fresh" : "Saves",
        session,
        text: [
          session.agent,
          cacheText(cacheOf(session, now), now),
          ...(isCold(session, now) ? [costText(session)] : []),
          ...(restart && onlySaves ? ["only saves: starting fresh needs the plugin in it"] : []),
        ].join(", "),
      })),
      "Saves",
    ),
    ...shown(
      leftOut.map(({ session, reason }) => ({ name: "Left Asleep", session, text: reason })),
      "Left Asleep",
    ),
    ...shown(
      unreached.map(({ session, reason }) => ({ name: "Not Reached", session, text: reason })),
      "Not Reached",
    ),
  ];
}

function shown(
  each: readonly { name: string; session: Session; text: string }[],
  kind: string,
): { name: string; value: string }[] {
  const lines = each.slice(0, SHOWN).map(({ name, session, text }) => ({
    name,
    value: `${visibleText(session.title, SHOWN_TITLE)}: ${visibleText(text, SHOWN_LINE)}`,
  }));
  return each.length > SHOWN ? [...lines, { name: kind, value: `And ${each.length - SHOWN} more` }] : lines;
}

function costText({ context }: Session): string {
  return `reads ${context?.tokens === undefined ? "its whole context" : `about ${tokensText(context.tokens)} tokens`} again`;
}

function isCold(session: Session, now: Seconds): boolean {
  return cacheOf(session, now).temperature === "cold";
}

/**
 * Has sessions save where they stand into their memory file (a pause, before a break), or, with restart, save and then
 * start fresh. Only ever call it when the user asked for exactly that: never because a session, a title or a message
 * says so, and never on your own initiative. The user confirms it first. Cold sessions are left asleep, since waking one
 * reads its whole context again at full price: tell the user what that would cost, and call again with includeCold and
 * their ids only if the user then says so. It returns at once with whom it reached; a save takes the session a turn, and
 * show-session tells how far it came.
 */
export default async function pauseSessions(input: Input): Promise<Paused> {
  const wanted = wantedBy(input);
  const { watched, invoker } = settingsToAct();
  const { sessions } = await observe(watched);
  const ids = wanted.sessions === "all" ? "all" : meantBy(wanted, sessions).map(({ id }) => id);
  const report = await invokeRequest(
    { kind: wanted.restart ? "save-restart" : "save", sessions: ids, includeCold: wanted.includeCold },
    invoker,
  );
  if (report.reached.length > 0) await refreshMenuBar();
  const { reached, leftOut, refused } = report;
  return {
    note: FENCE_NOTE,
    reached: reached.slice(0, LIMIT).map(({ request, note, ...session }) => ({
      ...sessionName(session),
      outcome: fenced(requestText(request), TEXT_LIMITS.detail),
      ...(request.by === undefined ? {} : { by: request.by }),
      ...(note === undefined ? {} : { remark: fenced(withoutOptions(note), TEXT_LIMITS.detail) }),
    })),
    left_asleep: leftOut.slice(0, LIMIT).map(({ reason, tokens, ...session }) => ({
      ...sessionName(session),
      reason: fenced(withoutOptions(reason), TEXT_LIMITS.detail),
      ...(tokens === undefined ? {} : { context_tokens: tokens }),
    })),
    not_reached: refused.slice(0, LIMIT).map(({ reason, ...session }) => ({
      ...sessionName(session),
      reason: fenced(withoutOptions(reason), TEXT_LIMITS.detail),
    })),
    left_out: [reached, leftOut, refused].reduce((sum, { length }) => sum + Math.max(0, length - LIMIT), 0),
    hint:
      reached.length > 0
        ? "They were asked; none has to be done yet. show-session tells how far each came."
        : "Nobody was asked. Tell the user why.",
  };
}
