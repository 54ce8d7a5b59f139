import { execFile, execFileSync } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { ScratchHome } from "./scratch-home";
import { waitUntil } from "./wait-until";

const run = promisify(execFile);

/** Agents take keys that come at once for pasted text, in which Enter is a line break. */
const BETWEEN_KEYS_MS = 300;

/** A terminal with an agent in it: a tmux server of its own, which knows nothing but the scenario's environment. */
export class Terminal {
  private constructor(
    private readonly socket: string,
    private readonly environment: Record<string, string>,
    private readonly pid: number,
  ) {}

  static async start(
    { socket, work }: ScratchHome,
    environment: Record<string, string>,
    command: readonly string[],
  ): Promise<Terminal> {
    const line = `exec ${command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ")}`;
    const tmux = ["-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "50", "-c", work, line];
    // The screen stays when the agent has gone, for whoever looks into a failure.
    const keep = [";", "set-option", "-g", "remain-on-exit", "on"];
    await run("tmux", [...tmux, ...keep], { env: environment });
    const { stdout } = await run("tmux", ["-S", socket, "display-message", "-p", "#{pane_pid}"], { env: environment });
    return new Terminal(socket, environment, Number(stdout));
  }

  /** What is on the screen. */
  async screen(): Promise<string> {
    return (await this.tmux("capture-pane", "-p")).trimEnd();
  }

  async waitFor(text: RegExp): Promise<void> {
    let screen = "";
    await waitUntil(
      async () => {
        screen = await this.screen();
        return text.test(screen) ? true : undefined;
      },
      () => `${text} did not come on the screen`,
    );
  }

  /** Types a line, and sends it once it is there. */
  async type(line: string): Promise<void> {
    await this.tmux("send-keys", "-l", line);
    await this.waitFor(new RegExp(line.replace(/[/\\^$*+?.()|[\]{}]/g, "\\$&")));
    await this.press("Enter");
  }

  /** Presses keys, by tmux's names for them. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await pause(BETWEEN_KEYS_MS);
      await this.tmux("send-keys", key);
    }
  }

  /** Stops the agent, where it still runs, and the terminal. */
  stop(): void {
    try {
      process.kill(this.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    execFileSync("tmux", ["-S", this.socket, "kill-server"], { env: this.environment, stdio: "ignore" });
  }

  private async tmux(...parameters: string[]): Promise<string> {
    const { stdout } = await run("tmux", ["-S", this.socket, ...parameters], { env: this.environment });
    return stdout;
  }
}
