import { answerOfScript, script } from "./apple-script";
import type { Argv, FocusStep } from "./focus-plan";
import { programName, terminalNamed, type TerminalName } from "./which-terminal";
import { posixText, powershellText, type ResumeCommand } from "./resume-command";
import { posixWord } from "./quoting";

/** What a command is opened in: a terminal that is known, or what the system says is the user's. */
export type OpeningIn = TerminalName | "xdg-terminal-exec" | "x-terminal-emulator";

/** How a command is opened in a new window of a terminal. */
export interface Opening {
  title: string;
  step: FocusStep;
  /** The program stays as long as its window: it is not waited for. */
  stays: boolean;
  /** The terminal takes no command: only the folder is opened, and the user pastes. */
  pastes?: true;
}

export interface OpeningSetting {
  platform: NodeJS.Platform;
  /** The user's shell. */
  shell: string;
}

const NEW_TERMINAL_WINDOW = `on run argv
  tell application id "com.apple.Terminal"
    activate
    do script (item 1 of argv)
  end tell
  return "done"
end run`;

const NEW_ITERM_WINDOW = `on run argv
  tell application id "com.googlecode.iterm2"
    activate
    set aWindow to (create window with default profile)
    tell current session of aWindow to write text (item 1 of argv)
  end tell
  return "done"
end run`;

const NEW_GHOSTTY_WINDOW = `on run argv
  tell application id "com.mitchellh.ghostty"
    activate
    new window with configuration {initial input:(item 1 of argv) & linefeed}
  end tell
  return "done"
end run`;

/** What stands before the program and its arguments, for terminals that take them as they are. */
const BEFORE_PROGRAM: Readonly<Partial<Record<OpeningIn, Argv>>> = {
  kitty: ["kitty"],
  wezterm: ["wezterm", "start", "--"],
  alacritty: ["alacritty", "-e"],
  "xdg-terminal-exec": ["xdg-terminal-exec"],
  "x-terminal-emulator": ["x-terminal-emulator", "-e"],
  ghostty: ["ghostty", "-e"],
  "gnome-terminal": ["gnome-terminal", "--"],
  konsole: ["konsole", "-e"],
  "xfce4-terminal": ["xfce4-terminal", "-x"],
  "mate-terminal": ["mate-terminal", "-x"],
  foot: ["foot"],
  urxvt: ["urxvt", "-e"],
  xterm: ["xterm", "-e"],
};

/** The terminals that are tried where the user names none, in this order. */
export function usualTerminals(platform: NodeJS.Platform): readonly OpeningIn[] {
  if (platform === "darwin") return ["apple-terminal"];
  if (platform === "win32") return ["windows-terminal"];
  return [
    "xdg-terminal-exec",
    "x-terminal-emulator",
    "gnome-terminal",
    "konsole",
    "xfce4-terminal",
    "mate-terminal",
    "ghostty",
    "kitty",
    "wezterm",
    "alacritty",
    "foot",
    "urxvt",
    "xterm",
  ];
}

/** How a command is opened in a terminal; undefined where that terminal cannot be told to run one. */
export function openingIn(
  terminal: OpeningIn,
  command: ResumeCommand,
  { platform, shell }: OpeningSetting,
): Opening | undefined {
  if (platform === "win32") return terminal === "windows-terminal" ? inWindowsTerminal(command) : undefined;
  if (platform === "darwin") {
    switch (terminal) {
      case "apple-terminal":
        return byScript(terminal, NEW_TERMINAL_WINDOW, command);
      case "iterm2":
        return byScript(terminal, NEW_ITERM_WINDOW, command);
      case "ghostty":
        return byScript(terminal, NEW_GHOSTTY_WINDOW, command);
      case "warp":
        return inWarp("/usr/bin/open", command);
      case "kitty":
      case "wezterm":
      case "alacritty":
        break;
      default:
        return undefined;
    }
  }
  if (terminal === "warp") return inWarp("xdg-open", command);
  const before = BEFORE_PROGRAM[terminal];
  if (before === undefined) return undefined;
  return { title: titleOf(terminal), step: { argv: [...before, ...shellArguments(command, shell)] }, stays: true };
}

function titleOf(terminal: OpeningIn): string {
  return terminal === "xdg-terminal-exec" || terminal === "x-terminal-emulator"
    ? "the system's terminal"
    : terminalNamed(terminal).title;
}

/** The command line is one word of data to the script, and is given to the user's shell as if it were pasted. */
function byScript(terminal: TerminalName, source: string, command: ResumeCommand): Opening {
  return {
    title: terminalNamed(terminal).title,
    step: { argv: script(source, posixText(command)), answer: answerOfScript },
    stays: false,
  };
}

/** Warp opens a folder (its URI scheme), and takes no command from outside. */
function inWarp(opener: string, { cwd }: ResumeCommand): Opening | undefined {
  if (cwd === undefined) return undefined;
  const path = cwd.split("/").map(encodeURIComponent).join("/");
  return {
    title: "Warp",
    step: { argv: [opener, `warp://action/new_window?path=${path}`] },
    stays: false,
    pastes: true,
  };
}

/**
 * Windows Terminal and PowerShell. The command is in base64 of UTF-16 (`-EncodedCommand`), so nothing of it is read
 * by `wt`, to which a `;` would end a command.
 */
function inWindowsTerminal(command: ResumeCommand): Opening {
  const encoded = Buffer.from(powershellText(command), "utf16le").toString("base64");
  return {
    title: terminalNamed("windows-terminal").title,
    step: { argv: ["wt.exe", "-w", "new", "new-tab", "powershell.exe", "-NoExit", "-EncodedCommand", encoded] },
    stays: true,
  };
}

/** Shells that read what `posixText` writes. */
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish"]);

/**
 * The user's shell as arguments: it runs the command with what its start-up files set (PATH), and stays when the agent
 * ends, so that its last words can be read.
 */
export function shellArguments(command: ResumeCommand, userShell: string): Argv {
  const shell = SHELLS.has(programName(userShell)) ? userShell : "/bin/sh";
  return [shell, "-l", "-i", "-c", `${posixText(command)}; exec ${posixWord(shell)} -l`];
}
