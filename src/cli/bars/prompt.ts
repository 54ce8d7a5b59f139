import type { Tone } from "../../session/looks";
import { printable } from "../../session/text";
import type { Segment } from "./segment";

/** The shells whose prompts have an escape of their own. */
export const PROMPT_SHELLS = ["bash", "zsh", "fish"] as const;

export type PromptShell = (typeof PROMPT_SHELLS)[number];

/** Select graphic rendition codes (ECMA-48) of each tone; none for what is calm. */
const CODES: Readonly<Record<Tone, string | undefined>> = {
  urgent: "1;31",
  answer: "32",
  active: "34",
  planned: "35",
  calm: undefined,
  doubt: "33",
};

/** The prompt escapes of zsh for each tone (zshmisc, visual effects). */
const ZSH: Readonly<Record<Tone, readonly [begin: string, end: string] | undefined>> = {
  urgent: ["%B%F{red}", "%f%b"],
  answer: ["%F{green}", "%f"],
  active: ["%F{blue}", "%f"],
  planned: ["%F{magenta}", "%f"],
  calm: undefined,
  doubt: ["%F{yellow}", "%f"],
};

/**
 * A segment for a shell's prompt. A color needs the shell, which must know what takes no room on the line: without one
 * the text is plain. Empty when there is nothing to show.
 */
export function promptText({ counts, gap, title }: Segment, shell: PromptShell | undefined, color: boolean): string {
  const shown = counts
    .map(({ text, tone }) => {
      const escaped = escapePrompt(text, shell);
      return color && shell !== undefined ? colored(escaped, tone, shell) : escaped;
    })
    .join(gap);
  return title === undefined ? shown : `${shown}: ${escapePrompt(title, shell)}`;
}

/** Look-alikes of what a shell would act on when it expands a prompt once more: a prompt may hold `$(…)` of a title. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { "\\": "⧵", $: "＄", "`": "ˋ" };

/** A text that the prompt of a shell shows as it is, whichever way the prompt is set. */
export function escapePrompt(text: string, shell: PromptShell | undefined): string {
  const inert = printable(text).replace(/[\\$`]/g, (mark) => LOOK_ALIKES[mark] ?? "");
  switch (shell) {
    case "zsh":
      return inert.replaceAll("%", "%%");
    case undefined:
      // The text may end in a prompt of zsh all the same.
      return inert.replaceAll("%", "％");
    case "bash":
    case "fish":
      return inert;
    default:
      return shell satisfies never;
  }
}

function colored(text: string, tone: Tone, shell: PromptShell): string {
  const code = CODES[tone];
  const escapes = ZSH[tone];
  if (code === undefined || escapes === undefined) return text;
  switch (shell) {
    case "zsh":
      return `${escapes[0]}${text}${escapes[1]}`;
    case "bash":
      // What \[ and \] become: bash reads those only in PS1 itself, these in what a command put there too.
      return `\u0001\u001b[${code}m\u0002${text}\u0001\u001b[0m\u0002`;
    case "fish":
      return `\u001b[${code}m${text}\u001b[0m`;
    default:
      return shell satisfies never;
  }
}
