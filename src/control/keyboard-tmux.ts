import { lstatSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { isForeign } from "../store/guarded-read";
import { DRAFT_LINES } from "./clearing-keys";
import type { Keyboard, TypedInto } from "./keyboard";
import { saidBy, type RunProgram } from "./run-program";
import type { TypingPlace } from "./typing-place";

type TmuxPlace = Extract<TypingPlace, { terminal: "tmux" }>;

/** A message of tmux's client to its server holds 16 KiB; a longer text goes by a buffer. */
const ARGUMENT_LIMIT = 4 * 1024;

const FACTS = ["pane_id", "pane_pid", "pane_dead", "pane_in_mode", "pane_synchronized", "pane_input_off", "pane_tty"];

/** No line of parents is longer. */
const DEPTH = 64;

/** Types into a pane of tmux, over the socket of its server. */
export function tmuxKeyboard({ pane, socket }: TmuxPlace, run: RunProgram): Keyboard {
  const server = socket === undefined ? [] : ["-S", socket];
  const tmux = (parameters: readonly string[], input?: string) =>
    run({ program: "tmux", parameters: [...server, ...parameters], ...(input === undefined ? {} : { input }) });
  const done = async (parameters: readonly string[], input?: string) => {
    const result = await tmux(parameters, input);
    if (result.outcome === "missing") return "tmux is not installed";
    return result.code === 0 ? undefined : `tmux refused: ${saidBy(result)}`;
  };
  return {
    async prove(agent) {
      if (socket !== undefined && !isOwnSocket(socket)) return "its tmux server's socket is gone, or not yours";
      const shown = await tmux(["display-message", "-p", "-t", pane, FACTS.map((fact) => `#{${fact}}`).join("|")]);
      if (shown.outcome === "missing") return "tmux is not installed";
      if (shown.code !== 0) return `its tmux pane ${pane} is gone`;
      return refusalOf(shown.stdout.trim().split("|"), pane, agent);
    },
    async clear() {
      const repeated = ["send-keys", "-t", pane, "-N", String(DRAFT_LINES), "C-u"];
      return (
        (await done(["send-keys", "-t", pane, "C-e"])) ??
        (await done(repeated)) ??
        (await done(["send-keys", "-t", pane, "BSpace"]))
      );
    },
    async write(text) {
      if (!text.includes("\n") && Buffer.byteLength(text) <= ARGUMENT_LIMIT) {
        // A semicolon at the end of an argument would part two commands of tmux.
        return done(["send-keys", "-t", pane, "-l", "--", text.replace(/;$/, "\\;")]);
      }
      const buffer = `agent-sessions-${randomUUID()}`;
      const loaded = await done(["load-buffer", "-b", buffer, "-"], text);
      if (loaded !== undefined) return loaded;
      return done(["paste-buffer", "-p", "-d", "-b", buffer, "-t", pane]);
    },
    enter: () => done(["send-keys", "-t", pane, "Enter"]),
    escape: () => done(["send-keys", "-t", pane, "Escape"]),
  };
}

function refusalOf(facts: readonly string[], pane: string, { pid, terminal, parentOf }: TypedInto): string | undefined {
  const [id, panePid, dead, mode, synchronized, inputOff, tty] = facts;
  if (id !== pane || panePid === undefined || tty === undefined) return `its tmux pane ${pane} is gone`;
  if (dead === "1") return `what ran in its tmux pane ${pane} has ended`;
  if (!descends(pid, Number(panePid), parentOf) || !terminal.isAt(tty)) {
    return `the tmux pane ${pane} is another process's now`;
  }
  if (!terminal.isInFront) return "it is stopped or in the background: what is typed would go to its shell";
  if (mode !== "" && mode !== "0") return `its tmux pane ${pane} is being scrolled or searched (copy mode)`;
  if (synchronized === "1") return "its tmux window types into all panes at once (synchronize-panes)";
  if (inputOff === "1") return `its tmux pane ${pane} takes no input`;
  return undefined;
}

function descends(pid: number, ancestor: number, parentOf: (pid: number) => number | undefined): boolean {
  let each: number | undefined = pid;
  for (let depth = 0; each !== undefined && depth < DEPTH; depth++) {
    if (each === ancestor) return true;
    each = parentOf(each);
  }
  return false;
}

function isOwnSocket(path: string): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isSocket() && !isForeign(stats);
  } catch {
    return false;
  }
}
