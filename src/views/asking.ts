import { showToast, Toast } from "@raycast/api";
import { followAsked, invokeKill, invokeRequest, type LauncherRequest } from "../cli/invoke-request";
import { reasonOf, SessionsError } from "../session/failure";
import type { RequestKind } from "../session/request";
import { requestText } from "../session/request-text";
import { cutText, printable } from "../session/text";
import { ASKING, toldOf, type Told } from "./asked-text";
import { refreshMenuBar } from "./menu-refresh";
import { preferencesAction } from "./open-preferences";
import { settingsToAct } from "./settings";
import { shortTitle } from "./waking";

/** How long what was asked is followed, in milliseconds: a save is a turn of its own, the rest is done at once. */
export const FOLLOWED_MS: Readonly<Record<RequestKind, number>> = {
  save: 120_000,
  "save-restart": 120_000,
  "save-auto": 120_000,
  cancel: 10_000,
  interrupt: 10_000,
  prompt: 10_000,
};

/** Who sees how it goes. */
export interface Following {
  /** Looks at every source again: a row shows how far a request came. */
  onRefresh: () => Promise<void>;
}

/**
 * Asks sessions for something, with a toast that says how far they came, then what came of it.
 *
 * @returns what came of it
 */
export async function askAndFollow(request: LauncherRequest, { onRefresh }: Following): Promise<Told> {
  const { kind } = request;
  const toast = await showToast({ style: Toast.Style.Animated, title: ASKING[kind].doing });
  const told = await outcomeOf(request, toast, onRefresh);
  Object.assign(toast, {
    style: told.outcome === "failed" ? Toast.Style.Failure : Toast.Style.Success,
    title: told.title,
    message: told.message,
  });
  await onRefresh();
  await refreshMenuBar();
  return told;
}

async function outcomeOf(request: LauncherRequest, toast: Toast, onRefresh: () => Promise<void>): Promise<Told> {
  try {
    const { invoker } = settingsToAct();
    const report = await invokeRequest(request, invoker);
    if (report.reached.length > 0) {
      await onRefresh();
      await followAsked(report, invoker, FOLLOWED_MS[request.kind], ({ title, request: step }) => {
        const text = printable(requestText(step));
        toast.message = cutText(report.reached.length === 1 ? text : `${shortTitle({ title })}: ${text}`, 120);
      });
    }
    return toldOf(report);
  } catch (error) {
    Object.assign(toast, preferencesAction(error));
    return { outcome: "failed", title: ASKING[request.kind].failed, message: printable(reasonOf(error)) };
  }
}

/** Ends a session's process, and gives what to say of it. Whoever calls it has asked the user. */
export async function endProcess(id: string): Promise<string> {
  const killed = await invokeKill(id, settingsToAct().invoker);
  if (killed.outcome === "refused") throw new SessionsError("refused", `Nothing was ended: ${killed.reason}.`);
  return killed.by === "SIGKILL" ? "Process Ended, Not by Itself" : "Process Ended";
}
