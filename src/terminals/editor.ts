import { activateApp, activateX11Window, openApp } from "./activate-app";
import type { AppPlace, PlanSetting } from "./app-place";
import type { Argv, FocusPlan } from "./focus-plan";
import { plainPath } from "./identifiers";
import type { TerminalName } from "./which-terminal";

/** The editors' own commands, which bring the window of a folder forward, or open one. */
const COMMANDS: Partial<Record<TerminalName, readonly string[]>> = {
  vscode: ["code"],
  "vscode-insiders": ["code-insiders"],
  vscodium: ["codium"],
  cursor: ["cursor"],
  windsurf: ["windsurf"],
  zed: ["zed", "zeditor"],
  jetbrains: [
    "idea",
    "pycharm",
    "webstorm",
    "goland",
    "clion",
    "phpstorm",
    "rubymine",
    "rider",
    "datagrip",
    "rustrover",
  ],
};

/**
 * Editors: the window of the folder that is worked in. None lets its terminals be chosen from outside, and a folder
 * that has no window gets one.
 */
export function planEditor(place: AppPlace, setting: PlanSetting): FocusPlan | undefined {
  const { terminal, appFolder } = place;
  const folder = plainPath(place.folder);
  const whole = setting.platform === "darwin" ? activateApp(place) : activateX11Window(place, setting);
  const argv = folder === undefined ? undefined : openingOf(place, folder, setting);
  if (argv === undefined || (setting.platform === "darwin" && openApp(terminal.bundle, appFolder, []) === undefined))
    return whole;
  return {
    title: terminal.title,
    target: `the window of the folder in ${terminal.title}`,
    reach: "window",
    steps: [{ argv }],
    note: `${terminal.title} cannot be told which of its terminals to show.`,
    ...(whole === undefined ? {} : { otherwise: whole }),
  };
}

function openingOf(
  { terminal, appFolder }: AppPlace,
  folder: string,
  { platform, has }: PlanSetting,
): Argv | undefined {
  if (platform === "darwin") return openApp(terminal.bundle, appFolder, [folder])?.argv;
  // On Windows the commands are batch files, which only a shell can run.
  if (platform === "win32") return undefined;
  const installed = (COMMANDS[terminal.name] ?? []).filter(has);
  // Which of several JetBrains IDEs it is, nothing tells.
  const [command, another] = installed;
  return command === undefined || (terminal.name === "jetbrains" && another !== undefined)
    ? undefined
    : [command, folder];
}
