import { Clipboard, showToast, Toast } from "@raycast/api";
import { invokeFocus, invokeResume, type GoingOffer, type GoingOutcome } from "../cli/invoke-focus";
import { reasonOf } from "../session/failure";
import type { Session } from "../session/session";
import { printable } from "../session/text";
import { asTitle, leaveWith } from "./leaving";
import { toastActions } from "./offers";
import { preferencesAction } from "./open-preferences";
import { settingsToAct } from "./settings";
import { chosenTerminal } from "./terminal-choice";
import { confirmsWaking, shortTitle } from "./waking";

/**
 * Goes to a session. Where it is not certain, a toast says why and offers what is.
 *
 * @returns what is offered in its place; none once it is in front
 */
export async function goToSession(session: Session): Promise<readonly GoingOffer[]> {
  const toast = await showToast({ style: Toast.Style.Animated, title: "Going to Session…" });
  let outcome: GoingOutcome;
  try {
    outcome = await invokeFocus(session.id, settingsToAct().invoker);
  } catch (error) {
    fail(toast, "Could Not Go to Session", reasonOf(error), preferencesAction(error));
    return [];
  }
  const isThere = outcome.outcome === "focused" || outcome.outcome === "opened";
  if (isThere) {
    await toast.hide();
    await leaveWith(wentText(outcome, session));
    return [];
  }
  const title = outcome.outcome === "failed" ? "Could Not Go to Session" : "Not Certain Where It Runs";
  fail(toast, title, goingReason(outcome), toastActions(outcome.offers));
  return outcome.offers;
}

/** Where one came, for a HUD: at the session itself, or as near as its terminal allows. */
export function wentText({ outcome, what }: GoingOutcome, session: Pick<Session, "title">): string {
  return outcome === "focused" ? `Went to ${shortTitle(session)}` : asTitle(what);
}

/** Why one is not there, and what was done all the same. */
export function goingReason({ what, reason }: Pick<GoingOutcome, "what" | "reason">): string {
  return reason === undefined ? what : `${reason} ${what}`;
}

/** Resumes an ended session in the terminal of the user's choice; asks first when that costs its whole context. */
export async function resumeSession(session: Session): Promise<void> {
  if (!(await confirmsWaking(session, { doing: "Resuming", verb: "Resume" }))) return;
  const toast = await showToast({ style: Toast.Style.Animated, title: "Resuming Session…" });
  try {
    const outcome = await invokeResume(session.id, chosenTerminal(), settingsToAct().invoker);
    switch (outcome.outcome) {
      case "started":
        await toast.hide();
        return await leaveWith(asTitle(outcome.what));
      case "opened":
        // Its terminal takes no command from outside.
        await Clipboard.copy(printable(outcome.text));
        await toast.hide();
        return await leaveWith(`${asTitle(outcome.what)}: Paste the Copied Command`);
      case "failed": {
        const offer = { kind: "resume", title: "", text: outcome.text } as const;
        return fail(toast, "Could Not Resume Session", outcome.reason ?? outcome.what, toastActions([offer]));
      }
      default:
        return outcome.outcome satisfies never;
    }
  } catch (error) {
    fail(toast, "Could Not Resume Session", reasonOf(error), preferencesAction(error));
  }
}

/** Has a toast say what failed, and offer what can be done. */
function fail(
  toast: Toast,
  title: string,
  reason: string,
  actions: Pick<Toast.Options, "primaryAction" | "secondaryAction">,
): void {
  Object.assign(toast, { style: Toast.Style.Failure, title, message: printable(reason), ...actions });
}
