import type { Tone } from "../../session/looks";
import { printable } from "../../session/text";
import type { Segment } from "./segment";

/** The style of each tone, as tmux(1) names styles; none for what is calm. */
const STYLES: Readonly<Record<Tone, string | undefined>> = {
  urgent: "fg=red,bold",
  answer: "fg=green",
  active: "fg=blue",
  planned: "fg=magenta",
  calm: undefined,
  doubt: "fg=yellow",
};

/**
 * A segment as tmux shows the output of `#(command)`: tmux expands it as a format and reads styles from it, so
 * each `#` that is meant stands doubled. Empty when there is nothing to show.
 */
export function tmuxText({ counts, gap, title }: Segment, color: boolean): string {
  const shown = counts.map(({ text, tone }) => styled(escapeTmux(text), tone, color)).join(gap);
  return title === undefined ? shown : `${shown}: ${escapeTmux(title)}`;
}

/** A text that tmux shows as it is, whatever it holds. */
export function escapeTmux(text: string): string {
  return printable(text).replaceAll("#", "##");
}

function styled(text: string, tone: Tone, color: boolean): string {
  const style = color ? STYLES[tone] : undefined;
  return style === undefined ? text : `#[${style}]${text}#[default]`;
}
