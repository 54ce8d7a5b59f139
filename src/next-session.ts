import { LocalStorage, showHUD } from "@raycast/api";
import { invokeFocus } from "./cli/invoke-focus";
import { observe } from "./observe/observer";
import { printable } from "./session/text";
import { goingReason, wentText } from "./views/going";
import { leaveWith } from "./views/leaving";
import { nextInNeed, parseRound } from "./views/next-in-need";
import { openListAt } from "./views/open-list";
import { sayFailed } from "./views/open-preferences";
import { settingsToAct } from "./views/settings";

const ROUND = "next-session.round";

/** Next Session That Needs Me: goes to the one that has waited longest; used again within a minute, to the next. */
export default async function nextSession(): Promise<void> {
  try {
    await goToNext();
  } catch (error) {
    await sayFailed("Could Not Go to Session", error);
  }
}

async function goToNext(): Promise<void> {
  const { watched, invoker } = settingsToAct();
  const { sessions } = await observe(watched);
  const next = nextInNeed(sessions, parseRound(await LocalStorage.getItem(ROUND)), Date.now());
  if (next === undefined) {
    await showHUD("No Session Needs You");
    return;
  }
  const { session, round } = next;
  // Before it goes there: one that cannot be reached is passed over next time.
  await LocalStorage.setItem(ROUND, JSON.stringify(round));
  const outcome = await invokeFocus(session.id, invoker);
  if (outcome.outcome === "focused" || outcome.outcome === "opened") {
    await leaveWith(wentText(outcome, session));
    return;
  }
  // The list has the actions that are certain, and what the session wants.
  await showHUD(printable(goingReason(outcome)));
  await openListAt(session.id);
}
