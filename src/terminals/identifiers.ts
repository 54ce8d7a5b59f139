import { isAbsolute } from "node:path";

/**
 * What ids of terminals look like. They come from files and environments, so nothing else is ever given to a
 * terminal; what does not fit is as if it were not known.
 */
const PATTERNS = {
  /** tmux: `%12`. */
  "tmux pane": /^%\d{1,9}$/,
  /** tmux: `@3`. */
  "tmux window": /^@\d{1,9}$/,
  /** tmux: `$1`. */
  "tmux session": /^\$\d{1,9}$/,
  /** kitty, WezTerm, Zellij, screen and X11 number their windows and panes. */
  number: /^\d{1,10}$/,
  /** iTerm2's and Warp's ids. */
  uuid: /^[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}$/,
  /** A terminal's device. */
  tty: /^\/dev\/(?:pts\/\d{1,6}|tty[A-Za-z0-9]{1,12})$/,
  /** screen's `pid.name`; the name is the user's. */
  "screen session": /^\d{1,10}\.[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$/,
  /** kitty's `--to`: a socket in the file system or in Linux's abstract names; never one across a network. */
  "kitty address": /^unix:(?:@[A-Za-z0-9._-]{1,100}|\/[^\p{Cc}]{1,200})$/u,
} as const;

export type IdentifierKind = keyof typeof PATTERNS;

/** An id when it looks as one of its kind must, else undefined. */
export function identifier(kind: IdentifierKind, text: string | undefined): string | undefined {
  return text !== undefined && PATTERNS[kind].test(text) ? text : undefined;
}

/** Whether a text holds a control character, NUL and line breaks among them. */
export function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** A path that can be given to a program as it is: absolute (so no option), without control characters. */
export function plainPath(path: string | undefined): string | undefined {
  if (path === undefined || path === "" || !isAbsolute(path) || hasControls(path)) return undefined;
  return path.isWellFormed() ? path : undefined;
}

/** A name that the user chose (of a Zellij session), when no program can take it for an option. */
export function plainName(name: string | undefined): string | undefined {
  if (name === undefined || name === "" || name.startsWith("-") || name.includes("/")) return undefined;
  return hasControls(name) || name.length > 128 || !name.isWellFormed() ? undefined : name;
}
