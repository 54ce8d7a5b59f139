import { promptFor } from "../model/conversation";
import { Gate } from "../model/gate";
import type { Turn } from "../model/turn";
import type { Stage } from "../scenario";
import type { Deed, Moment } from "../shown-sessions";

const ANSWER = "The first half of the answer.\n\nThe second half of the answer.";

/** What is on the screen once an answer has begun. */
export const BEGINNING = /The first half/;

/** An answer that stops in the middle until its gate opens. */
export function heldAnswer(): { turn: Turn; gate: Gate } {
  const gate = new Gate();
  return { turn: { text: ANSWER, gate }, gate };
}

/** A shell command that leaves a trace, so that agents ask before it. */
export const COMMAND = "touch made-by-agent";

/** A deed, with the moment it was done. */
export async function did(deed: string, moment: Moment | Promise<Moment>): Promise<Deed> {
  return { deed, at: await moment };
}

/** Sends a prompt to which the model answers so; gives the moment. */
export async function prompt(
  { model, terminal }: Pick<Stage, "model" | "terminal">,
  name: string,
  turns: readonly Turn[],
): Promise<Moment> {
  model.learn(name, turns);
  return terminal.type(promptFor(name));
}

/**
 * A prompt and its answer, which nobody reads.
 *
 * @param options.before what other sessions show, up to this one
 * @param options.after what is shown of those that come after it
 * @param options.passing what may be shown before it works, beside that it is idle
 */
export async function askAndGetAnswer(
  stage: Pick<Stage, "model" | "terminal" | "list">,
  {
    before = "",
    after = "",
    name = "answer",
    passing = [],
  }: { before?: string; after?: string; name?: string; passing?: readonly string[] } = {},
): Promise<void> {
  const { turn, gate } = heldAnswer();
  await prompt(stage, name, [turn]);
  await stage.list.shows(`${before}working${after}`, { passing: [`${before}idle${after}`, ...passing] });
  gate.open();
  await stage.list.shows(`${before}done*${after}`);
}
