import { activateApp, activateX11Window } from "./activate-app";
import type { AppPlace, PlanSetting } from "./app-place";
import { answerOfScript, script } from "./apple-script";
import type { FocusPlan } from "./focus-plan";
import { identifier } from "./identifiers";

/**
 * Finds a terminal by its device and focuses it. Ghostty has a dictionary since 1.3.0; `tty` came after 1.3.1
 * (ghostty-org/ghostty#11922). Its `id` is not `GHOSTTY_SURFACE_ID`, and its working directory is no
 * identity.
 */
const FOCUS = `on run argv
  set wantedTty to item 1 of argv
  if application id "com.mitchellh.ghostty" is not running then return "missing"
  tell application id "com.mitchellh.ghostty"
    repeat with aTerminal in terminals
      try
        set itsTty to tty of aTerminal
      on error
        return "unsupported"
      end try
      if itsTty is wantedTty then
        focus aTerminal
        activate
        return "done"
      end if
    end repeat
  end tell
  return "missing"
end run`;

/** Ghostty: exact on macOS where it tells the devices of its terminals, else as a program. */
export function planGhostty(place: AppPlace, setting: PlanSetting): FocusPlan | undefined {
  if (setting.platform !== "darwin") return activateX11Window(place, setting);
  const tty = identifier("tty", place.tty);
  const app = activateApp(place);
  if (tty === undefined || app === undefined) return app;
  return {
    title: "Ghostty",
    target: "the terminal in Ghostty",
    reach: "pane",
    steps: [{ argv: script(FOCUS, tty), answer: answerOfScript }],
    otherwise: { ...app, note: "This version of Ghostty does not tell which terminal is which." },
  };
}
