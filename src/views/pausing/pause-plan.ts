import { dialogRefusal } from "../../control/at-prompt";
import { cacheOf, isWarm } from "../../session/cache";
import { cacheText } from "../../session/cache-text";
import type { Seconds } from "../../session/report";
import { isPending, isSave } from "../../session/request-progress";
import { requestText } from "../../session/request-text";
import type { Session } from "../../session/session";
import { sortByCold } from "../../session/sort";
import { isAttended } from "../../session/spared";
import { contextAmount } from "../waking";

/** What a session that is open may be asked, before anybody is. */
export interface PauseRow {
  session: Session;
  /** `asked`: it will be; `cold`: only when the user says so; `left-out`: there is nothing to ask, or no way. */
  group: "asked" | "cold" | "left-out";
  /** What saving costs it, or why it is not asked, for a row. */
  note: string;
}

/**
 * Whom a pause of all will reach, whom not, and why; what goes cold next stands first. By the rules of the command's
 * `pause --all`; whether there is a way to a session shows when it is asked.
 */
export function pausePlan(sessions: readonly Session[], now: Seconds): PauseRow[] {
  const open = sessions.filter(isAttended);
  return sortByCold(open, now).map((session) => ({ session, ...placeOf(session, now) }));
}

function placeOf(session: Session, now: Seconds): Omit<PauseRow, "session"> {
  const { request } = session;
  if (request !== undefined && isSave(request.kind) && isPending(request, now)) {
    return { group: "left-out", note: `Asked already: ${requestText(request)}` };
  }
  const dialog = dialogRefusal(session);
  if (dialog !== undefined) return { group: "left-out", note: capitalized(dialog) };
  const cache = cacheOf(session, now);
  if (isWarm(cache)) return { group: "asked", note: capitalized(cacheText(cache, now)) };
  if (cache.temperature === "none") return { group: "left-out", note: "No answer yet: nothing to save" };
  const cost = `waking it sends ${contextAmount(session)} anew`;
  const what =
    cache.temperature === "unknown" ? "Whether it is still cached is not known" : capitalized(cacheText(cache, now));
  return { group: "cold", note: `${what}: ${cost}` };
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
