import { CLEARING } from "./clearing-keys";
import type { Keyboard } from "./keyboard";
import { saidBy, type RunProgram } from "./run-program";
import type { TypingPlace } from "./typing-place";

type Iterm2Place = Extract<TypingPlace, { terminal: "iterm2" }>;

/**
 * Finds the session by its id, and writes only where its terminal is the one it has to be: what is written is data, and
 * comes as an argument (iTerm2's manual, "Scripting with AppleScript").
 */
const SCRIPT = `on run argv
	set {wanted, terminalPath, keys} to {item 1 of argv, item 2 of argv, item 3 of argv}
	if application "iTerm2" is not running then return "gone"
	tell application "iTerm2"
		repeat with aWindow in windows
			repeat with aTab in tabs of aWindow
				repeat with aSession in sessions of aTab
					if unique ID of aSession is wanted then
						if tty of aSession is not terminalPath then return "another"
						if keys is not "" then tell aSession to write text keys newline NO
						return "done"
					end if
				end repeat
			end repeat
		end repeat
	end tell
	return "gone"
end run`;

/** Types into a session of iTerm2. */
export function iterm2Keyboard({ session }: Iterm2Place, run: RunProgram): Keyboard {
  let path: string | undefined;
  const send = async (keys: string) => {
    if (path === undefined) return "its terminal is not known";
    const result = await run({
      program: "/usr/bin/osascript",
      parameters: ["-e", SCRIPT, session, path, keys],
      timeout: 15_000,
    });
    if (result.outcome === "missing") return "iTerm2 is only on macOS";
    if (result.code !== 0) return `iTerm2 refused: ${saidBy(result)}`;
    switch (result.stdout.trim()) {
      case "done":
        return undefined;
      case "another":
        return "the iTerm2 session is another process's now";
      default:
        return "its iTerm2 session is gone";
    }
  };
  return {
    prove({ terminal }) {
      if (terminal.path === undefined) return Promise.resolve("its terminal is not known");
      if (!terminal.isInFront) {
        return Promise.resolve("it is stopped or in the background: what is typed would go to its shell");
      }
      path = terminal.path;
      return send("");
    },
    clear: () => send(CLEARING),
    write: (text) =>
      text.includes("\n") ? Promise.resolve("a text of several lines cannot be typed into iTerm2") : send(text),
    enter: () => send("\r"),
    escape: () => send("\x1b"),
  };
}
