import { CLEARING } from "./clearing-keys";
import type { Keyboard } from "./keyboard";
import { saidBy, type RunProgram } from "./run-program";
import type { TypingPlace } from "./typing-place";

type KittyPlace = Extract<TypingPlace, { terminal: "kitty" }>;

/**
 * Types into a window of kitty by its remote control (kitty's manual, "Control kitty from scripts"). The text comes on
 * standard input, where kitty takes it as it is; in an argument it would read escapes.
 */
export function kittyKeyboard({ window, listensOn }: KittyPlace, run: RunProgram): Keyboard {
  const kitty = (parameters: readonly string[], input?: string) =>
    run({
      program: "kitty",
      parameters: ["@", "--to", listensOn, ...parameters],
      ...(input === undefined ? {} : { input }),
    });
  const send = async (input: string, ...further: string[]) => {
    const result = await kitty(["send-text", "--match", `id:${window}`, ...further, "--stdin"], input);
    if (result.outcome === "missing") return "kitty is not installed where it is looked for";
    return result.code === 0 ? undefined : `kitty refused: ${saidBy(result)}`;
  };
  return {
    async prove({ pid, terminal }) {
      const listed = await kitty(["ls"]);
      if (listed.outcome === "missing") return "kitty is not installed where it is looked for";
      if (listed.code !== 0) return `kitty does not answer: ${saidBy(listed)}`;
      if (!foregroundOf(listed.stdout, Number(window)).includes(pid)) {
        return `the kitty window ${window} is another process's now`;
      }
      return terminal.isInFront ? undefined : "it is stopped or in the background: what is typed would go to its shell";
    },
    clear: () => send(CLEARING),
    write: (text) => (text.includes("\n") ? send(text, "--bracketed-paste=enable") : send(text)),
    enter: () => send("\r"),
    escape: () => send("\x1b"),
  };
}

/** The processes in the foreground of a window, from what `kitty @ ls` prints. */
function foregroundOf(output: string, window: number): number[] {
  let systemWindows: unknown;
  try {
    systemWindows = JSON.parse(output);
  } catch {
    return [];
  }
  return listIn(systemWindows)
    .flatMap((each) => listIn(fieldOf(each, "tabs")))
    .flatMap((tab) => listIn(fieldOf(tab, "windows")))
    .filter((each) => fieldOf(each, "id") === window)
    .flatMap((each) => listIn(fieldOf(each, "foreground_processes")))
    .map((each) => fieldOf(each, "pid"))
    .filter((pid): pid is number => typeof pid === "number");
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(key);
}
