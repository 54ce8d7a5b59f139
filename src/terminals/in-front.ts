import { script } from "./apple-script";
import { identifier } from "./identifiers";
import { listIn, parsed, valuesIn } from "./json-answer";
import type { Machine, RunResult } from "./machine";
import type { ProcessTree } from "./process-tree";
import { findPlace, type Layer, type Place, type Whereabouts } from "./place";
import { activePaneOf, paneIdIn } from "./tmux-active";
import { TERMINALS, type TerminalName } from "./which-terminal";

/**
 * The session that the user looks at: the only one whose pane is the one in front. Undefined where that is not certain: no
 * terminal is in front, it does not tell which of its tabs is, or it is not one session that runs there.
 */
export async function sessionInFront<T extends Whereabouts>(
  sessions: readonly T[],
  machine: Machine,
): Promise<T | undefined> {
  // Without a process nothing proves where a session is.
  const candidates = sessions.filter(({ process }) => process !== undefined);
  if (candidates.length === 0) return undefined;
  const front = await frontOf(machine);
  if (front === undefined) return undefined;
  const look = oneLook(machine);
  const there: T[] = [];
  for (const session of candidates) {
    const place = await findPlace(session, look);
    if (place.outcome === "found" && (await isShown(place, front, look))) there.push(session);
  }
  return there.length === 1 ? there[0] : undefined;
}

/** What is in front: a terminal's tab by its device, or a window of X11 by its number. */
type Front = { terminal: TerminalName; tty: string } | { terminal: "kitty" } | { window: string };

/** Terminals that show one thing in a window, so that the window is it. */
const WITHOUT_TABS: ReadonlySet<TerminalName> = new Set(["xterm", "urxvt", "alacritty"]);

async function frontOf(machine: Machine): Promise<Front | undefined> {
  if (machine.platform === "darwin") return frontOfMac(machine);
  if (machine.platform !== "linux" || machine.display === undefined || !machine.has("xdotool")) return undefined;
  const asked = await machine.run({
    argv: ["xdotool", "getactivewindow"],
    environment: { DISPLAY: machine.display },
  });
  const window = identifier("number", outputOf(asked)?.trim());
  return window === undefined ? undefined : { window };
}

/** The launcher's own window is a panel, which leaves the program below in front. */
const FRONT_PROGRAM = "id of application (path to frontmost application as text)";

/**
 * The device of the tab in front, by terminal (iTerm2's scripting documentation: `current session`; Terminal's dictionary:
 * `selected tab`; ghostty.org/docs/features/applescript: `focused terminal`). What cannot be told is an error.
 */
const FRONT_DEVICE: Readonly<Partial<Record<TerminalName, string>>> = {
  iterm2: `tell application id "com.googlecode.iterm2" to tty of current session of current window`,
  "apple-terminal": `tell application id "com.apple.Terminal" to tty of selected tab of front window`,
  ghostty: `tell application id "com.mitchellh.ghostty" to tty of focused terminal of selected tab of front window`,
};

async function frontOfMac(machine: Machine): Promise<Front | undefined> {
  const bundle = outputOf(await machine.run({ argv: script(FRONT_PROGRAM) }))?.trim();
  const terminal = TERMINALS.find((each) => each.bundle !== undefined && each.bundle === bundle)?.name;
  if (terminal === "kitty") return { terminal };
  const source = terminal === undefined ? undefined : FRONT_DEVICE[terminal];
  if (terminal === undefined || source === undefined) return undefined;
  const tty = identifier("tty", outputOf(await machine.run({ argv: script(source) }))?.trim());
  return tty === undefined ? undefined : { terminal, tty };
}

/** Whether a place is what is in front: its terminal's tab, and in it the active pane of each multiplexer. */
async function isShown(place: Extract<Place, { outcome: "found" }>, front: Front, machine: Machine): Promise<boolean> {
  if (!place.isConfirmed || place.openEnd !== undefined) return false;
  const outermost = place.layers.at(-1);
  if (outermost?.kind !== "app" || !(await isFront(outermost, front, machine))) return false;
  for (const layer of place.layers.slice(0, -1)) if (!(await isActive(layer, machine))) return false;
  return true;
}

async function isFront(
  { terminal, tty, facts, pids }: Extract<Layer, { kind: "app" }>,
  front: Front,
  machine: Machine,
): Promise<boolean> {
  if ("window" in front) return WITHOUT_TABS.has(terminal.name) && facts.WINDOWID === front.window;
  if (terminal.name !== front.terminal) return false;
  if ("tty" in front) return tty === front.tty;
  const address = identifier("kitty address", facts.KITTY_LISTEN_ON);
  const path = address?.replace(/^unix:/, "");
  if (address === undefined || (path?.startsWith("/") === true && !machine.ownsSocket(path))) return false;
  const control = machine.has("kitten") ? "kitten" : "kitty";
  const asked = await machine.run({ argv: [control, "@", "--to", address, "ls"] });
  return isFocusedIn(outputOf(asked) ?? "", pids);
}

/** Reads `kitten @ ls`: whether the focused window of the focused tab was started as one of these processes. */
function isFocusedIn(output: string, pids: readonly number[]): boolean {
  const isFocused = ({ is_focused }: Readonly<Record<string, unknown>>) => is_focused === true;
  const windows = listIn(parsed(output))
    .map(valuesIn)
    .filter(isFocused)
    .flatMap(({ tabs }) => listIn(tabs).map(valuesIn).filter(isFocused))
    .flatMap((tab) => listIn(tab.windows).map(valuesIn).filter(isFocused));
  return windows.some(({ pid }) => typeof pid === "number" && pids.includes(pid));
}

async function isActive(layer: Layer, machine: Machine): Promise<boolean> {
  switch (layer.kind) {
    case "tmux": {
      if (layer.client === undefined || layer.client.isControl) return false;
      const shown = await machine.run(activePaneOf(layer.pane.socket, layer.client.session));
      return paneIdIn(outputOf(shown) ?? "") === layer.pane.pane;
    }
    // They do not tell which of their panes is in front.
    case "zellij":
    case "screen":
      return false;
    case "app":
      return true;
    default:
      return layer satisfies never;
  }
}

function outputOf(result: RunResult): string | undefined {
  return result.outcome === "ended" && result.code === 0 ? result.stdout : undefined;
}

/** A machine that is asked each question once: many sessions ask the same. */
function oneLook(machine: Machine): Machine {
  let tree: Promise<ProcessTree | undefined> | undefined;
  const ran = new Map<string, Promise<RunResult>>();
  return {
    platform: machine.platform,
    shell: machine.shell,
    home: machine.home,
    ...(machine.display === undefined ? {} : { display: machine.display }),
    processes: () => (tree ??= machine.processes()),
    factsOf: (pid) => machine.factsOf(pid),
    tmuxSockets: () => machine.tmuxSockets(),
    ownsSocket: (path) => machine.ownsSocket(path),
    has: (program) => machine.has(program),
    isFolder: (path) => machine.isFolder(path),
    start: (call) => machine.start(call),
    run(call) {
      const key = JSON.stringify(call);
      const known = ran.get(key) ?? machine.run(call);
      ran.set(key, known);
      return known;
    },
  };
}
