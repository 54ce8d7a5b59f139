import type { Gate } from "./gate";

/** What the model wants done. Each protocol names the tools as its agent does. */
export type Call =
  | {
      tool: "shell";
      command: string;
      inBackground?: boolean;
      /** Asks to run outside the sandbox, where the agent has one: that is what it asks the user about. */
      outsideSandbox?: boolean;
    }
  /** Writes a file that was not there. */
  | { tool: "write"; file: string; text: string }
  | { tool: "ask"; question: string }
  | { tool: "subagent"; prompt: string };

/** One answer of the model. */
export interface Turn {
  text?: string;
  /** With a gate, the first paragraph of the text comes at once, and the rest when the gate opens. */
  gate?: Gate;
  call?: Call;
  error?: { status: number; type: string; message: string };
}

/** A tool call as a protocol writes it. */
export interface NamedCall {
  name: string;
  /** The group of tools it is in, where the protocol has groups. */
  namespace?: string;
  input: Record<string, unknown>;
}

/** The choice that every question of these tests offers. */
export const OPTIONS = [
  { label: "Red", description: "the red one" },
  { label: "Blue", description: "the blue one" },
];

/** The text as it is sent, piece by piece. */
export async function* piecesOf({ text = "", gate }: Turn): AsyncGenerator<string> {
  if (gate === undefined) {
    yield text;
    return;
  }
  // Some agents show a line once it is whole.
  const rest = text.indexOf("\n\n") + 2;
  yield text.slice(0, rest);
  await gate.opened;
  yield text.slice(rest);
}
