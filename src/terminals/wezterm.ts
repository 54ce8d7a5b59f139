import { activateApp, activateX11Window } from "./activate-app";
import type { AppPlace, PlanSetting } from "./app-place";
import type { FocusPlan } from "./focus-plan";
import { identifier, plainPath } from "./identifiers";
import { parsed, valuesIn } from "./json-answer";

/**
 * WezTerm: the pane by its number, over the socket in `WEZTERM_UNIX_SOCKET`. `activate-pane` selects pane and tab; it
 * raises no window (wezterm/wezterm#5536, #7990), so the program is opened too where that can be done.
 */
export function planWezTerm(place: AppPlace, setting: PlanSetting): FocusPlan | undefined {
  const pane = identifier("number", place.facts.WEZTERM_PANE);
  const whole = setting.platform === "darwin" ? activateApp(place) : activateX11Window(place, setting);
  const socket = plainPath(place.facts.WEZTERM_UNIX_SOCKET);
  if (pane === undefined || (socket !== undefined && !setting.owns(socket))) return whole;
  const environment = { WEZTERM_UNIX_SOCKET: socket, WEZTERM_PANE: undefined };
  const tty = identifier("tty", place.tty);
  return {
    title: "WezTerm",
    target: `pane ${pane} in WezTerm`,
    reach: whole === undefined ? "behind" : setting.platform === "darwin" ? "window" : "pane",
    check: {
      argv: ["wezterm", "cli", "list", "--format", "json"],
      environment,
      read: (output) => presenceIn(output, Number(pane), tty),
    },
    steps: [
      {
        argv: ["wezterm", "cli", "activate-pane", "--pane-id", pane],
        environment,
      },
      ...(whole?.steps ?? []),
    ],
    ...(whole !== undefined && setting.platform !== "darwin"
      ? {}
      : { note: "WezTerm raises no window by itself: the pane may be selected in one behind." }),
    ...(whole === undefined ? {} : { otherwise: whole }),
  };
}

/** Reads `wezterm cli list --format json`; newer versions tell the device of a pane. */
function presenceIn(output: string, pane: number, tty: string | undefined): "there" | "gone" | "unknown" {
  const panes = parsed(output);
  if (!Array.isArray(panes)) return "unknown";
  const found = panes.map(valuesIn).find(({ pane_id }) => pane_id === pane);
  if (found === undefined) return "gone";
  if (tty === undefined || typeof found.tty_name !== "string") return "unknown";
  return found.tty_name === tty ? "there" : "gone";
}
