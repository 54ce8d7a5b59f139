import type { AppPlace, PlanSetting } from "./app-place";
import type { FocusPlan } from "./focus-plan";

/**
 * Activates the window of a program. The source is ours alone; the name is one of our table's. PowerShell has no
 * `main(argv)` for `-Command`: what follows it becomes part of the source, so nothing from outside may.
 */
const ACTIVATE = `$p = Get-Process -Name WindowsTerminal -ErrorAction SilentlyContinue | Where-Object { $_.MainWindowHandle -ne 0 } | Select-Object -First 1; if ($null -eq $p) { 'missing' } elseif ((New-Object -ComObject WScript.Shell).AppActivate($p.Id)) { 'done' } else { 'unsupported' }`;

/** Windows Terminal: as a program. `wt focus-tab` and `focus-pane` take positions, and `WT_SESSION` is none. */
export function planWindowsTerminal({ terminal }: AppPlace, { platform }: PlanSetting): FocusPlan | undefined {
  if (platform !== "win32") return undefined;
  return {
    title: terminal.title,
    target: terminal.title,
    reach: "app",
    steps: [
      {
        argv: ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", ACTIVATE],
        answer: (output) =>
          output.trim() === "done" ? "done" : output.trim() === "missing" ? "missing" : "unsupported",
      },
    ],
    note: `${terminal.title} cannot be told which of its tabs to show.`,
  };
}
