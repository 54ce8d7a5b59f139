import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ControlFolder } from "../../src/control/control-folder";
import type { Command, CommandResult } from "../../src/control/run-program";
import type { ControlSurroundings } from "../../src/control/surroundings";
import type { Session } from "../../src/session/session";
import { scratchFolder } from "../scratch";
import { NOW } from "./session-sample";

/** Surroundings that keep what was run and asked, over a home of their own. */
export interface ControlScene extends ControlSurroundings {
  control: ControlFolder;
  /** What was run, in order. */
  ran: Command[];
  /** What servers were asked. */
  asked: { url: string; method: string; body?: unknown }[];
  /** The sessions as a new look shows them; a session that is not here is as it was. */
  shown: Map<string, Session | undefined>;
  /** What time it is. */
  clock: { now: number };
}

/** A scene in which every process runs, no program is installed and nothing is known of any transcript, unless given. */
export function controlScene(given: Partial<ControlSurroundings> = {}): ControlScene {
  const home = join(scratchFolder(), "home");
  const clock = { now: NOW };
  const ran: Command[] = [];
  const asked: ControlScene["asked"] = [];
  const shown = new Map<string, Session | undefined>();
  let ids = 0;
  return {
    home,
    control: new ControlFolder(home),
    clock,
    ran,
    asked,
    shown,
    environment: { LANG: "en_US.UTF-8", HOME: dirname(home) },
    author: "command",
    now: () => clock.now,
    newId: () => `id-${String((ids += 1)).padStart(3, "0")}`,
    run: (command) => {
      ran.push(command);
      return Promise.resolve({ outcome: "missing" });
    },
    askServer: (request) => {
      asked.push(request);
      return Promise.reject(new Error("connect ECONNREFUSED"));
    },
    processes: {
      look: () => Promise.resolve("running"),
      argumentsOf: () => undefined,
      parentOf: () => undefined,
      terminalOf: () => Promise.resolve(undefined),
      signal: () => {
        throw new Error("nothing is ended here");
      },
    },
    refresh: (id) => Promise.resolve(shown.get(id)),
    transcriptOf: () => ({ prompts: [] }),
    pause: () => Promise.resolve(),
    ...given,
  };
}

/** A program that ended well. */
export function ended(stdout = "", code: number | null = 0, stderr = ""): CommandResult {
  return { outcome: "ended", code, stdout, stderr };
}

/** Writes the plugin's mark of a session. */
export function markPlugin(scene: ControlScene, sessionId: string, mark: Record<string, unknown> = {}): void {
  const path = scene.control.pluginMark({ sessionId });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const whole = { version: 1, at: NOW - 600, pickup: "webshop pickup", file: "/memory/webshop.md", ...mark };
  writeFileSync(path, JSON.stringify(whole), { mode: 0o600 });
}
