import { Alert, confirmAlert, Icon } from "@raycast/api";
import { cacheOf } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { cutText, printable } from "../session/text";

/** A title in an alert or a message is no longer than this. */
const TITLE_LIMIT = 60;

/** What a session is called where there is room for little. */
export function shortTitle({ title }: Pick<Session, "title">): string {
  return cutText(printable(title), TITLE_LIMIT);
}

/** What a session's model has to read anew when it is woken: `120k tokens`, or all of it where that is not known. */
export function contextAmount({ context }: Pick<Session, "context">): string {
  return context?.tokens === undefined ? "its whole context" : `${tokensText(context.tokens)} tokens`;
}

/**
 * Asks before a cold session is woken: its whole context is paid for again. A warm one costs no more than its new words, so
 * nothing is asked.
 *
 * @param doing what would wake it: `Resuming`
 * @returns whether to go on
 */
export async function confirmsWaking(
  session: Session,
  { doing, verb }: { doing: string; verb: string },
  now: Seconds = Date.now() / 1000,
): Promise<boolean> {
  const cache = cacheOf(session, now);
  if (cache.temperature !== "cold") return true;
  return confirmAlert({
    title: `${verb} ${shortTitle(session)}?`,
    message: `${doing} sends ${contextAmount(session)} anew: it has been ${cacheText(cache, now)}.`,
    icon: Icon.Snowflake,
    primaryAction: { title: verb, style: Alert.ActionStyle.Default },
  });
}
