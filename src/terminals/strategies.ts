import { activateApp, activateX11Window } from "./activate-app";
import type { AppPlace, PlanSetting, TerminalStrategy } from "./app-place";
import { planAppleTerminal } from "./apple-terminal";
import { planEditor } from "./editor";
import type { FocusPlan } from "./focus-plan";
import { planGhostty } from "./ghostty";
import { planIterm2 } from "./iterm2";
import { planKitty } from "./kitty";
import { planWarp } from "./warp";
import { planWezTerm } from "./wezterm";
import type { TerminalName } from "./which-terminal";
import { planWindowsTerminal } from "./windows-terminal";

const STRATEGIES: Readonly<Partial<Record<TerminalName, TerminalStrategy>>> = {
  "apple-terminal": planAppleTerminal,
  iterm2: planIterm2,
  ghostty: planGhostty,
  kitty: planKitty,
  wezterm: planWezTerm,
  warp: planWarp,
  vscode: planEditor,
  "vscode-insiders": planEditor,
  vscodium: planEditor,
  cursor: planEditor,
  windsurf: planEditor,
  zed: planEditor,
  jetbrains: planEditor,
  "windows-terminal": planWindowsTerminal,
};

/** How a place in a terminal is brought forward; undefined where nothing can. */
export function planApp(place: AppPlace, setting: PlanSetting): FocusPlan | undefined {
  return (STRATEGIES[place.terminal.name] ?? planWhole)(place, setting);
}

/** Terminals without a control of their own. */
function planWhole(place: AppPlace, setting: PlanSetting): FocusPlan | undefined {
  return setting.platform === "darwin" ? activateApp(place) : activateX11Window(place, setting);
}
