import type { Turn } from "./turn";

/** A message of a request, whatever the protocol. */
export interface Message {
  role: "user" | "assistant" | "system";
  text: string;
}

/** An answer, or what makes it of what the model was last asked. */
export type Answer = Turn | ((asked: string) => Turn);

/** What is played, by name: a prompt that holds `play:name` gets that list of answers. */
export type Scripts = ReadonlyMap<string, readonly Answer[]>;

/** The prompt that plays a script. */
export function promptFor(name: string): string {
  return `please play:${name}`;
}

/**
 * The answer that is due: of the script that the last such prompt asks for, the one after as many as were given since.
 * The conversation itself tells where it stands, so that retries and subagents, each with its own, do not get mixed up.
 */
export function turnFor(messages: readonly Message[], scripts: Scripts): Turn {
  const start = messages.findLastIndex(({ role, text }) => role === "user" && scriptNameIn(text) !== undefined);
  const turns = scripts.get(scriptNameIn(messages[start]?.text ?? "") ?? "") ?? [];
  const since = messages.slice(start + 1);
  // Text and call of one answer may come as two messages.
  const given = since.filter(({ role }, index) => role === "assistant" && since[index - 1]?.role !== "assistant");
  const turn = turns[given.length] ?? { text: "There is nothing more to say." };
  return typeof turn === "function" ? turn(messages.findLast(({ role }) => role === "user")?.text ?? "") : turn;
}

/** The script that a conversation plays now. */
export function playedName(messages: readonly Message[]): string | undefined {
  return messages
    .filter(({ role }) => role === "user")
    .map(({ text }) => scriptNameIn(text))
    .findLast((name) => name !== undefined);
}

function scriptNameIn(text: string): string | undefined {
  return Array.from(text.matchAll(/play:([a-z-]+)/g)).at(-1)?.[1];
}
