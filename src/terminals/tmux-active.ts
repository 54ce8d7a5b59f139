import type { Call } from "./focus-plan";
import { identifier } from "./identifiers";

/** Asks a server which pane of a session is the active one of its active window (tmux(1), display-message). */
export function activePaneOf(socket: string, session: string): Call {
  return {
    argv: ["tmux", "-S", socket, "display-message", "-p", "-t", `${session}:`, "#{pane_id}"],
    environment: { TMUX: undefined, TMUX_PANE: undefined },
  };
}

/** Reads the pane's id. */
export function paneIdIn(output: string): string | undefined {
  return identifier("tmux pane", output.trim());
}
