import { Alert, confirmAlert, Icon } from "@raycast/api";
import { cacheOf } from "../session/cache";
import { cacheText } from "../session/cache-text";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { carryOut } from "./carry-out";
import type { Told } from "./asked-text";
import { askAndFollow, endProcess, type Following } from "./asking";
import { refreshMenuBar } from "./menu-refresh";
import { confirmsWaking, contextAmount, shortTitle } from "./waking";

/** Has a session save where it stands; asks first when that wakes a cold one. */
export async function pauseSession(session: Session, following: Following): Promise<void> {
  if (!(await confirmsWaking(session, { doing: "Saving", verb: "Pause" }))) return;
  await askAndFollow({ kind: "save", sessions: [session.id], includeCold: isCold(session) }, following);
}

/**
 * Has a session save, then start fresh; asks first, since its context is cleared.
 *
 * @returns what came of it; undefined when the user did not want it
 */
export async function restartSession(session: Session, following: Following): Promise<Told | undefined> {
  if (!(await confirmsRestart(session))) return undefined;
  return askAndFollow({ kind: "save-restart", sessions: [session.id], includeCold: isCold(session) }, following);
}

/** Asks whether a session is to save and start fresh, with what that costs and what it needs. */
export function confirmsRestart(session: Session): Promise<boolean> {
  const parts = [
    "It saves where it stands; once that is proven, its context is cleared and it starts fresh.",
    session.plugin === undefined ? "Without the plugin in it, it only saves." : undefined,
    costText(session, nowSeconds()),
  ];
  return confirmAlert({
    title: `Save and Restart ${shortTitle(session)}?`,
    message: parts.filter((part) => part !== undefined).join(" "),
    icon: Icon.RotateClockwise,
    primaryAction: { title: "Save and Restart", style: Alert.ActionStyle.Default },
  });
}

/** Takes an armed restart back. */
export async function cancelRestart({ id }: Session, following: Following): Promise<void> {
  await askAndFollow({ kind: "cancel", sessions: [id] }, following);
}

/** Stops the turn that runs; asks first, since what it was doing stays half done. */
export async function stopSession(session: Session, following: Following): Promise<void> {
  const isConfirmed = await confirmAlert({
    title: `Stop ${shortTitle(session)}?`,
    message: "Its turn ends where it is. The session stays open.",
    icon: Icon.Stop,
    primaryAction: { title: "Stop", style: Alert.ActionStyle.Destructive },
  });
  if (isConfirmed) await askAndFollow({ kind: "interrupt", id: session.id }, following);
}

/** Ends a session's process; asks first. */
export async function killProcess(session: Session, { onRefresh }: Following): Promise<void> {
  const isConfirmed = await confirmAlert({
    title: `End the Process of ${shortTitle(session)}?`,
    message: `Process ${session.process?.pid ?? "unknown"} is ended. What it has not saved is lost.`,
    icon: Icon.XMarkCircle,
    primaryAction: { title: "End Process", style: Alert.ActionStyle.Destructive },
  });
  if (!isConfirmed) return;
  await carryOut("Ending Process…", () => endProcess(session.id), "Could Not End Process");
  await onRefresh();
  await refreshMenuBar();
}

function costText(session: Session, now: Seconds): string | undefined {
  const cache = cacheOf(session, now);
  if (cache.temperature !== "cold") return undefined;
  return `Waking it sends ${contextAmount(session)} anew: it has been ${cacheText(cache, now)}.`;
}

/** Whether waking a session was confirmed along with the rest: it is told as cold then. */
export function isCold(session: Session): boolean {
  return cacheOf(session, nowSeconds()).temperature === "cold";
}

function nowSeconds(): Seconds {
  return Date.now() / 1000;
}
