import { TERMINALS, terminalOfCommand, terminalOfFacts, appFolderOf } from "../../src/terminals/which-terminal";

test.each([
  ["/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal", "apple-terminal"],
  ["/Applications/iTerm.app/Contents/MacOS/iTerm2", "iterm2"],
  ["/Users/ada/Library/Application Support/iTerm2/iTermServer-3.6.4", "iterm2"],
  ["/Users/ada/Applications/Ghostty.app/Contents/MacOS/ghostty", "ghostty"],
  ["/Applications/Visual Studio Code.app/Contents/Frameworks/Code Helper.app/Contents/MacOS/Code Helper", "vscode"],
  ["/Applications/Cursor.app/Contents/Frameworks/Cursor Helper (Plugin).app/Contents/MacOS/Cursor Helper", "cursor"],
  ["/Applications/IntelliJ IDEA.app/Contents/MacOS/idea", "jetbrains"],
  ["kitty", "kitty"],
  ["wezterm-gui", "wezterm"],
  // Linux cuts names to 15 characters.
  ["gnome-terminal-", "gnome-terminal"],
  ["xfce4-terminal", "xfce4-terminal"],
  ["C:\\Program Files\\WindowsApps\\Microsoft.WindowsTerminal\\WindowsTerminal.exe", "windows-terminal"],
  ["code", "vscode"],
])("%s is of %s", (command, name) => expect(terminalOfCommand(command)?.name).toBe(name));

test.each([
  "bash",
  "-zsh",
  "claude",
  "node",
  "cursor-agent",
  "codex",
  "kitty-wrapper",
  "/Applications/Unknown.app/Contents/MacOS/kitty",
])("%s is of no terminal", (command) => expect(terminalOfCommand(command)).toBeUndefined());

test.each([
  [{ TERM_PROGRAM: "Apple_Terminal" }, "apple-terminal"],
  [{ TERM_PROGRAM: "iTerm.app" }, "iterm2"],
  [{ TERM_PROGRAM: "WarpTerminal" }, "warp"],
  [{ TERM_PROGRAM: "WezTerm" }, "wezterm"],
  [{ TERM_PROGRAM: "ghostty" }, "ghostty"],
  [{ TERM_PROGRAM: "vscode" }, "vscode"],
  [{ TERMINAL_EMULATOR: "JetBrains-JediTerm" }, "jetbrains"],
  [{ KITTY_WINDOW_ID: "1" }, "kitty"],
  [{ WT_SESSION: "x" }, "windows-terminal"],
  // A terminal that was started from another one has that one's variables too.
  [{ TERM_PROGRAM: "ghostty", KITTY_WINDOW_ID: "1", ITERM_SESSION_ID: "w0t0p0:x" }, "ghostty"],
  [{ TERM_PROGRAM: "tmux" }, undefined],
  [{}, undefined],
])("variables %j tell of %s", (facts, name) => expect(terminalOfFacts(facts)?.name).toBe(name));

test("no two terminals have a name, a bundle, a folder or a program in common", () => {
  const all = TERMINALS.flatMap(({ name, bundle, folders = [], processes }) => [
    `name ${name}`,
    ...(bundle === undefined ? [] : [`bundle ${bundle}`]),
    ...folders.map((folder) => `folder ${folder}`),
    ...processes.map((program) => `program ${program}`),
  ]);
  expect(new Set(all).size).toBe(all.length);
});

test("the outermost application folder", () => {
  expect(appFolderOf("/Applications/A B.app/Contents/Frameworks/H.app/Contents/MacOS/H")).toBe("/Applications/A B.app");
  expect(appFolderOf("kitty")).toBeUndefined();
  expect(appFolderOf("relative/A.app/Contents/MacOS/A")).toBeUndefined();
});
