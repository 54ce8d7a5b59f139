import { valuesIn, parsed } from "./json-answer";
import type { Call, FocusPlan } from "./focus-plan";

/** A pane of a Zellij session. Its number is never used twice in a session. */
export interface ZellijPlace {
  kind: "zellij";
  session: string;
  pane: string;
}

/** Asks for the clients that show a session: a line of titles, then one a client (Zellij 0.40.1). */
export function listZellijClients(session: string): Call {
  return { argv: ["zellij", "--session", session, "action", "list-clients"] };
}

/** How many terminals show a session. */
export function clientCountOfZellij(output: string): number {
  return output.split("\n").filter((line) => /^\s*\d+\s/.test(line)).length;
}

/**
 * Focuses a pane and the tab it is in. `list-panes` and `focus-pane-id` came with Zellij 0.44; an older one refuses
 * them, which is told. Of several clients, the one used last is moved.
 */
export function planZellij({ session, pane }: ZellijPlace): FocusPlan {
  return {
    title: "Zellij",
    target: `pane ${pane} in Zellij`,
    reach: "pane",
    check: {
      argv: ["zellij", "--session", session, "action", "list-panes", "--json"],
      read: (output) => presenceIn(output, Number(pane)),
    },
    steps: [
      {
        argv: ["zellij", "--session", session, "action", "focus-pane-id", `terminal_${pane}`],
      },
    ],
  };
}

function presenceIn(output: string, pane: number): "there" | "gone" | "unknown" {
  const panes = parsed(output);
  if (!Array.isArray(panes)) return "unknown";
  const found = panes.map(valuesIn).find(({ id, is_plugin }) => id === pane && is_plugin !== true);
  return found === undefined || found.exited === true ? "gone" : "there";
}
