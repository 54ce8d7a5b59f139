import type { EngineInterface } from "claude-code";
import { listProcesses, refreshOverview } from "./overview";
import { texts } from "./surroundings";

export const PANE = "sessions";

/** How often the pane is read anew while it is open. */
const EVERY_MS = 20_000;

/** The registry shows a turn's end so much later, at times even later. */
const SETTLED_MS = 1_500;

let ticker: { cancel: () => void } | undefined;

/** `/sessions`: opens the overview, or closes it. */
export async function toggleOverview($: EngineInterface): Promise<string> {
  const says = await texts($);
  if (await isOpen($)) {
    await $.ui.close({ id: PANE });
    return says.closed;
  }
  await listProcesses($);
  await refreshOverview($);
  await showOverview($);
  return says.opened;
}

/** Shows the overview and keeps it up to date. */
export async function showOverview($: EngineInterface): Promise<void> {
  await $.ui.open({ id: PANE, title: (await texts($)).paneTitle });
  keepUpToDate($);
}

/** After the plugin was loaded anew while the overview was open. */
export async function resumeOverview($: EngineInterface): Promise<void> {
  if (await isOpen($)) keepUpToDate($);
}

/** Reads the overview anew once the registry shows that a turn ended, where it is open. */
export function refreshAfterTurn($: EngineInterface): void {
  if (ticker === undefined) return;
  $.clock.after(SETTLED_MS, () => {
    if (ticker !== undefined) void refreshOverview($);
  });
}

/** The overview was closed. */
export function overviewClosed(): void {
  ticker?.cancel();
  ticker = undefined;
}

function keepUpToDate($: EngineInterface): void {
  ticker ??= $.clock.every(EVERY_MS, () => {
    void refreshOverview($);
  });
}

async function isOpen($: EngineInterface): Promise<boolean> {
  return (await $.ui.panes()).some(({ id }) => id === PANE);
}
