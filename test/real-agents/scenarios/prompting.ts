import { promptFor } from "../model/conversation";
import { Gate } from "../model/gate";
import type { Turn } from "../model/turn";
import type { Stage } from "../scenario";

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

/** Sends a prompt to which the model answers so. */
export async function prompt({ model, terminal }: Stage, name: string, turns: readonly Turn[]): Promise<void> {
  model.learn(name, turns);
  await terminal.type(promptFor(name));
}

/**
 * A prompt and its answer, which nobody reads.
 *
 * @param before what other sessions show, up to this one
 */
export async function askAndGetAnswer(stage: Stage, { before = "", name = "answer" } = {}): Promise<void> {
  const { turn, gate } = heldAnswer();
  await prompt(stage, name, [turn]);
  await stage.list.shows(`${before}working`, { passing: [`${before}idle`] });
  gate.open();
  await stage.list.shows(`${before}done*`);
}
