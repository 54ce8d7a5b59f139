import { activateApp } from "./activate-app";
import type { AppPlace, PlanSetting } from "./app-place";
import type { FocusPlan } from "./focus-plan";
import { identifier } from "./identifiers";
import { terminalNamed, type TerminalApp } from "./which-terminal";

/** Warp's link to a pane and the program it belongs to, when a text is one: `warp://session/<uuid>`. */
export function warpLink(text: string | undefined): { url: string; isPreview: boolean } | undefined {
  const [, scheme, id] = /^(warp|warppreview):\/\/session\/([0-9A-Fa-f-]+)$/.exec(text ?? "") ?? [];
  if (scheme === undefined || identifier("uuid", id) === undefined) return undefined;
  return { url: `${scheme}://session/${id}`, isPreview: scheme === "warppreview" };
}

/**
 * Warp: opens the link it gave each pane (`WARP_FOCUS_URL`, since 2026-05). A link to a pane that is gone does
 * nothing, without a word (st0012/cctop#244), so the program is opened first.
 */
export function planWarp(place: AppPlace, { platform, has }: PlanSetting): FocusPlan | undefined {
  const link = warpLink(place.facts.WARP_FOCUS_URL);
  if (platform === "darwin") {
    const app = activateApp({ ...place, terminal: channelOf(place.terminal, link?.isPreview === true) });
    if (link === undefined) return app;
    return {
      title: "Warp",
      target: "the pane in Warp",
      reach: "pane",
      steps: [...(app?.steps ?? []), { argv: ["/usr/bin/open", link.url] }],
      ...(app === undefined ? {} : { otherwise: app }),
    };
  }
  if (link === undefined || platform === "win32" || !has("xdg-open")) return undefined;
  return { title: "Warp", target: "the pane in Warp", reach: "pane", steps: [{ argv: ["xdg-open", link.url] }] };
}

function channelOf(terminal: TerminalApp, isPreview: boolean): TerminalApp {
  return isPreview ? { ...terminalNamed("warp"), bundle: "dev.warp.Warp-Preview" } : terminal;
}
