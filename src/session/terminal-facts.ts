/**
 * The variables that tell in which window, tab and pane a session runs, as its agent's hook had them. What they mean
 * differs by terminal; they are kept as they are.
 */
export const TERMINAL_FACTS = [
  "TMUX",
  "TMUX_PANE",
  "STY",
  "ZELLIJ",
  "ZELLIJ_PANE_ID",
  "ZELLIJ_SESSION_NAME",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "TERM_SESSION_ID",
  "ITERM_SESSION_ID",
  "KITTY_WINDOW_ID",
  "KITTY_LISTEN_ON",
  "WEZTERM_PANE",
  "WEZTERM_UNIX_SOCKET",
  "GHOSTTY_RESOURCES_DIR",
  "GHOSTTY_SURFACE_ID",
  "WARP_FOCUS_URL",
  "VSCODE_PID",
  "VSCODE_IPC_HOOK_CLI",
  "VSCODE_INJECTION",
  "WT_SESSION",
  "TERMINAL_EMULATOR",
  "WINDOWID",
  "SSH_CONNECTION",
] as const;

/** What is known of a session's terminal, by variable. */
export type TerminalFacts = Readonly<Record<string, string>>;

/** The terminal's part of a hook's environment; undefined when it tells nothing of one. */
export function terminalOf(env: Readonly<Record<string, string | undefined>>): TerminalFacts | undefined {
  const facts: Record<string, string> = {};
  for (const name of TERMINAL_FACTS) {
    const value = env[name];
    if (value !== undefined && value !== "") facts[name] = value;
  }
  return Object.keys(facts).length === 0 ? undefined : facts;
}
