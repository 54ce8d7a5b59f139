import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { controlWatch } from "../../src/cli/control-watch";
import { encodeOutcome } from "../../src/files/control-outcome";
import { Observer } from "../../src/observe/observer";
import type { Snapshot } from "../../src/observe/snapshot";
import type { Session } from "../../src/session/session";
import { answerLine, ID, MachineState, NOW, PID, userLine } from "../observe/machine-state";

/** A session that only a status file tells of, one that only the signal document tells of, one of Codex. */
export const BY_STATUS = "5e551011-0000-4000-8000-00000000000a";
export const BY_SIGNAL = "5e551011-0000-4000-8000-00000000000b";
export const OF_CODEX = "5e551011-0000-4000-8000-00000000000c";
export const BY_REGISTRY = "5e551011-0000-4000-8000-00000000000d";

/**
 * A user with sessions that all is well with, known by every source there is. Beside them a hostile file is put, and their
 * rows have to stay what they are.
 */
export class House {
  readonly machine = new MachineState();

  constructor() {
    const { machine } = this;
    machine.processes.tell(PID, "running").tell(PID + 1, "running");
    machine
      .hook("SessionStart", NOW - 900, { source: "startup", cwd: "/w/shop" })
      .hook("UserPromptSubmit", NOW - 800, { prompt: "Fix the build", cwd: "/w/shop" })
      .hook("PermissionRequest", NOW - 700, { tool_name: "Bash", tool_input: { command: "rm -r build" } })
      .registry({ pid: PID, status: "waiting", statusAt: NOW - 699, startedAt: NOW - 901, cwd: "/w/shop" })
      .registry({
        pid: PID + 1,
        sessionId: BY_REGISTRY,
        status: "busy",
        statusAt: NOW - 60,
        startedAt: NOW - 400,
        cwd: "/w/api",
      })
      .status(BY_STATUS, { state: "decision", title: "Which way", message: "Left or right", cwd: "/w/web" })
      .signal({ [BY_SIGNAL]: { signal: "working", agent: "gemini", updated_at: NOW - 30 } })
      .told({
        agent: "codex",
        event: "UserPromptSubmit",
        at: NOW - 500,
        payload: { session_id: OF_CODEX, hook_event_name: "UserPromptSubmit", prompt: "Tidy up", cwd: "/w/lib" },
      })
      .transcript([userLine(NOW - 800, "Fix the build"), answerLine(NOW - 790)]);
    this.snapshot();
    const requests = join(machine.places.home, "control", "claude", ID);
    mkdirSync(requests, { recursive: true, mode: 0o700 });
    const steps = [{ outcome: "refused" as const, at: NOW - 5, reason: "the user typed" }];
    writeFileSync(join(requests, "k-1.done.json"), encodeOutcome({ id: "k-1", kind: "save", by: "plugin", steps }), {
      mode: 0o600,
    });
  }

  get home(): string {
    return this.machine.places.home;
  }

  /** The folder that all of it lies in. */
  get folder(): string {
    return dirname(this.home);
  }

  /** An observer that has seen nothing yet, as a command has. */
  observer(cache = false): Observer {
    const { places, environment, processes } = this.machine;
    return new Observer({
      places,
      environment,
      clock: () => this.machine.now * 1000,
      processes,
      cache,
      control: controlWatch(places),
    });
  }

  /** One look by somebody who has seen nothing yet. */
  snapshot(cache = false): Snapshot {
    const observer = this.observer(cache);
    observer.look();
    const snapshot = observer.snapshot();
    if (cache) observer.keep();
    return snapshot;
  }

  /** Puts bytes at a path, old enough that nobody takes them for half written; each time with another date. */
  put(path: string, bytes: Uint8Array): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
    this.date(path);
  }

  date(path: string): void {
    this.dates += 1;
    const at = NOW - 50 + this.dates / 1_000_000;
    utimesSync(path, at, at);
  }

  remove(path: string): void {
    rmSync(path, { recursive: true, force: true });
  }

  /** Every file of the user's, below the folder that all lies in, with its bytes. */
  files(): Map<string, string> {
    const found = new Map<string, string>();
    const walk = (folder: string) => {
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        if (lstatSync(path).isDirectory()) walk(path);
        else found.set(relative(this.folder, path), readFileSync(path, "latin1"));
      }
    };
    walk(this.folder);
    return found;
  }

  private dates = 0;
}

/** Rows as they can be compared: what JSON says of each, by id. */
export function rowsOf({ sessions }: Pick<Snapshot, "sessions">): Map<string, string> {
  return new Map(sessions.map((session) => [session.id, textOf(session)]));
}

function textOf(session: Session): string {
  return JSON.stringify(session);
}
