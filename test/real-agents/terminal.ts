import { execFile } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { ScratchHome } from "./scratch-home";
import type { Moment } from "./shown-sessions";
import { waitUntil } from "./wait-until";

const run = promisify(execFile);

/** Agents take keys that come at once for pasted text, in which Enter is a line break. */
const BETWEEN_KEYS_MS = 300;

/** A terminal with an agent in it: a tmux server of its own, which knows nothing but the scenario's environment. */
export class Terminal {
  private constructor(
    private readonly socket: string,
    private readonly environment: Record<string, string>,
    private readonly serverPid: number,
    private readonly agentPid: number,
  ) {}

  static async start(
    { newSocket, work }: Pick<ScratchHome, "newSocket" | "work">,
    environment: Record<string, string>,
    command: readonly string[],
  ): Promise<Terminal> {
    const socket = newSocket();
    const line = `exec ${command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ")}`;
    const tmux = ["-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "50", "-c", work, line];
    // The screen stays when the agent has gone, for whoever looks into a failure.
    const keep = [";", "set-option", "-g", "remain-on-exit", "on"];
    await run("tmux", [...tmux, ...keep], { env: environment });
    const pids = ["display-message", "-p", "#{pid} #{pane_pid}"];
    const { stdout } = await run("tmux", ["-S", socket, ...pids], { env: environment });
    const [serverPid, agentPid] = stdout.split(" ").map(Number);
    if (!serverPid || !agentPid) throw new Error(`tmux did not tell its processes: ${stdout}`);
    return new Terminal(socket, environment, serverPid, agentPid);
  }

  /** What is on the screen. */
  async screen(): Promise<string> {
    return (await this.tmux("capture-pane", "-p")).trimEnd();
  }

  /** Waits until something is on the screen; gives what was found. */
  async waitFor(text: RegExp): Promise<RegExpExecArray> {
    return waitUntil(
      async () => text.exec(await this.screen()) ?? undefined,
      () => `${text} did not come on the screen`,
    );
  }

  /** Types a line, and sends it once it is there; gives the moment it was sent. */
  async type(line: string): Promise<Moment> {
    await this.tmux("send-keys", "-l", line);
    await this.waitFor(new RegExp(line.replace(/[/\\^$*+?.()|[\]{}]/g, "\\$&")));
    return this.press("Enter");
  }

  /** Presses keys, by tmux's names for them; gives the moment of the last one. */
  async press(...keys: string[]): Promise<Moment> {
    let moment = Date.now();
    for (const key of keys) {
      await pause(BETWEEN_KEYS_MS);
      moment = Date.now();
      await this.tmux("send-keys", key);
    }
    return moment;
  }

  /** Ends the agent at once, without a word; gives the moment. */
  kill(): Moment {
    const moment = Date.now();
    signal(this.agentPid, "SIGKILL");
    return moment;
  }

  /** Stops the agent, where it still runs, and the terminal: these two processes and no other. */
  async stop(): Promise<void> {
    signal(this.agentPid, "SIGTERM");
    try {
      await waitUntil(
        () => (signal(this.agentPid, 0) ? undefined : true),
        () => "the agent did not end",
        5000,
      );
    } catch {
      this.kill();
    }
    signal(this.serverPid, "SIGTERM");
  }

  private async tmux(...parameters: string[]): Promise<string> {
    const { stdout } = await run("tmux", ["-S", this.socket, ...parameters], { env: this.environment });
    return stdout;
  }
}

/** @returns whether the process is there */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
