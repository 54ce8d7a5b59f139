import { dialogRefusal } from "../control/at-prompt";
import { ControlFolder } from "../control/control-folder";
import { pluginRefusal } from "../control/plugin-receiver";
import type { ControlSurroundings } from "../control/surroundings";
import { isOfUse, WAYS } from "../control/ways";
import type { Seconds } from "../session/report";
import { isPending, lastStep } from "../session/request-progress";
import type { Session } from "../session/session";
import { sparedFromSave } from "../session/spared";

/** What is to be asked of whom. */
export interface Saving {
  /** The sessions that are meant; whether all were. */
  sessions: readonly Session[];
  all: boolean;
  includeCold: boolean;
}

/** Whom a save would reach, whom it would leave asleep, whom it would not reach, and why. */
export interface Reach {
  asked: { session: Session; /** It only saves, whatever else is asked of it. */ onlySaves: boolean }[];
  leftOut: { session: Session; reason: string }[];
  unreached: { session: Session; reason: string }[];
}

/** Tells whom a save would reach, by the rules by which they are asked (`askSessions`); nothing is asked and nothing written. */
export async function reachOf(saving: Saving, now: Seconds, surroundings: ControlSurroundings): Promise<Reach> {
  const reach: Reach = { asked: [], leftOut: [], unreached: [] };
  for (const session of saving.sessions) {
    const spared = sparedFromSave(session, saving, now);
    if (spared !== undefined) {
      reach.leftOut.push({ session, reason: spared.reason });
      continue;
    }
    const { refusal, onlySaves } = await refusalOf(session, now, surroundings);
    if (refusal === undefined) reach.asked.push({ session, onlySaves });
    else reach.unreached.push({ session, reason: refusal });
  }
  return reach;
}

async function refusalOf(
  session: Session,
  now: Seconds,
  surroundings: ControlSurroundings,
): Promise<{ refusal?: string; onlySaves: boolean }> {
  const closed = session.state === "dormant" ? "it has ended" : dialogRefusal(session);
  if (closed !== undefined) return { refusal: closed, onlySaves: false };
  const { request } = session;
  if (request !== undefined && isPending(request, now) && request.kind !== "cancel" && request.kind !== "interrupt") {
    return { refusal: `it was asked already, and that still runs (${lastStep(request).outcome})`, onlySaves: false };
  }
  const withoutPlugin = await pluginRefusal(session, new ControlFolder(surroundings.home), surroundings);
  if (withoutPlugin === undefined) return { onlySaves: false };
  const reasons = session.agent === "claude" ? [withoutPlugin] : [];
  for (const way of WAYS) {
    const refusal = way.refusal(session, "save");
    if (refusal === undefined) return { onlySaves: true };
    if (isOfUse(way, session, "save")) reasons.push(refusal);
  }
  return { refusal: Array.from(new Set(reasons)).join("; "), onlySaves: true };
}
