import { dialogRefusal } from "../control/at-prompt";
import { ControlFolder } from "../control/control-folder";
import { pluginRefusal } from "../control/plugin-receiver";
import type { ControlSurroundings } from "../control/surroundings";
import type { Way } from "../control/way";
import { codexQueueWay } from "../control/way-codex-queue";
import { opencodeWay } from "../control/way-opencode";
import { stopHookWay } from "../control/way-stop-hook";
import { terminalWay } from "../control/way-terminal";
import { cacheOf, isWarm } from "../session/cache";
import { cacheText, tokensText } from "../session/cache-text";
import type { Seconds } from "../session/report";
import { isPending, lastStep } from "../session/request-progress";
import type { Session } from "../session/session";

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

/** The ways to a session without a receiver, and the agents of which their refusal tells anything. */
const WAYS: readonly { way: Way; agents?: readonly string[] }[] = [
  { way: stopHookWay, agents: ["claude", "codex"] },
  { way: codexQueueWay, agents: ["codex"] },
  { way: opencodeWay, agents: ["opencode"] },
  { way: terminalWay },
];

/** Whether a session is meant by all: it is open, and somebody sits at it. */
export function isOpen({ state, headless }: Session): boolean {
  return state !== "dormant" && headless !== true;
}

/** Tells whom a save would reach, by the rules by which they are asked (`askSessions`); nothing is asked and nothing written. */
export async function reachOf(saving: Saving, now: Seconds, surroundings: ControlSurroundings): Promise<Reach> {
  const reach: Reach = { asked: [], leftOut: [], unreached: [] };
  for (const session of saving.sessions) {
    const spared = sparedFor(session, saving, now);
    if (spared !== undefined) {
      reach.leftOut.push({ session, reason: spared });
      continue;
    }
    const { refusal, onlySaves } = await refusalOf(session, now, surroundings);
    if (refusal === undefined) reach.asked.push({ session, onlySaves });
    else reach.unreached.push({ session, reason: refusal });
  }
  return reach;
}

/** What waking a cold session costs. */
export function wakingCost({ context }: Pick<Session, "context">): string {
  return `waking it reads ${context?.tokens === undefined ? "its whole context" : `about ${tokensText(context.tokens)} tokens`} again`;
}

function sparedFor(session: Session, { all, includeCold }: Saving, now: Seconds): string | undefined {
  if (session.state === "dormant") return undefined;
  const cache = cacheOf(session, now);
  if (cache.temperature === "none") return all ? "it has no answer yet: nothing to save" : undefined;
  if (isWarm(cache) || includeCold) return undefined;
  if (cache.temperature === "unknown") {
    return all ? `whether its context is still cached is not known; ${wakingCost(session)}` : undefined;
  }
  return `${cacheText(cache, now)}: ${wakingCost(session)}`;
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
  for (const { way, agents } of WAYS) {
    const refusal = way.refusal(session, "save");
    if (refusal === undefined) return { onlySaves: true };
    if (agents === undefined || agents.includes(session.agent)) reasons.push(refusal);
  }
  return { refusal: Array.from(new Set(reasons)).join("; "), onlySaves: true };
}
