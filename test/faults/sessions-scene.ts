import { mkdirSync, writeFileSync } from "node:fs";
import { SessionStore } from "../../src/store/session-store";
import type { World } from "./world";

/** At work, without the plugin: reached by what its recorder prints at its Stop. */
export const BUSY = { agent: "claude", sessionId: "4f2e8190-1d47-46fc-99e3-ee42f99623d5" };

/** At rest, with the plugin. */
export const PLUGGED = { agent: "claude", sessionId: "5f2e8190-1d47-46fc-99e3-ee42f99623d5" };

/** Puts both sessions into a world; they run as this process does. */
export function fillWithSessions(world: World): World {
  const now = Date.now() / 1000;
  const store = new SessionStore(world.places.home);
  for (const [session, state] of [
    [BUSY, "working"],
    [PLUGGED, "done"],
  ] as const) {
    store.save({
      record: {
        ...session,
        phase: state,
        waits: [],
        state,
        since: now - 60,
        eventAt: now - 60,
        event: state === "done" ? "Stop" : "UserPromptSubmit",
        calls: [],
        subagents: [],
        background: {},
        monitors: {},
        pid: process.pid,
        pidKnownAt: now,
        ...(state === "done" ? { doneAt: now - 60 } : {}),
      },
      folded: [],
    });
  }
  const mark = { version: 1, at: now, pickup: "shop pickup", file: "/memory/shop.md", pid: process.pid };
  mkdirSync(world.ours("plugin"), { mode: 0o700 });
  writeFileSync(world.ours("plugin", `${PLUGGED.sessionId}.json`), JSON.stringify(mark), { mode: 0o600 });
  return world;
}
