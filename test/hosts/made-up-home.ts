import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import * as z from "zod";

/** The sessions of the made-up home, by their titles. */
export const MADE_UP = {
  waiting: "Add an index to the orders table",
  unread: "Fix the flaky checkout test",
  running: "rewrite-the-install-guide",
  cold: "Tidy up the old branches",
} as const;

const marksSchema = z.looseObject({ sessions: z.record(z.string(), z.looseObject({ read_until: z.number() })) });

/** A home folder in which nothing but made-up sessions is known: nobody's own. */
export class MadeUpHome {
  readonly folder = mkdtempSync(join(tmpdir(), "agent-sessions-host-"));
  private sockets = 0;

  constructor() {
    const now = Date.now() / 1000;
    this.write(".agent-sessions/read-marks.json", { version: 1, baseline: 0, sessions: {} });
    this.status("waiting-1", {
      state: "waiting",
      ts: now - 240,
      title: MADE_UP.waiting,
      cwd: "/home/dev/api",
      waiting_for: "permission",
      message: "Run the migration on staging?",
    });
    this.status("unread-1", {
      state: "done",
      ts: now - 600,
      done_at: now - 600,
      title: MADE_UP.unread,
      cwd: "/home/dev/shop",
      message: "The test waits for the cart now.",
    });
    this.status("cold-1", {
      state: "idle",
      ts: now - 3 * 3600,
      done_at: now - 3 * 3600,
      user_prompt_at: now - 2 * 3600,
      title: MADE_UP.cold,
      cwd: "/home/dev/web",
    });
    // A process that lives as long as the checks do: this one.
    this.write(`.claude/sessions/${process.pid}.json`, {
      pid: process.pid,
      sessionId: "running-1",
      procStart: startTicks(),
      cwd: "/home/dev/docs",
      startedAt: Math.round((now - 900) * 1000),
      kind: "interactive",
      name: MADE_UP.running,
      status: "busy",
      statusUpdatedAt: Math.round((now - 30) * 1000),
    });
  }

  /** Where the agents, and with them the terminal's program, are started. */
  get work(): string {
    return this.folder;
  }

  /** What a program in this home knows of its surroundings. */
  get environment(): Record<string, string> {
    return {
      HOME: this.folder,
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      AGENT_SIGNAL_LIGHT_STATE_FILE: join(this.folder, "no-signal.json"),
    };
  }

  newSocket(): string {
    this.sockets += 1;
    return join(this.folder, `tmux-${this.sockets}`);
  }

  /** Writes a session's status file as its writer does: whole, to another name, then renamed. */
  status(id: string, fields: Record<string, unknown>): void {
    const folder = ".claude/aitention/status";
    this.write(`${folder}/.${id}.new`, { session_id: id, ...fields });
    renameSync(join(this.folder, folder, `.${id}.new`), join(this.folder, folder, `${id}.json`));
  }

  /** Whose answers are marked as read on disk, by key. */
  readMarks(): string[] {
    const text = readFileSync(join(this.folder, ".agent-sessions", "read-marks.json"), "utf8");
    return Object.keys(marksSchema.parse(JSON.parse(text)).sessions);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private write(name: string, value: unknown): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
  }
}

/** When this process started, as the system counts it: field 22, the 20th behind the name in brackets. */
function startTicks(): string {
  const stat = readFileSync("/proc/self/stat", "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
