import { identifier } from "./identifiers";
import type { AppPlace, PlanSetting } from "./app-place";
import type { FocusPlan, FocusStep } from "./focus-plan";

/** macOS: opens the program, which brings the window it had in front last forward. */
export function activateApp({ terminal, appFolder }: Pick<AppPlace, "terminal" | "appFolder">): FocusPlan | undefined {
  const step = openApp(terminal.bundle, appFolder, []);
  if (step === undefined) return undefined;
  return {
    title: terminal.title,
    target: terminal.title,
    reach: "app",
    steps: [step],
    note: `${terminal.title} can only be opened as a whole here.`,
  };
}

/** `open(1)`, by bundle identifier where there is one: a folder's name is what its user called it. */
export function openApp(
  bundle: string | undefined,
  appFolder: string | undefined,
  files: readonly string[],
): Pick<FocusStep, "argv"> | undefined {
  if (bundle !== undefined) return { argv: ["/usr/bin/open", "-b", bundle, ...files] };
  return appFolder === undefined ? undefined : { argv: ["/usr/bin/open", "-a", appFolder, ...files] };
}

/**
 * X11: activates the window a terminal told its programs (`WINDOWID`). Wayland lets no program do that. A window with
 * tabs may show another of them.
 */
export function activateX11Window(place: AppPlace, { display, has }: PlanSetting): FocusPlan | undefined {
  const { terminal, facts, appPid } = place;
  const window = identifier("number", facts.WINDOWID);
  if (display === undefined || window === undefined) return undefined;
  const plan = {
    title: terminal.title,
    target: `the window of ${terminal.title}`,
    reach: "window",
    note: "A window with tabs may show another one.",
  } as const;
  const environment = { DISPLAY: display };
  if (has("xdotool")) {
    return {
      ...plan,
      // Numbers of windows are used again: it has to be the terminal's.
      check: {
        argv: ["xdotool", "getwindowpid", window],
        environment,
        read: (output) => (appPid === undefined ? "unknown" : Number(output.trim()) === appPid ? "there" : "gone"),
      },
      steps: [{ argv: ["xdotool", "windowactivate", "--sync", window], environment }],
    };
  }
  if (!has("wmctrl")) return undefined;
  return {
    ...plan,
    check: {
      argv: ["wmctrl", "-l", "-p"],
      environment,
      read: (output) => presenceIn(output, Number(window), appPid),
    },
    steps: [{ argv: ["wmctrl", "-i", "-a", `0x${Number(window).toString(16)}`], environment }],
  };
}

/** Reads `wmctrl -l -p`: window in hexadecimal, desktop, process, host, title. */
function presenceIn(output: string, window: number, pid: number | undefined): "there" | "gone" | "unknown" {
  const line = output.split("\n").find((each) => Number.parseInt(each, 16) === window);
  if (line === undefined) return "gone";
  const owner = Number(line.split(/\s+/)[2]);
  if (pid === undefined || Number.isNaN(owner) || owner === 0) return "unknown";
  return owner === pid ? "there" : "gone";
}
