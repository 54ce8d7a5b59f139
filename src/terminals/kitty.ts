import { activateApp, activateX11Window } from "./activate-app";
import type { AppPlace, PlanSetting } from "./app-place";
import type { FocusPlan } from "./focus-plan";
import { identifier } from "./identifiers";
import { listIn, parsed, valuesIn } from "./json-answer";

/**
 * kitty: the window by its number, over the socket in `KITTY_LISTEN_ON`. Without `allow_remote_control` and
 * `listen_on` in kitty.conf there is none, and the program is brought forward as a whole.
 */
export function planKitty(place: AppPlace, setting: PlanSetting): FocusPlan | undefined {
  const { facts, pids } = place;
  const address = addressOf(facts.KITTY_LISTEN_ON, setting);
  const window = identifier("number", facts.KITTY_WINDOW_ID);
  const whole = wholeOf(place, setting);
  if (address === undefined || window === undefined) return whole;
  // `kitten` came with kitty 0.28; `kitty @` is the same and works in all.
  const control = [setting.has("kitten") ? "kitten" : "kitty", "@", "--to", address] as const;
  return {
    title: "kitty",
    target: `window ${window} in kitty`,
    reach: "pane",
    check: { argv: [...control, "ls"], read: (output) => presenceIn(output, Number(window), pids) },
    steps: [
      ...(setting.platform === "darwin" ? (activateApp(place)?.steps ?? []) : []),
      { argv: [...control, "focus-window", "--match", `id:${window}`] },
    ],
    ...(whole === undefined ? {} : { otherwise: whole }),
  };
}

/** A socket of another user would answer as that user likes. Linux's abstract ones have no owner that can be asked. */
function addressOf(listenOn: string | undefined, { owns }: PlanSetting): string | undefined {
  const address = identifier("kitty address", listenOn);
  const path = address?.replace(/^unix:/, "");
  return path?.startsWith("/") === true && !owns(path) ? undefined : address;
}

function wholeOf(place: AppPlace, setting: PlanSetting): FocusPlan | undefined {
  const whole = setting.platform === "darwin" ? activateApp(place) : activateX11Window(place, setting);
  if (whole === undefined) return undefined;
  return { ...whole, note: "For the exact window, allow_remote_control and listen_on have to be set in kitty.conf." };
}

/** Reads `kitten @ ls`: windows of tabs of windows of the system, each with the process it was started with. */
function presenceIn(output: string, window: number, pids: readonly number[]): "there" | "gone" | "unknown" {
  const systemWindows = parsed(output);
  if (!Array.isArray(systemWindows)) return "unknown";
  const found = systemWindows
    .flatMap((each) => listIn(valuesIn(each).tabs))
    .flatMap((tab) => listIn(valuesIn(tab).windows))
    .map(valuesIn)
    .find(({ id }) => id === window);
  if (found === undefined) return "gone";
  if (pids.length === 0 || typeof found.pid !== "number") return "unknown";
  return pids.includes(found.pid) ? "there" : "gone";
}
