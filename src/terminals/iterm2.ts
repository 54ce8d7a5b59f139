import type { AppPlace } from "./app-place";
import { activateApp } from "./activate-app";
import { answerOfScript, script } from "./apple-script";
import type { FocusPlan } from "./focus-plan";
import { identifier } from "./identifiers";

/**
 * Finds a session by its id and selects it, its tab and its window (iTerm2's scripting documentation: `id` and `tty`
 * of a session, `select` of session, tab and window). The device has to agree where it is known.
 */
const SELECT = `on run argv
  set wantedId to item 1 of argv
  set wantedTty to item 2 of argv
  if application id "com.googlecode.iterm2" is not running then return "missing"
  tell application id "com.googlecode.iterm2"
    repeat with aWindow in windows
      repeat with aTab in tabs of aWindow
        repeat with aSession in sessions of aTab
          set isIt to true
          if wantedId is not "-" and (id of aSession) is not wantedId then set isIt to false
          if wantedTty is not "-" and (tty of aSession) is not wantedTty then set isIt to false
          if isIt then
            select aSession
            select aTab
            select aWindow
            activate
            return "done"
          end if
        end repeat
      end repeat
    end repeat
  end tell
  return "missing"
end run`;

/** iTerm2: the session by its id, the part after the colon of `ITERM_SESSION_ID`, by its device, or by both. */
export function planIterm2(place: AppPlace): FocusPlan | undefined {
  const id = identifier("uuid", place.facts.ITERM_SESSION_ID?.split(":").at(-1));
  const tty = identifier("tty", place.tty);
  const app = activateApp(place);
  if (id === undefined && tty === undefined) return app;
  // A device is certain by itself; the id can be one that a terminal started from iTerm2 inherited.
  return {
    title: "iTerm2",
    target: "the session in iTerm2",
    reach: "pane",
    steps: [
      {
        argv: script(SELECT, tty === undefined ? (id ?? "-") : "-", tty ?? "-"),
        answer: answerOfScript,
      },
    ],
    ...(app === undefined ? {} : { otherwise: app }),
  };
}
