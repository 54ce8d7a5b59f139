import type { TerminalFacts } from "../session/terminal-facts";

/** A program that shows terminals, as this machine knows it. Pure data: what it can do stands with its strategy. */
export interface TerminalApp {
  name: TerminalName;
  /** As its users call it. */
  title: string;
  /** macOS: the bundle's identifier. */
  bundle?: string;
  /** macOS: the names of its application folders. */
  folders?: readonly string[];
  /** What it sets `TERM_PROGRAM` to. */
  termProgram?: readonly string[];
  /** Names of its executables, lower case, without `.exe`. Linux tells the first 15 characters of one. */
  processes: readonly string[];
}

export type TerminalName =
  | "apple-terminal"
  | "iterm2"
  | "ghostty"
  | "kitty"
  | "wezterm"
  | "warp"
  | "alacritty"
  | "vscode"
  | "vscode-insiders"
  | "vscodium"
  | "cursor"
  | "windsurf"
  | "zed"
  | "jetbrains"
  | "windows-terminal"
  | "gnome-terminal"
  | "gnome-console"
  | "ptyxis"
  | "konsole"
  | "xfce4-terminal"
  | "mate-terminal"
  | "lxterminal"
  | "terminator"
  | "tilix"
  | "foot"
  | "xterm"
  | "urxvt"
  | "hyper"
  | "tabby"
  | "rio";

const JETBRAINS_FOLDERS = [
  "IntelliJ IDEA.app",
  "IntelliJ IDEA CE.app",
  "IntelliJ IDEA Ultimate.app",
  "PyCharm.app",
  "PyCharm CE.app",
  "PyCharm Professional Edition.app",
  "WebStorm.app",
  "GoLand.app",
  "CLion.app",
  "PhpStorm.app",
  "RubyMine.app",
  "Rider.app",
  "DataGrip.app",
  "RustRover.app",
  "Android Studio.app",
];

/**
 * The terminals that are known, by the bundle, process and `TERM_PROGRAM` names their makers give them
 * (docs/terminals.md has the sources).
 */
export const TERMINALS: readonly TerminalApp[] = [
  {
    name: "apple-terminal",
    title: "Terminal",
    bundle: "com.apple.Terminal",
    folders: ["Terminal.app"],
    termProgram: ["Apple_Terminal"],
    processes: [],
  },
  {
    name: "iterm2",
    title: "iTerm2",
    bundle: "com.googlecode.iterm2",
    folders: ["iTerm.app", "iTerm2.app"],
    termProgram: ["iTerm.app"],
    processes: ["iterm2"],
  },
  {
    name: "ghostty",
    title: "Ghostty",
    bundle: "com.mitchellh.ghostty",
    folders: ["Ghostty.app"],
    termProgram: ["ghostty"],
    processes: ["ghostty"],
  },
  {
    name: "kitty",
    title: "kitty",
    bundle: "net.kovidgoyal.kitty",
    folders: ["kitty.app"],
    termProgram: ["kitty"],
    processes: ["kitty"],
  },
  {
    name: "wezterm",
    title: "WezTerm",
    bundle: "com.github.wez.wezterm",
    folders: ["WezTerm.app"],
    termProgram: ["WezTerm"],
    processes: ["wezterm-gui", "wezterm-mux-server"],
  },
  {
    name: "warp",
    title: "Warp",
    bundle: "dev.warp.Warp-Stable",
    folders: ["Warp.app", "WarpPreview.app"],
    termProgram: ["WarpTerminal"],
    processes: ["warp", "warp-terminal", "warp-terminal-preview"],
  },
  {
    name: "alacritty",
    title: "Alacritty",
    bundle: "org.alacritty",
    folders: ["Alacritty.app"],
    termProgram: ["alacritty"],
    processes: ["alacritty"],
  },
  {
    name: "vscode",
    title: "Visual Studio Code",
    bundle: "com.microsoft.VSCode",
    folders: ["Visual Studio Code.app"],
    termProgram: ["vscode"],
    processes: ["code"],
  },
  {
    name: "vscode-insiders",
    title: "Visual Studio Code Insiders",
    bundle: "com.microsoft.VSCodeInsiders",
    folders: ["Visual Studio Code - Insiders.app"],
    processes: ["code-insiders"],
  },
  {
    name: "vscodium",
    title: "VSCodium",
    bundle: "com.vscodium",
    folders: ["VSCodium.app"],
    processes: ["codium", "vscodium"],
  },
  {
    name: "cursor",
    title: "Cursor",
    bundle: "com.todesktop.230313mzl4w4u92",
    folders: ["Cursor.app"],
    processes: ["cursor"],
  },
  {
    name: "windsurf",
    title: "Windsurf",
    bundle: "com.exafunction.windsurf",
    folders: ["Windsurf.app"],
    processes: ["windsurf"],
  },
  {
    name: "zed",
    title: "Zed",
    bundle: "dev.zed.Zed",
    folders: ["Zed.app"],
    termProgram: ["zed"],
    processes: ["zed", "zed-editor", "zeditor"],
  },
  {
    name: "jetbrains",
    title: "JetBrains IDE",
    folders: JETBRAINS_FOLDERS,
    processes: [
      "idea",
      "pycharm",
      "webstorm",
      "goland",
      "clion",
      "phpstorm",
      "rubymine",
      "rider",
      "datagrip",
      "rustrover",
    ],
  },
  {
    name: "windows-terminal",
    title: "Windows Terminal",
    processes: ["windowsterminal"],
  },
  { name: "gnome-terminal", title: "GNOME Terminal", processes: ["gnome-terminal-server", "gnome-terminal"] },
  { name: "gnome-console", title: "Console", processes: ["kgx"] },
  { name: "ptyxis", title: "Ptyxis", processes: ["ptyxis", "ptyxis-agent"] },
  { name: "konsole", title: "Konsole", processes: ["konsole"] },
  { name: "xfce4-terminal", title: "Xfce Terminal", processes: ["xfce4-terminal"] },
  { name: "mate-terminal", title: "MATE Terminal", processes: ["mate-terminal"] },
  { name: "lxterminal", title: "LXTerminal", processes: ["lxterminal"] },
  { name: "terminator", title: "Terminator", processes: ["terminator"] },
  { name: "tilix", title: "Tilix", processes: ["tilix"] },
  { name: "foot", title: "foot", processes: ["foot", "footclient"] },
  { name: "xterm", title: "xterm", processes: ["xterm"] },
  { name: "urxvt", title: "urxvt", processes: ["urxvt", "urxvtd", "rxvt-unicode"] },
  {
    name: "hyper",
    title: "Hyper",
    bundle: "co.zeit.hyper",
    folders: ["Hyper.app"],
    termProgram: ["Hyper"],
    processes: ["hyper"],
  },
  {
    name: "tabby",
    title: "Tabby",
    bundle: "org.tabby",
    folders: ["Tabby.app"],
    termProgram: ["Tabby"],
    processes: ["tabby"],
  },
  {
    name: "rio",
    title: "Rio",
    bundle: "com.raphaelamorim.rio",
    folders: ["Rio.app"],
    termProgram: ["rio"],
    processes: ["rio"],
  },
];

const BY_NAME = new Map(TERMINALS.map((terminal) => [terminal.name, terminal]));

/** The terminal of a name. */
export function terminalNamed(name: TerminalName): TerminalApp {
  const terminal = BY_NAME.get(name);
  if (terminal === undefined) throw new Error(`no terminal is called ${name}`);
  return terminal;
}

/** Whether a text is the name of a terminal that is known. */
export function isTerminalName(text: string): text is TerminalName {
  return TERMINALS.some(({ name }) => name === text);
}

/**
 * The terminal that variables tell of, as what runs in it has them. A terminal that was started from another one
 * inherits that one's variables, so the general name comes first; it is the word of an environment, no proof.
 */
export function terminalOfFacts(facts: TerminalFacts): TerminalApp | undefined {
  const program = facts.TERM_PROGRAM;
  const named = TERMINALS.find(({ termProgram }) => program !== undefined && termProgram?.includes(program));
  if (named !== undefined) return named;
  if (facts.TERMINAL_EMULATOR?.startsWith("JetBrains") === true) return terminalNamed("jetbrains");
  if (facts.KITTY_WINDOW_ID !== undefined) return terminalNamed("kitty");
  if (facts.WEZTERM_PANE !== undefined) return terminalNamed("wezterm");
  if (facts.WARP_FOCUS_URL !== undefined) return terminalNamed("warp");
  if (facts.ITERM_SESSION_ID !== undefined) return terminalNamed("iterm2");
  if (facts.GHOSTTY_RESOURCES_DIR !== undefined) return terminalNamed("ghostty");
  if (facts.WT_SESSION !== undefined) return terminalNamed("windows-terminal");
  return undefined;
}

/** The length Linux cuts the name of a process to (`TASK_COMM_LEN` less the NUL). */
const PROCESS_NAME_LIMIT = 15;

/** The terminal an executable belongs to, by its path (macOS) or its name. */
export function terminalOfCommand(command: string): TerminalApp | undefined {
  const folder = appFolderOf(command);
  if (folder !== undefined) {
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    return TERMINALS.find(({ folders }) => folders?.includes(name) === true);
  }
  const name = programName(command);
  // iTerm2 keeps sessions under a server of its own, whose name ends with a version.
  if (/^itermserver(-|$)/.test(name)) return terminalNamed("iterm2");
  return TERMINALS.find(({ processes }) => processes.some((each) => isSameProgram(name, each)));
}

/** macOS: the outermost application folder in a path, `/Applications/iTerm.app` of its executable. */
export function appFolderOf(command: string): string | undefined {
  return /^(\/.*?\.app)\/Contents\//.exec(command)?.[1];
}

/** The name of a program, of a path or a bare name: lower case, without folder, `.exe`, and a login shell's dash. */
export function programName(command: string): string {
  const name = command.slice(Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\")) + 1);
  return name
    .toLowerCase()
    .replace(/\.exe$/, "")
    .replace(/^-/, "");
}

/** Whether a process's name is a program's, which the system may have cut. */
export function isSameProgram(name: string, program: string): boolean {
  return name === program || (name.length === PROCESS_NAME_LIMIT && program.startsWith(name));
}
