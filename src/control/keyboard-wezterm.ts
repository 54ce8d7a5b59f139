import { CLEARING } from "./clearing-keys";
import type { Keyboard } from "./keyboard";
import { saidBy, type RunProgram } from "./run-program";
import type { TypingPlace } from "./typing-place";

type WeztermPlace = Extract<TypingPlace, { terminal: "wezterm" }>;

/** Types into a pane of WezTerm by `wezterm cli` (its manual): the text comes on standard input. */
export function weztermKeyboard({ pane, socket }: WeztermPlace, run: RunProgram): Keyboard {
  const wezterm = (parameters: readonly string[], input?: string) =>
    run({
      program: "wezterm",
      parameters: ["cli", "--no-auto-start", ...parameters],
      ...(input === undefined ? {} : { input }),
      ...(socket === undefined ? {} : { environment: { WEZTERM_UNIX_SOCKET: socket } }),
    });
  const send = async (input: string, ...further: string[]) => {
    const result = await wezterm(["send-text", "--pane-id", pane, ...further], input);
    if (result.outcome === "missing") return "wezterm is not installed where it is looked for";
    return result.code === 0 ? undefined : `WezTerm refused: ${saidBy(result)}`;
  };
  return {
    async prove({ terminal }) {
      const listed = await wezterm(["list", "--format", "json"]);
      if (listed.outcome === "missing") return "wezterm is not installed where it is looked for";
      if (listed.code !== 0) return `WezTerm does not answer: ${saidBy(listed)}`;
      const tty = ttyOf(listed.stdout, Number(pane));
      if (tty === undefined || !terminal.isAt(tty)) return `the WezTerm pane ${pane} is another process's now`;
      return terminal.isInFront ? undefined : "it is stopped or in the background: what is typed would go to its shell";
    },
    clear: () => send(CLEARING, "--no-paste"),
    // Without --no-paste it is a paste, in brackets where the program asked for that.
    write: (text) => (text.includes("\n") ? send(text) : send(text, "--no-paste")),
    enter: () => send("\r", "--no-paste"),
    escape: () => send("\x1b", "--no-paste"),
  };
}

/** The terminal of a pane, from what `wezterm cli list --format json` prints. */
function ttyOf(output: string, pane: number): string | undefined {
  let panes: unknown;
  try {
    panes = JSON.parse(output);
  } catch {
    return undefined;
  }
  if (!Array.isArray(panes)) return undefined;
  for (const each of panes as readonly unknown[]) {
    if (typeof each !== "object" || each === null || !("pane_id" in each) || each.pane_id !== pane) continue;
    return "tty_name" in each && typeof each.tty_name === "string" ? each.tty_name : undefined;
  }
  return undefined;
}
