import { atom, read, update } from "claude-code";
import type { EngineInterface } from "claude-code";
import type { Overview } from "../core/session-row";

const NOTHING_READ: Overview = { at: 0, rows: [], error: "" };

/** What the pane shows. It is drawn anew when this changes. */
const overview = atom({ plugin: "agent-sessions", key: "overview" } as const, NOTHING_READ);

/** Which sessions were asked to save, and when. */
const asked = atom({ plugin: "agent-sessions", key: "asked" } as const, {});

/** What the pane shows. */
export async function shownOverview($: EngineInterface): Promise<Overview> {
  return read($, overview);
}

/** Has the pane show what was read. */
export async function setOverview($: EngineInterface, next: Overview): Promise<void> {
  await update($, overview, () => next);
}

/** Which sessions were asked to save, and when, in milliseconds. */
export async function askedSessions($: EngineInterface): Promise<Readonly<Record<string, number>>> {
  return read($, asked);
}

/** Notes that sessions were asked to save. */
export async function noteAsked($: EngineInterface, ids: readonly string[], at: number): Promise<void> {
  await update($, asked, (known) => ({ ...known, ...Object.fromEntries(ids.map((id) => [id, at])) }));
}
