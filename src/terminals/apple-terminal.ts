import { activateApp } from "./activate-app";
import type { AppPlace } from "./app-place";
import { answerOfScript, script } from "./apple-script";
import type { FocusPlan } from "./focus-plan";
import { identifier } from "./identifiers";

/**
 * Finds a tab by its device, selects it and brings its window to the front (Terminal's dictionary: `tty of tab`). Its
 * settings are a window as well, without tabs; windows are kept by id, since their order changes on the way.
 */
const SELECT = `on run argv
  set wantedTty to item 1 of argv
  if application id "com.apple.Terminal" is not running then return "missing"
  tell application id "com.apple.Terminal"
    repeat with aWindow in windows
      set itsTabs to {}
      try
        set itsTabs to tabs of aWindow
      end try
      repeat with aTab in itsTabs
        if (tty of aTab) is wantedTty then
          set theWindow to window id (id of aWindow)
          set selected of aTab to true
          if miniaturized of theWindow then set miniaturized of theWindow to false
          set index of theWindow to 1
          activate
          return "done"
        end if
      end repeat
    end repeat
  end tell
  return "missing"
end run`;

/** Terminal: the tab by its device. `TERM_SESSION_ID` is not in its dictionary. */
export function planAppleTerminal(place: AppPlace): FocusPlan | undefined {
  const tty = identifier("tty", place.tty);
  const app = activateApp(place);
  if (tty === undefined) return app;
  return {
    title: "Terminal",
    target: "the tab in Terminal",
    reach: "pane",
    steps: [{ argv: script(SELECT, tty), answer: answerOfScript }],
    ...(app === undefined ? {} : { otherwise: app }),
  };
}
