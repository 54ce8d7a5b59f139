import type { EngineInterface } from "claude-code";
import type { Process } from "../core/inbox-entry";

let found: Promise<Process> | undefined;

/** The session's process and its terminal, read once. */
export function sessionProcess($: EngineInterface): Promise<Process> {
  found ??= read($).catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return found;
}

/** The id of the session's process; undefined where it is not told. */
export async function processId($: EngineInterface): Promise<number | undefined> {
  return (await sessionProcess($)).pid;
}

async function read($: EngineInterface): Promise<Process> {
  // The process's own environment may hold those of the session that started it.
  const own = await $.process.hookEnv();
  const pid = Number(own.CLAUDE_PID);
  return {
    pid: Number.isSafeInteger(pid) && pid > 0 ? pid : undefined,
    facts: [
      ["TMUX", await $.env.get("TMUX")],
      ["TMUX_PANE", await $.env.get("TMUX_PANE")],
      ["STY", await $.env.get("STY")],
      ["ZELLIJ", await $.env.get("ZELLIJ")],
      ["ZELLIJ_PANE_ID", await $.env.get("ZELLIJ_PANE_ID")],
      ["ZELLIJ_SESSION_NAME", await $.env.get("ZELLIJ_SESSION_NAME")],
      ["TERM_PROGRAM", await $.env.get("TERM_PROGRAM")],
      ["TERM_PROGRAM_VERSION", await $.env.get("TERM_PROGRAM_VERSION")],
      ["TERM_SESSION_ID", await $.env.get("TERM_SESSION_ID")],
      ["ITERM_SESSION_ID", await $.env.get("ITERM_SESSION_ID")],
      ["KITTY_WINDOW_ID", await $.env.get("KITTY_WINDOW_ID")],
      ["KITTY_LISTEN_ON", await $.env.get("KITTY_LISTEN_ON")],
      ["WEZTERM_PANE", await $.env.get("WEZTERM_PANE")],
      ["WEZTERM_UNIX_SOCKET", await $.env.get("WEZTERM_UNIX_SOCKET")],
      ["GHOSTTY_RESOURCES_DIR", await $.env.get("GHOSTTY_RESOURCES_DIR")],
      ["GHOSTTY_SURFACE_ID", await $.env.get("GHOSTTY_SURFACE_ID")],
      ["WARP_FOCUS_URL", await $.env.get("WARP_FOCUS_URL")],
      ["VSCODE_PID", await $.env.get("VSCODE_PID")],
      ["VSCODE_IPC_HOOK_CLI", await $.env.get("VSCODE_IPC_HOOK_CLI")],
      ["VSCODE_INJECTION", await $.env.get("VSCODE_INJECTION")],
      ["WT_SESSION", await $.env.get("WT_SESSION")],
      ["TERMINAL_EMULATOR", await $.env.get("TERMINAL_EMULATOR")],
      ["WINDOWID", await $.env.get("WINDOWID")],
      // That it is remote matters; from where is nobody's business.
      ["SSH_CONNECTION", (await $.env.get("SSH_CONNECTION")) ? "1" : undefined],
      ["CLAUDE_PID", own.CLAUDE_PID],
      ["CLAUDE_CODE_ENTRYPOINT", await $.env.get("CLAUDE_CODE_ENTRYPOINT")],
      ["CLAUDE_CONFIG_DIR", await $.env.get("CLAUDE_CONFIG_DIR")],
      ["CLAUDE_PROJECT_DIR", own.CLAUDE_PROJECT_DIR],
      ["CLAUDE_JOB_DIR", await $.env.get("CLAUDE_JOB_DIR")],
    ],
  };
}
