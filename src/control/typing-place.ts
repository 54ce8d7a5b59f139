import type { Session } from "../session/session";

/** A pane that can be typed into, as the session's own terminal told it. Nothing in it is proven yet. */
export type TypingPlace =
  | { terminal: "tmux"; pane: string; socket?: string }
  | { terminal: "kitty"; window: string; listensOn: string }
  | { terminal: "wezterm"; pane: string; socket?: string }
  | { terminal: "iterm2"; session: string };

/** The place, or why there is none that is certain. */
export type FoundPlace = { outcome: "place"; place: TypingPlace } | { outcome: "none"; reason: string };

/**
 * Where a session's terminal is typed into. What runs inside another one comes first: a tmux in kitty is typed into by
 * tmux. A value that is not spelled as its terminal spells it leads nowhere.
 */
export function typingPlaceOf({ terminal = {}, live }: Pick<Session, "terminal" | "live">): FoundPlace {
  const none = (reason: string): FoundPlace => ({ outcome: "none", reason });
  if (terminal.ZELLIJ !== undefined) return none("it runs in Zellij, which cannot be told what to type where");
  const tmux = tmuxPlace(terminal, live?.tmux);
  if (tmux !== undefined) return { outcome: "place", place: tmux };
  if (terminal.TMUX !== undefined || live?.tmux !== undefined) return none("its tmux pane is not known");
  if (terminal.STY !== undefined) return none("it runs in screen, where its window is not known");
  if (terminal.SSH_CONNECTION !== undefined) return none("it runs over SSH, without tmux");

  const window = terminal.KITTY_WINDOW_ID;
  if (window !== undefined && /^\d{1,9}$/.test(window)) {
    const listensOn = terminal.KITTY_LISTEN_ON;
    // An abstract socket (unix:@) can be anybody's, and a port, too.
    if (listensOn === undefined || !/^unix:\/./.test(listensOn)) {
      return none("kitty does not listen on a socket file (allow_remote_control and listen_on in kitty.conf)");
    }
    return { outcome: "place", place: { terminal: "kitty", window, listensOn } };
  }
  const pane = terminal.WEZTERM_PANE;
  if (pane !== undefined && /^\d{1,9}$/.test(pane)) {
    const socket = terminal.WEZTERM_UNIX_SOCKET;
    return { outcome: "place", place: { terminal: "wezterm", pane, ...(socket === undefined ? {} : { socket }) } };
  }
  const session = /^(?:w\d+t\d+p\d+:)?([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})$/i.exec(
    terminal.ITERM_SESSION_ID ?? "",
  )?.[1];
  if (session !== undefined) return { outcome: "place", place: { terminal: "iterm2", session } };
  return none("its terminal is not one that can be typed into (tmux, kitty, WezTerm, iTerm2)");
}

/** `$TMUX` is the server's socket, its pid and a session's number; the registry tells the pane alone. */
function tmuxPlace(terminal: Readonly<Record<string, string>>, live: string | undefined): TypingPlace | undefined {
  const pane = /(?:^|\.)(%\d{1,9})$/.exec(live ?? terminal.TMUX_PANE ?? "")?.[1];
  if (pane === undefined) return undefined;
  const socket = /^(\/.+),\d+,\d+$/.exec(terminal.TMUX ?? "")?.[1];
  if (terminal.TMUX !== undefined && socket === undefined) return undefined;
  return { terminal: "tmux", pane, ...(socket === undefined ? {} : { socket }) };
}
