import type { Call, FocusPlan } from "./focus-plan";
import { identifier, plainPath } from "./identifiers";

/** A pane of a tmux server, as it lists it. A window that is linked into several sessions has its panes in each. */
export interface TmuxPane {
  socket: string;
  /** `%12`; a server never uses one twice. */
  pane: string;
  /** `@3` */
  window: string;
  /** `$1` */
  session: string;
  /** The process it was started with. */
  pid: number;
  tty: string;
  /** The program in its foreground. */
  command: string;
}

/** A terminal that shows a session of a tmux server. */
export interface TmuxClient {
  pid: number;
  tty: string;
  /** The session it shows. */
  session: string;
  /** When it was used last, in seconds since 1970. */
  usedAt: number;
  /** iTerm2's integration and the like: it draws the windows itself, and does not follow what is selected here. */
  isControl: boolean;
}

/** A pane and the client that is to show it. */
export interface TmuxPlace {
  kind: "tmux";
  pane: TmuxPane;
  /** Absent: the session is detached. */
  client?: TmuxClient;
}

/** The socket in `TMUX`, which is `socket,server pid,session number` (tmux(1), ENVIRONMENT). */
export function socketOfTmux(variable: string | undefined): string | undefined {
  return plainPath(/^(.+),\d+,\d+$/s.exec(variable ?? "")?.[1]);
}

/** The registry's `session:@window.%pane`; the name of a session may hold anything. */
export function paneOfRegistry(tmux: string | undefined): string | undefined {
  return identifier("tmux pane", /:@\d+\.(%\d+)$/.exec(tmux ?? "")?.[1]);
}

// In a pane these would say what "here" is; every target is given in full.
const OUTSIDE = { TMUX: undefined, TMUX_PANE: undefined };

const PANE_FORMAT =
  "#{pane_id} #{window_id} #{session_id} #{pane_pid} #{pane_tty} #{pane_dead} #{pane_current_command}";

/** Asks a server for all its panes. Without a server it fails, and starts none. */
export function listPanes(socket: string): Call {
  return { argv: ["tmux", "-S", socket, "list-panes", "-a", "-F", PANE_FORMAT], environment: OUTSIDE };
}

/** Reads the panes; a line that is none is left out, and so is a pane whose program has ended. */
export function panesOf(output: string, socket: string): TmuxPane[] {
  return output.split("\n").flatMap((line) => {
    const [, pane, window, session, pid, tty, dead, command] =
      /^(%\d+) (@\d+) (\$\d+) (\d+) (\/\S+) ([01]) (.*)$/.exec(line) ?? [];
    if (pane === undefined || window === undefined || session === undefined || tty === undefined) return [];
    return dead === "1" ? [] : [{ socket, pane, window, session, pid: Number(pid), tty, command: command ?? "" }];
  });
}

const CLIENT_FORMAT = "#{client_pid} #{client_tty} #{session_id} #{client_activity} #{client_control_mode}";

/** Asks a server for the terminals that show it. */
export function listClients(socket: string): Call {
  return { argv: ["tmux", "-S", socket, "list-clients", "-F", CLIENT_FORMAT], environment: OUTSIDE };
}

/** Reads the clients, those used last first. */
export function clientsOf(output: string): TmuxClient[] {
  return output
    .split("\n")
    .flatMap((line) => {
      const [, pid, tty, session, usedAt, control] = /^(\d+) (\/\S+) (\$\d+) (\d+) ([01]?)$/.exec(line) ?? [];
      if (pid === undefined || session === undefined || identifier("tty", tty) === undefined || tty === undefined)
        return [];
      return [{ pid: Number(pid), tty, session, usedAt: Number(usedAt), isControl: control === "1" }];
    })
    .sort((one, other) => other.usedAt - one.usedAt);
}

/**
 * Selects the pane, and switches the client to it when it shows another session. `-E`: the session keeps its
 * environment. A lone `;` is tmux's own separator of commands.
 */
export function planTmux({ pane: { socket, pane, window, session }, client }: TmuxPlace): FocusPlan {
  const target = `${session}:${window}`;
  const shows =
    client === undefined || client.isControl
      ? []
      : [";", "switch-client", "-E", "-c", client.tty, "-t", `${target}.${pane}`];
  return {
    title: "tmux",
    target: `pane ${pane} in tmux`,
    reach: "pane",
    steps: [
      {
        argv: [
          "tmux",
          "-S",
          socket,
          "select-window",
          "-t",
          target,
          ";",
          "select-pane",
          "-t",
          `${target}.${pane}`,
          ...shows,
        ],
        environment: OUTSIDE,
      },
    ],
  };
}

/** The command that shows a session which no terminal shows, in a new one. */
export function attachTmux({ socket, session }: TmuxPane): Call {
  return { argv: ["tmux", "-S", socket, "attach-session", "-t", session], environment: OUTSIDE };
}
